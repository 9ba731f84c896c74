// Compares the operators with the naive reference, on random shapes and bits.
import { expect, test } from '@jest/globals';
import { load } from 'broadloom';
import fc from 'fast-check';
import {
  announceSeed,
  anyBroadcast,
  anyDims,
  anyNoise,
  anyType,
  generator,
  holds,
  randomWords,
} from './helpers/random.js';
import { expand, fill, tensorLike } from './helpers/reference.js';
import { rowsOf } from './helpers/rows.js';
import { counters, expectWords } from './helpers/runtime.js';
import { types } from './helpers/types.js';

announceSeed('properties.test.ts');
const ops = await load({});
// Expand does not support the small types. ConstantOfShape and Constant test those.
const expandable = rowsOf('Expand').at(-1)?.typeConstraints.T ?? [];
const anyExpandable = fc.constantFrom(...expandable);

test('Expand equals the naive broadcast for all shapes that broadcast', () => {
  holds(fc.tuple(anyExpandable, anyBroadcast, anyNoise), ([type, [dims, to], noise]) => {
    const x = randomWords(type, dims, generator(noise));
    ops.scope(() => expectWords(ops.expand(tensorLike(x), to), expand(x, to)));
  });
});

test('Identity and Constant return their tensor, and tensor() keeps its elements', () => {
  holds(fc.tuple(anyType, anyDims, anyNoise), ([type, dims, noise]) => {
    const x = randomWords(type, dims, generator(noise));
    ops.scope(() => {
      expectWords(ops.tensor(type as 'string', tensorLike(x).data as string[], dims), x);
      expectWords(ops.run('Identity', [tensorLike(x)])[0], x);
      expectWords(ops.constant({ value: tensorLike(x) }), x);
    });
  });
});

// Sizes around multiples of the vector width, where kernels change their path.
const lengths = [0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 23, 31, 32, 33, 47, 48, 63, 64, 65, 127, 129, 255, 257];

test.each(types)(
  'ConstantOfShape or Constant of $name is exact for every length around the vector width',
  ({ name }) => {
    const random = generator(name.length);
    const fillable = name !== 'string' && !name.startsWith('complex');
    for (const length of lengths) {
      ops.scope(() => {
        const value = randomWords(name, [], random);
        if (fillable) expectWords(ops.constantOfShape([length], { value: tensorLike(value) }), fill(value, [length]));
        const x = randomWords(name, [length], random);
        expectWords(ops.constant({ value: tensorLike(x) }), x);
      });
    }
  },
);

test.each(expandable)('Expand of %s is exact for rows and columns of every length around the vector width', (name) => {
  const random = generator(name.length);
  for (const length of lengths) {
    for (const times of [1, 2, 3, 5, 17]) {
      ops.scope(() => {
        const row = randomWords(name, [length], random);
        expectWords(ops.expand(tensorLike(row), [times, length]), expand(row, [times, length]));
        const column = randomWords(name, [times, 1], random);
        expectWords(ops.expand(tensorLike(column), [times, length]), expand(column, [times, length]));
        const middle = randomWords(name, [2, 1, 3], random);
        if (length < 65) expectWords(ops.expand(tensorLike(middle), [2, length, 3]), expand(middle, [2, length, 3]));
      });
    }
  }
});

test('the random tests above left no tensor and no byte behind', () => {
  expect(counters(ops)).toEqual({ liveTensors: 0, bytesInUse: 0 });
});
