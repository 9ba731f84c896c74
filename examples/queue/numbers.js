// Numbers that people give to a program.

/**
 * The whole number in a text.
 *
 * @param name - where it stands, such as `--jobs`
 * @throws RangeError for other texts, and for numbers below `least`
 */
export function wholeNumber(name, text, least = 1) {
  const number = Number(text);
  if (Number.isSafeInteger(number) && number >= least) return number;
  throw new RangeError(`${name} is '${text}', wanted a whole number from ${least}`);
}
