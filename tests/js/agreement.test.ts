// Comparison of tensors (shared/agreement.js).
import { expect, test } from '@jest/globals';
import { load } from 'broadloom';
import { difference, officialTolerance, runnerTolerance } from '../../shared/agreement.js';

const ops = await load();
const f32 = (dims: number[], ...data: number[]) => ops.tensor('float32', data, dims);

test('types and dims must be equal', () => {
  expect(difference(f32([2], 1, 2), f32([1, 2], 1, 2))).toBe('is float32 [2], wanted float32 [1, 2]');
  expect(difference(f32([1], 1), ops.tensor('float64', [1], [1]), runnerTolerance)).toMatch(/^is float32/);
});

test('a difference has the first element that differs and the number of such elements', () => {
  const wanted = f32([2, 1, 2], 1, 2, 3, 4);
  expect(difference(f32([2, 1, 2], 1, 2, 5, 5), wanted)).toBe('is 5 at [1, 0, 0], wanted 3 (2 of 4 elements differ)');
  expect(difference(f32([], 1), f32([], 2))).toBe('is 1, wanted 2 (1 of 1 elements differ)');
  expect(difference(f32([0]), f32([0]))).toBeUndefined();
});

test('without a tolerance every bit counts, except that NaN equals NaN', () => {
  expect(difference(f32([1], 0), f32([1], -0))).toBe('is 0 at [0], wanted -0 (1 of 1 elements differ)');
  expect(difference(f32([1], Number.NaN), f32([1], Number.NaN))).toBeUndefined();
  expect(difference(f32([1], 1 + 2 ** -23), f32([1], 1))).toBeDefined();
});

test('tolerances work as in NumPy, for floats and complex numbers', () => {
  const tolerance = { rtol: 0.1, atol: 0.5 };
  const agree = (found: number, wanted: number) => difference(f32([], found), f32([], wanted), tolerance) === undefined;
  expect([agree(11.5, 10), agree(11.6, 10), agree(0.5, 0), agree(0, -0)]).toEqual([true, false, true, true]);
  expect([agree(1e38, Infinity), agree(-Infinity, Infinity), agree(Infinity, Infinity)]).toEqual([false, false, true]);
  expect([agree(Number.NaN, 1), agree(1, Number.NaN), agree(Number.NaN, Number.NaN)]).toEqual([false, false, true]);
  const half = (value: number) => ops.tensor('float16', [value], []);
  expect(difference(half(1.5), half(1), tolerance)).toBeUndefined();
  expect(difference(half(2), half(1), tolerance)).toBe('is 2, wanted 1 (1 of 1 elements differ)');
  const complex = (re: number, im: number) => ops.tensor('complex64', [re, im], [1]);
  expect(difference(complex(3.5, 4.7), complex(3, 4), tolerance)).toBeUndefined();
  expect(difference(complex(3, -1), complex(3, 4), tolerance)).toBe(
    'is 3-1j at [0], wanted 3+4j (1 of 1 elements differ)',
  );
});

test('integers, booleans and strings have no tolerance', () => {
  const tolerance = { rtol: 1, atol: 100 };
  expect(difference(ops.tensor('int32', [1], []), ops.tensor('int32', [2], []), tolerance)).toMatch(/^is 1, wanted 2/);
  expect(difference(ops.tensor('int4', [1, 2], [2]), ops.tensor('int4', [1, -2], [2]), tolerance)).toMatch(
    /^is 2 at \[1\]/,
  );
  expect(difference(ops.tensor('string', ['a'], []), ops.tensor('string', ['b'], []), tolerance)).toMatch(/^is "a"/);
  const large = { type: 'int64', dims: [1], data: [7] }; // as JSON has it
  expect(difference(ops.tensor('int64', [7n], [1]), large)).toBeUndefined();
});

test('official data may differ by 5 units of the largest element', () => {
  const wanted = f32([2], 1, 2 ** -10);
  const moved = (units: number) => f32([2], 1, 2 ** -10 + units * 2 ** -23);
  expect(difference(moved(5), wanted, officialTolerance(wanted))).toBeUndefined();
  expect(difference(moved(6), wanted, officialTolerance(wanted))).toBeDefined();
  expect(difference(moved(400), wanted, officialTolerance(wanted, 'test_hannwindow'))).toBeUndefined();
});

test('official data of float16 may differ by 5 units if its values are known, and must agree in every bit otherwise', () => {
  const half = (bits: number) => ({
    type: 'float16',
    dims: [1],
    data: [bits],
    unpack: () => [1 + (bits - 0x3c00) / 1024],
  });
  const bitsAlone = (bits: number) => ({ type: 'float16', dims: [1], data: [bits] });
  const one = half(0x3c00);
  expect(difference(half(0x3c05), one, officialTolerance(one))).toBeUndefined();
  expect(difference(half(0x3c06), one, officialTolerance(one))).toBeDefined();
  expect(difference(bitsAlone(0x3c01), bitsAlone(0x3c00), officialTolerance(bitsAlone(0x3c00)))).toBeDefined();
});
