// Elements that the playground generates: random ones, and ranges.
import { expect, test } from '@jest/globals';
import { type DataType, dataTypes, load } from 'broadloom';
import type { TypeRow } from '../../../web-demo/src/facts.js';
import { generate } from '../../../web-demo/src/values/generate.js';
import { wordsOf } from '../helpers/reference.js';
import { errorOf } from '../helpers/runtime.js';

const ops = await load();
const rowOf = (type: DataType): TypeRow => dataTypes.find(({ name }) => name === type) as TypeRow;

/** All values of a tensor with the generated elements. */
function made(type: DataType, values: Parameters<typeof generate>[0], size = 200): unknown[] {
  return ops.scope(() => {
    const tensor = ops.tensor(type, generate(values, rowOf(type), size) as never, [size]);
    const { kind, bits } = rowOf(type);
    return kind === 'mini_float' || bits < 8 ? tensor.unpack() : [...(tensor.data as Iterable<unknown>)];
  });
}

const random = (type: DataType, seed: number) => made(type, { kind: 'random', seed });

test.each(dataTypes)('random $name elements are the same for the same seed, and others for another', ({ name }) => {
  expect(random(name, 7)).toEqual(random(name, 7));
  expect(random(name, 8)).not.toEqual(random(name, 7));
});

test.each(dataTypes.filter(({ kind, name }) => /float|complex/.test(kind) && name !== 'float8e8m0'))(
  'random $name elements are at least 0 and below 1',
  ({ name, kind }) => {
    const values = random(name, 1) as number[];
    expect(values.length).toBe(kind === 'complex' ? 400 : 200);
    expect(values.every((value) => value >= 0 && value < 1)).toBe(true);
    expect(new Set(values).size).toBeGreaterThan(1);
  },
);

test.each([
  ['uint8', 0, 9],
  ['int8', -9, 9],
  ['uint64', 0, 9],
  ['int64', -9, 9],
  ['uint32', 0, 9],
  ['int4', -8, 7],
  ['uint4', 0, 9],
  ['int2', -2, 1],
  ['uint2', 0, 3],
  ['bool', 0, 1],
] as const)('random %s elements are from %d to %d', (type, least, greatest) => {
  const values = random(type, 3).map(Number);
  expect([Math.min(...values), Math.max(...values)]).toEqual([least, greatest]);
});

test('random float8e8m0 elements, which can only be powers of two, are 1 or 2', () => {
  expect(new Set(random('float8e8m0', 3))).toEqual(new Set([1, 2]));
});

test('random strings are letters', () => {
  expect((random('string', 3) as string[]).every((word) => /^[a-z]$/.test(word))).toBe(true);
});

test.each(dataTypes)('a range of $name equals a list of its values', ({ name, kind }) => {
  const steps = Array.from({ length: 3 }, (_, i) => 0 + i * (kind === 'boolean' ? 0 : 0.5) * 2);
  const list =
    kind === 'string' ? steps.map(String) : kind === 'complex' ? steps.flatMap((value) => [value, 0]) : steps;
  const step = kind === 'boolean' ? 0 : 1;
  const range = { kind: 'range', start: 0, step } as const;
  if (name === 'int2') return expect(() => made(name, range, 3)).toThrow('element 2 is 2');
  if (name === 'float8e8m0') return expect(() => made(name, range, 3)).toThrow('element 0 is 0');
  ops.scope(() => {
    const made = ops.tensor(name, generate(range, rowOf(name), 3) as never, [3]);
    expect(wordsOf(made)).toEqual(wordsOf(ops.tensor(name, list as never, [3])));
  });
});

test('ranges may go down, repeat one value, or be empty', () => {
  expect(made('int64', { kind: 'range', start: 1, step: -2 }, 3)).toEqual([1n, -1n, -3n]);
  expect(made('float32', { kind: 'range', start: -0, step: 0 }, 2)).toEqual([-0, -0]);
  expect(made('float64', { kind: 'range', start: 0.5, step: 0.1 }, 3)).toEqual([0.5, 0.5 + 0.1, 0.5 + 2 * 0.1]);
  expect(made('uint32', { kind: 'range', start: 4294967295, step: 0 }, 1)).toEqual([4294967295]);
  expect(made('uint64', { kind: 'range', start: 2 ** 40, step: 1 }, 2)).toEqual([2n ** 40n, 2n ** 40n + 1n]);
  expect(made('int8', { kind: 'range', start: 5, step: 1 }, 0)).toEqual([]);
});

test.each([
  ['uint8', 250, 1, 'element 6 is 256'],
  ['int8', -127, -1, 'element 2 is -129'],
  ['int32', 0, 0.5, 'element 1 is 0.5'],
  ['uint64', 1, -1, 'element 2 is -1'],
  ['int64', 2 ** 70, 0, 'element 0 is'],
  ['float32', 3e38, 3e38, 'element 1 is'],
  ['bool', 0, 1, 'element 2 is 2'],
  ['uint4', 0, 1, 'element 16 is 16'],
] as const)('a range of %s from %d in steps of %d is refused by the library', (type, start, step, says) => {
  expect(errorOf(() => made(type, { kind: 'range', start, step }, 20)).message).toContain(says);
});

test('more elements than the page has memory for are refused', () => {
  const values = { kind: 'random', seed: 1 } as const;
  expect(() => generate(values, rowOf('float32'), 2 ** 40)).toThrow('elements are too many');
  expect(() => generate(values, rowOf('float16'), 2 ** 27)).toThrow('elements are too many');
});
