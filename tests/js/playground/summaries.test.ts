// Compares statistics, histograms and planes of large tensors with naive ones over every element.
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type DataType, load, type Tensor } from 'broadloom';
import { typeRow, typeRows } from '../../../web-demo/src/facts.js';
import { elementsOf } from '../../../web-demo/src/runtime/inspect.js';
import type { Summary } from '../../../web-demo/src/runtime/protocol.js';
import { summarize } from '../../../web-demo/src/runtime/summarize.js';
import { colourOf, pointsOf } from '../../../web-demo/src/views/heatmap.js';
import { showBytes, showCount, showNumber, showRate, showTime } from '../../../web-demo/src/views/units.js';

const ops = await load();
const wanted = (): boolean => true;
const realTypes = typeRows.filter(({ kind }) => kind !== 'string' && kind !== 'complex').map(({ name }) => name);

/** The elements as the numbers that the package reads. */
function numbersOf(tensor: Tensor): number[] {
  return tensor.type.endsWith('int64') ? Array.from(tensor.data as BigInt64Array, Number) : tensor.unpack();
}

/** All bit patterns of narrow types, or a sample for wide ones. Their number is odd, so that packed types have padding. */
function everyPattern(type: DataType): Tensor {
  const { bits } = typeRow(type);
  const size = type === 'bool' ? 5 : Math.max(2 ** Math.min(bits, 16), 256) + 1;
  const tensor = ops.empty(type, [size]);
  const { buffer, byteOffset, byteLength } = tensor.data as Uint8Array;
  const bytes = new Uint8Array(buffer, byteOffset, byteLength);
  for (let i = 0; i < bytes.length; i++) bytes[i] = bits === 16 ? (i % 2 === 0 ? i >> 1 : i >> 9) : (i * 37) & 255;
  if (type === 'bool') bytes.set([0, 1, 1, 0, 1]);
  else if (bits < 8) (bytes[bytes.length - 1] as number) &= 2 ** bits - 1;
  return tensor;
}

describe.each(realTypes)('%s', (type) => {
  const tensor = everyPattern(type);
  const numbers = numbersOf(tensor);
  const finite = numbers.filter(Number.isFinite);
  let summary: Summary | undefined;
  beforeAll(async () => {
    summary = await summarize(ops, tensor, [], wanted);
  });

  test('has the least, the greatest and the mean of its finite elements', () => {
    expect(summary?.least).toBe(Math.min(...finite.slice(0, 60000), ...finite.slice(60000)));
    expect(summary?.greatest).toBe(Math.max(...finite.slice(0, 60000), ...finite.slice(60000)));
    const mean = finite.reduce((sum, value) => sum + value, 0) / finite.length;
    expect(Math.abs((summary?.mean as number) - mean)).toBeLessThanOrEqual(Math.abs(mean) * 1e-9);
    expect(summary?.notFinite).toBe(numbers.length - finite.length);
    expect(summary?.zeros).toBe(numbers.filter((number) => number === 0).length);
  });

  test('has every finite element in one bin', () => {
    expect(summary?.histogram.reduce((sum, count) => sum + count, 0)).toBe(finite.length);
    expect(summary?.histogram[0]).toBeGreaterThan(0);
    expect(summary?.histogram.at(-1)).toBeGreaterThan(0);
  });

  test('shows windows of the elements that the package has there', () => {
    const { start, text } = elementsOf(ops, tensor, 3, 2);
    expect(start).toBe(3);
    const read = (word: string): number =>
      ({ True: 1, False: 0, nan: Number.NaN, inf: Infinity, '-inf': -Infinity })[word] ?? Number(word);
    const values = text.map(read);
    const again = typeRow(type).bits > 32 ? values : numbersOf(ops.tensor(type, values as never, [2]));
    expect(again).toEqual(numbers.slice(3, 5));
  });
});

test('strings and complex numbers have no summary', async () => {
  expect(await summarize(ops, ops.tensor('string', ['a'], [1]), [], wanted)).toBeUndefined();
  expect(await summarize(ops, ops.tensor('complex64', [1, 2], [1]), [], wanted)).toBeUndefined();
});

test('a tensor of many parts is read completely, unless the request is cancelled', async () => {
  const size = 2 ** 21 + 3;
  for (const tensor of [
    ops.constantOfShape([size], { value: ops.tensor('float32', [2], [1]) }),
    ops.constantOfShape([size], { value: ops.tensor('uint8', [2], [1]) }),
  ]) {
    const summary = await summarize(ops, tensor, [], wanted);
    expect(summary).toMatchObject({ least: 2, greatest: 2, mean: 2, notFinite: 0 });
    expect(summary?.histogram[0]).toBe(size);
  }
  const tensor = ops.constantOfShape([size]);
  let asked = 0;
  expect(await summarize(ops, tensor, [], () => asked++ === 0)).toBeUndefined();
  expect(asked).toBe(2);
});

test('a plane is the last two axes at the outer indices', async () => {
  const tensor = ops.tensor(
    'int16',
    Int16Array.from({ length: 24 }, (_, i) => i),
    [2, 3, 2, 2],
  );
  expect((await summarize(ops, tensor, [1, 2], wanted))?.plane).toEqual({
    rows: 2,
    columns: 2,
    values: new Float32Array([20, 21, 22, 23]),
  });
});

test('a large plane is thinned to 256 rows and columns of elements that are there', async () => {
  const tensor = ops.tensor(
    'int32',
    Int32Array.from({ length: 512 * 300 }, (_, i) => i),
    [512, 300],
  );
  const plane = (await summarize(ops, tensor, [], wanted))?.plane;
  expect(plane).toMatchObject({ rows: 256, columns: 256 });
  expect(plane?.values[0]).toBe(0);
  expect(plane?.values[256]).toBe(600);
  expect(plane?.values[255]).toBe(Math.floor((255 * 300) / 256));
});

test('a window past the end is empty, and one at the end is cut off there', () => {
  const tensor = ops.tensor('uint8', [1, 2, 3], [3]);
  expect(elementsOf(ops, tensor, 9, 4)).toEqual({ start: 3, text: [], bits: [] });
  expect(elementsOf(ops, tensor, 2, 4)).toEqual({ start: 2, text: ['3'], bits: [3] });
});

test('the heatmap is dark for the least, light for the greatest, and clear where nothing is finite', () => {
  expect([colourOf(0), colourOf(1)]).toEqual([
    [68, 1, 84],
    [253, 231, 37],
  ]);
  const plane = { rows: 1, columns: 3, values: new Float32Array([0, Number.NaN, 8]) };
  const points = pointsOf({
    least: 0,
    greatest: 8,
    leastText: '0',
    greatestText: '8',
    mean: 4,
    notFinite: 1,
    zeros: 1,
    histogram: [],
    plane,
  });
  expect([...points].filter((_, i) => i % 4 === 3)).toEqual([255, 0, 255]);
});

test('quantities have readable units', () => {
  expect([0, 12, 1500, 4e9].map(showBytes)).toEqual(['0 B', '12 B', '1.5 kB', '4 GB']);
  expect([0, 0.41, 12.34, 12345, 2.5e6].map(showTime)).toEqual(['0 µs', '410 ns', '12.3 µs', '12.3 ms', '2.5 s']);
  expect(showRate(4e6, 1000)).toBe('4 GB/s');
  expect(showCount(1234567)).toBe('1\u202f234\u202f567');
  expect([3, 0.1 + 0.2, 1e20].map(showNumber)).toEqual(['3', '0.3', '100000000000000000000']);
});

test('the least and greatest element are exact, even if a number would be rounded', async () => {
  const big = 2n ** 53n;
  const tensor = ops.tensor('int64', [big + 2n, big + 1n, big + 3n, -big - 1n, -big], [5]);
  const summary = await summarize(ops, tensor, [], wanted);
  expect(summary).toMatchObject({ leastText: '-9007199254740993', greatestText: '9007199254740995' });
  const one = await summarize(ops, ops.tensor('uint64', [big + 1n], [1]), [], wanted);
  expect(one).toMatchObject({ leastText: '9007199254740993', greatestText: '9007199254740993' });
});
