// Words to numbers, as NumPy, Python, JSON and JavaScript write them.

/**
 * The most digits of an integer. To make a bigint of digits takes more than linear time, and no element has so long an integer.
 */
const longestInteger = 1000;

/** Without the underscores that Python allows between digits. */
function withoutUnderscores(word: string): string {
  return word.includes('_') && !/(?<![\da-f])_|_(?![\da-f])/i.test(word) ? word.replaceAll('_', '') : word;
}

/** An integer in decimal, 0x.., 0o.. or 0b.. notation. */
export function integerOf(word: string): bigint | undefined {
  if (word.length > longestInteger) return undefined;
  const [, sign, digits] = /^([+-]?)(\d+|0x[\da-f]+|0o[0-7]+|0b[01]+)$/i.exec(withoutUnderscores(word)) ?? [];
  if (digits === undefined) return undefined;
  return sign === '-' ? -BigInt(digits) : BigInt(digits);
}

/** A number, NaN or an infinity. */
export function numberOf(word: string): number | undefined {
  const plain = Number(word);
  if (!Number.isNaN(plain)) return plain;
  const [, minus, name] = /^([+-]?)(?:(?:np|numpy|math|torch)\.)?(inf|infinity|nan)$/i.exec(word) ?? [];
  if (name !== undefined) return name.toLowerCase() === 'nan' ? Number.NaN : minus === '-' ? -Infinity : Infinity;
  const [, sign, digits] = /^([+-])(0[xob][\da-f]+)$/i.exec(word) ?? [];
  if (digits !== undefined) {
    const size = Number(digits);
    return Number.isNaN(size) ? undefined : sign === '-' ? -size : size;
  }
  const joined = withoutUnderscores(word);
  return joined === word ? undefined : numberOf(joined);
}

const booleans: { readonly [word: string]: boolean } = {
  true: true,
  True: true,
  1: true,
  false: false,
  False: false,
  0: false,
};

/** A boolean; other numbers stay what they are, and the library says what it thinks of them. */
export function booleanOf(word: string): boolean | number | undefined {
  return Object.hasOwn(booleans, word) ? booleans[word] : numberOf(word);
}

/** The parts of a complex number such as 1+2j, -2.5e-3j or 4. */
export function complexOf(word: string): readonly [real: number, imaginary: number] | undefined {
  if (!/[jJ]$/.test(word)) {
    const real = numberOf(word);
    return real === undefined ? undefined : [real, 0];
  }
  const digits = word.slice(0, -1);
  let split = Math.max(digits.lastIndexOf('+'), digits.lastIndexOf('-'));
  // The sign of an exponent belongs to its number.
  if (split > 0 && /[\d.]e$/i.test(digits.slice(0, split))) {
    split = Math.max(digits.lastIndexOf('+', split - 1), digits.lastIndexOf('-', split - 1));
  }
  const real = split > 0 ? numberOf(digits.slice(0, split)) : 0;
  const imaginary = digits === '' ? undefined : numberOf(split > 0 ? digits.slice(split) : digits);
  return real === undefined || imaginary === undefined ? undefined : [real, imaginary];
}
