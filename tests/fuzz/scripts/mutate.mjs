// Changed bytes and changed lists of words, from a seed.

/** Random whole numbers below `end`, the same ones for the same seed. */
export function randomFrom(seed) {
  let state = seed >>> 0;
  return (end) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % end;
  };
}

export const oneOf = (random, list) => list[random(list.length)];

const telling = [
  0, 1, 9, 10, 13, 27, 32, 34, 39, 40, 41, 44, 45, 46, 47, 48, 57, 60, 61, 91, 93, 123, 125, 127, 128, 255,
];

/** The bytes with a few changes; parts may come from another one of `files`. */
export function changed(random, files) {
  let bytes = [...oneOf(random, files)];
  for (let changes = random(2) === 0 ? 1 : 1 + random(5); changes > 0; changes--) {
    const at = random(bytes.length + 1);
    const other = oneOf(random, files);
    const part = () => {
      const from = random(other.length + 1);
      return [...other.subarray(from, from + random(24))];
    };
    const byte = random(2) === 0 ? oneOf(random, telling) : random(256);
    const steps = [
      () => bytes.splice(at, 1, byte),
      () => bytes.splice(at, 0, byte),
      () => bytes.splice(at, 1 + random(8)),
      () => bytes.splice(at, random(12), ...part()),
      () => bytes.splice(at, 1, ((bytes[at] ?? 0) + (random(2) === 0 ? 1 : 255)) % 256),
      () => bytes.splice(at, 0, ...bytes.slice(at, at + random(16))),
      () => {
        if (random(4) === 0) bytes = bytes.slice(0, at);
      },
    ];
    oneOf(random, steps)();
  }
  return Uint8Array.from(bytes);
}

const odd = [
  '',
  '-',
  '--',
  '=',
  '-1',
  '1e999',
  '[',
  '[[1],[2,3]]',
  '{}',
  'null',
  'NaN',
  '\u202e',
  '\0',
  'x'.repeat(300),
  '../..',
  '*',
  '9007199254740993',
];

/** A list of words with a few changes; words and parts of words may come from another list. */
export function changedWords(random, lists) {
  const words = [...oneOf(random, lists)];
  for (let changes = random(3) === 0 ? 1 + random(3) : 1; changes > 0; changes--) {
    const at = random(words.length + 1);
    const other = oneOf(random, lists);
    const word = () => oneOf(random, other) ?? '';
    // Most changes are within a word: a word too many or too few is soon refused.
    const alter = () => {
      if (at < words.length)
        words[at] = Buffer.from(changed(random, [Buffer.from(words[at]), Buffer.from(word())])).toString();
    };
    const steps = [
      () => words.splice(at, 1),
      () => words.splice(at, 0, word()),
      () => words.splice(at, 1, word()),
      () => words.splice(at, 1, oneOf(random, odd)),
      () => words.splice(at, 0, words[at] ?? ''),
      ...[alter, alter, alter, alter, alter],
    ];
    oneOf(random, steps)();
  }
  return words;
}
