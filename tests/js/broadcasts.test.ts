// Large broadcasts: compares every path of the kernels, as compiled to wasm, with loops over bytes.
import { expect, test } from '@jest/globals';
import { type DataType, load, type TensorLike } from 'broadloom';
import fc from 'fast-check';
import { announceSeed, anyNoise, generator, holds } from './helpers/random.js';
import { sizeOf } from './helpers/reference.js';
import { bytesOf, dataFrom, type TypedArray, typeRow } from './helpers/types.js';

announceSeed('broadcasts.test.ts');
const ops = await load({});

/** One type for each item size of the kernels. */
const typeOfSize = { 1: 'uint8', 2: 'int16', 4: 'float32', 8: 'float64', 16: 'complex128' } as const;

type Case = readonly [from: readonly number[], to: readonly number[]];

/** The broadcast, item by item: one index counts up, and one follows in the source. */
function broadcast(bytes: Uint8Array, itemSize: number, [from, to]: Case): Uint8Array {
  const result = new Uint8Array(sizeOf(to) * itemSize);
  const steps = from.map((dim, axis) => (dim === 1 ? 0 : itemSize * sizeOf(from.slice(axis + 1))));
  const index = to.map(() => 0);
  for (let at = 0, source = 0; at < result.length; at += itemSize) {
    for (let i = 0; i < itemSize; i++) result[at + i] = bytes[source + i];
    for (let axis = to.length - 1; axis >= 0; axis--) {
      source += steps[axis];
      if (++index[axis] < to[axis]) break;
      source -= steps[axis] * to[axis];
      index[axis] = 0;
    }
  }
  return result;
}

function expectBroadcast(itemSize: keyof typeof typeOfSize, dims: Case, random: () => number): void {
  const row = typeRow(typeOfSize[itemSize]);
  const bytes = Uint8Array.from({ length: sizeOf(dims[0]) * itemSize }, () => random() & 255);
  ops.scope(() => {
    const x = { type: row.name as DataType, dims: dims[0], data: dataFrom(row, bytes) } as TensorLike;
    const y = ops.expand(x, dims[1]);
    const same = Buffer.compare(bytesOf(y.data as TypedArray), broadcast(bytes, itemSize, dims)) === 0;
    expect(same ? 'equal' : `${row.name} [${dims[0]}] to [${dims[1]}] differs`).toBe('equal');
  });
}

const small = fc.integer({ min: 2, max: 9 });
const middle = fc.integer({ min: 2, max: 70 });
const large = fc.integer({ min: 100, max: 1500 });

const patterns: { [name: string]: fc.Arbitrary<Case> } = {
  'a row repeated': fc.tuple(large, middle).map(([n, m]) => [
    [1, n],
    [m, n],
  ]),
  'a block of more than 32 KiB repeated': fc.tuple(middle, large).map(([m, n]) => [
    [1, 41, n],
    [2 + (m % 4), 41, n],
  ]),
  'each item repeated': fc.tuple(large, middle).map(([n, m]) => [
    [n, 1],
    [n, m],
  ]),
  'each item repeated a few times': fc.tuple(large, small).map(([n, m]) => [
    [n, 1],
    [n, m],
  ]),
  'each item repeated often': fc.tuple(middle, large).map(([n, m]) => [
    [n, 1],
    [n, m],
  ]),
  'short blocks repeated in the middle': fc.tuple(large, small, small).map(([a, b, c]) => [
    [a, 1, c],
    [a, b, c],
  ]),
  'blocks repeated in the middle': fc.tuple(small, middle, large).map(([a, b, c]) => [
    [a, 1, c],
    [a, b, c],
  ]),
  'every second axis stretched': fc.tuple(large, small, small, small).map(([a, b, c, d]) => [
    [a, 1, c, 1],
    [a, b, c, d],
  ]),
  'every second axis stretched, the last one not': fc
    .tuple(large, small, small, small, fc.integer({ min: 2, max: 5 }))
    .map(([a, b, c, d, e]) => [
      [a, 1, c, 1, e],
      [a, b, c, 2 + (d % 3), e],
    ]),
  'many axes of two': fc.tuple(fc.array(fc.boolean(), { minLength: 8, maxLength: 14 }), small).map(([kept, n]) => [
    [n, ...kept.map((keep) => (keep ? 2 : 1))],
    [n, ...kept.map(() => 2)],
  ]),
};

for (const [name, pattern] of Object.entries(patterns)) {
  test(`${name}: equal to loops over bytes, for items of every size`, () => {
    holds(
      fc.tuple(fc.constantFrom(1, 2, 4, 8, 16), pattern, anyNoise),
      ([itemSize, dims, noise]) => expectBroadcast(itemSize, dims, generator(noise)),
      40,
    );
  });
}

test('results of more than 16 MiB equal loops over bytes', () => {
  const random = generator(7);
  expectBroadcast(
    4,
    [
      [1, 3000],
      [1500, 3000],
    ],
    random,
  );
  expectBroadcast(
    1,
    [
      [1, 1, 3],
      [2500, 2500, 3],
    ],
    random,
  );
  ops.scope(() => {
    const value = ops.tensor('int16', [0x1234], [1]);
    expect(ops.constantOfShape([3001, 3001], { value }).data.every((item) => item === 0x1234)).toBe(true);
  });
});

// The walk over axes is recursive, and the module's stack is small.
test('a result of 64 MiB with the most possible stretched axes is exact', () => {
  const rank = 26;
  const dims = Array.from({ length: rank }, (_, axis) => 2 - (axis % 2));
  ops.scope(() => {
    const x = ops.tensor(
      'uint8',
      Uint8Array.from({ length: 2 ** (rank / 2) }, (_, i) => i * 31 + (i >> 8)),
      dims,
    );
    const { data } = ops.expand(x, Array(rank).fill(2));
    const source = x.data;
    let wrong = 0;
    for (let i = 0; i < data.length; i++) {
      // The bits of an index for axes that are not stretched: every second bit, from the highest down.
      let from = 0;
      for (let bit = rank - 1; bit > 0; bit -= 2) from = from * 2 + ((i >> bit) & 1);
      if (data[i] !== source[from]) wrong++;
    }
    expect(wrong).toBe(0);
  });
});
