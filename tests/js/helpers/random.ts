// Random tensors for property tests. The seed is printed, and BROADLOOM_SEED=123 sets it.
import fc from 'fast-check';
import { isDeep, seed, someOf as some } from '../../depth.mjs';
import { sizeOf, type Words, wordsOf } from './reference.js';
import { dataFrom, dataLength, typeRow, types } from './types.js';

export { seed };

/** Every file with random tests calls this once. */
export function announceSeed(file: string): void {
  process.stderr.write(`${file}: BROADLOOM_SEED=${seed}\n`);
}

/** The number of random cases: all in `npm run test:deep`; a quarter else. */
export const cases = (most: number): number => (isDeep ? most : Math.ceil(most / 4));

/** All of a list in `npm run test:deep`; else every `step`th entry, from an entry on that the seed selects. */
export const someOf = <T>(list: readonly T[], step: number): T[] => some(list, step, seed);

/** Checks a property in `cases(numRuns)` cases; a failure shows the smallest counterexample. */
export function holds<T>(arbitrary: fc.Arbitrary<T>, check: (value: T) => void, numRuns = 400): void {
  fc.assert(fc.property(arbitrary, check), { seed, numRuns: cases(numRuns) });
}

/** A small generator (mulberry32), for random bytes that need no shrinking. */
export function generator(state: number): () => number {
  let next = state | 0;
  return () => {
    next = (next + 0x6d2b79f5) | 0;
    let mixed = Math.imul(next ^ (next >>> 15), 1 | next);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}

const stringPool = ['', 'a', 'warp', '\u00e9', '\ufeff', '\0', '\u{1f9f6}', 'weft '.repeat(9)];

/** Random elements: 0 and 1 for bool, all bit patterns for other types. */
export function randomWords(type: string, dims: readonly number[], random: () => number): Words {
  const row = typeRow(type);
  const count = sizeOf(dims);
  if (type === 'string') {
    const words = Array.from(
      { length: count },
      () => stringPool[random() % stringPool.length] + (random() % 3 === 0 ? random() : ''),
    );
    return { type, dims: [...dims], words };
  }
  const itemBytes = row.bits < 8 ? 1 : row.bits / 8 / (type.startsWith('complex') ? 2 : 1);
  const bytes = Uint8Array.from({ length: dataLength(row, count) * itemBytes }, () =>
    type === 'bool' ? random() & 1 : random() & 255,
  );
  return wordsOf({ type, dims, data: dataFrom(row, bytes) });
}

export const anyType: fc.Arbitrary<string> = fc.constantFrom(...types.map(({ name }) => name as string));
export const anyNoise: fc.Arbitrary<number> = fc.integer();

const size = fc.oneof(
  { weight: 3, arbitrary: fc.constant(1) },
  { weight: 6, arbitrary: fc.integer({ min: 2, max: 4 }) },
  { weight: 1, arbitrary: fc.constant(0) },
);

/** Rank 0 to 6, sizes 0 to 4, many ones. */
export const anyDims: fc.Arbitrary<number[]> = fc.array(size, { maxLength: 6 });

/** Two shapes that broadcast. Each is the result's dims without some leading ones, and with some replaced by 1. */
export const anyBroadcast: fc.Arbitrary<[number[], number[]]> = anyDims.chain((dims) => {
  const operand = fc
    .tuple(fc.nat(dims.length), fc.array(fc.boolean(), { minLength: dims.length, maxLength: dims.length }))
    .map(([dropped, ones]) => dims.map((dim, axis) => (ones[axis] ? 1 : dim)).slice(dropped));
  return fc.tuple(operand, operand);
});
