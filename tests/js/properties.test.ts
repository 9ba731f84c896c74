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
import { broadcastDims, expand, fill, shape, sizeOf, tensorLike, wordsOf } from './helpers/reference.js';
import { rowsOf } from './helpers/rows.js';
import { counters, errorOf, expectWords } from './helpers/runtime.js';
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

test('Expand refuses exactly the shapes that the naive broadcast refuses', () => {
  holds(fc.tuple(anyDims, anyDims, anyNoise), ([dims, to, noise]) => {
    const x = randomWords('int8', dims, generator(noise));
    ops.scope(() => {
      if (broadcastDims(dims, to) !== undefined) return expectWords(ops.expand(tensorLike(x), to), expand(x, to));
      expect(errorOf(() => ops.expand(tensorLike(x), to)).message).toContain(
        `cannot broadcast [${dims.join(', ')}] to [${to.join(', ')}]`,
      );
    });
  });
});

test('Expand of an expanded tensor equals the naive broadcast done twice', () => {
  const anyThree = anyBroadcast.chain(([dims, to]) => {
    return fc.tuple(fc.constant(dims), fc.constant(to), fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 2 }));
  });
  holds(fc.tuple(anyExpandable, anyThree, anyNoise), ([type, [dims, to, more], noise]) => {
    const x = randomWords(type, dims, generator(noise));
    const once = expand(x, to);
    const outer = [...more, ...once.dims];
    ops.scope(() => expectWords(ops.expand(ops.expand(tensorLike(x), to), outer), expand(once, outer)));
  });
});

test('ConstantOfShape equals the naive fill', () => {
  const fillable = rowsOf('ConstantOfShape').at(-1)?.typeConstraints.T2 ?? [];
  holds(
    fc.tuple(fc.constantFrom(...fillable), anyDims, fc.constantFrom([], [1], [1, 1]), anyNoise),
    ([type, dims, valueDims, noise]) => {
      const value = randomWords(type, valueDims, generator(noise));
      ops.scope(() => expectWords(ops.constantOfShape(dims, { value: tensorLike(value) }), fill(value, dims)));
    },
  );
});

test('Shape equals the text of Shape-15 for all bounds', () => {
  const bound = fc.option(fc.integer({ min: -9, max: 9 }), { nil: undefined });
  holds(fc.tuple(anyType, anyDims, bound, bound, anyNoise), ([type, dims, start, end, noise]) => {
    const x = randomWords(type, dims, generator(noise));
    ops.scope(() => {
      const result = ops.shape(tensorLike(x), { start, end });
      expect([result.type, ...result.dims, ...result.data]).toEqual([
        'int64',
        shape(dims, start, end).length,
        ...shape(dims, start, end).map(BigInt),
      ]);
    });
  });
});

test('Shape clamps the smallest and the largest int64', () => {
  ops.scope(() => {
    const x = ops.empty('bool', [2, 3, 4]);
    expect([...ops.shape(x, { start: -(2n ** 63n), end: 2n ** 63n - 1n }).data]).toEqual([2n, 3n, 4n]);
    expect([...ops.shape(x, { start: 2n ** 63n - 1n, end: -(2n ** 63n) }).data]).toEqual([]);
    expect([...ops.shape(x, { end: -5 }).data]).toEqual([]);
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

test('readTensor restores the tensor that writeTensor wrote, for all types', () => {
  holds(fc.tuple(anyType, anyDims, anyNoise), ([type, dims, noise]) => {
    const x = randomWords(type, dims, generator(noise));
    ops.scope(() => {
      const file = ops.writeTensor(tensorLike(x));
      expectWords(ops.readTensor(file), x);
      expect(ops.writeTensor(ops.readTensor(file))).toEqual(file);
    });
  });
});

test('writeTensor writes all elements of a lazy tensor', () => {
  holds(fc.tuple(anyExpandable, anyBroadcast, anyNoise), ([type, [dims, to], noise]) => {
    const x = randomWords(type, dims, generator(noise));
    ops.scope(() => expectWords(ops.readTensor(ops.writeTensor(ops.expand(tensorLike(x), to))), expand(x, to)));
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

test('a row repeated beyond the 16 KiB block is exact at every index', () => {
  ops.scope(() => {
    const row = ops.tensor(
      'int32',
      Array.from({ length: 1001 }, (_, i) => i * 65_537),
      [1001],
    );
    const { data } = ops.expand(row, [97, 1001]);
    const source = row.toArray();
    let wrong = 0;
    for (let i = 0; i < data.length; i++) if (data[i] !== source[i % 1001]) wrong++;
    expect([data.length, wrong]).toEqual([sizeOf([97, 1001]), 0]);
  });
});

test('a tensor of rank 40 expands as one of rank 2 does', () => {
  const ones: number[] = Array(38).fill(1);
  ops.scope(() => {
    const x = ops.tensor('uint16', [1, 2, 3], [3, ...ones, 1]);
    const y = ops.expand(x, [...ones, 4]);
    expect(y.dims).toEqual([3, ...ones, 4]);
    expect(wordsOf(y).words).toEqual([
      '0100',
      '0100',
      '0100',
      '0100',
      '0200',
      '0200',
      '0200',
      '0200',
      '0300',
      '0300',
      '0300',
      '0300',
    ]);
  });
});

test('the random tests above left no tensor and no byte behind', () => {
  expect(counters(ops)).toEqual({ liveTensors: 0, bytesInUse: 0 });
});
