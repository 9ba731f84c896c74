// Elements given as lists of values and as typed arrays.
import { expect, test } from '@jest/globals';
import { type DataType, load, type TensorLike } from 'broadloom';
import { expectWords, sampleTensor, sampleWords } from './helpers/runtime.js';
import { type Data, dataLength, types } from './helpers/types.js';

const ops = await load({});

/** The elements of a tensor made from a list of values, in the form of `data`. */
function encoded(type: DataType, values: readonly unknown[]): unknown[] {
  return ops.scope(() => {
    const count = type.startsWith('complex') ? values.length / 2 : values.length;
    return [...ops.tensor(type, values as never, [count]).data];
  });
}

const hex = (list: readonly unknown[]): string[] => list.map((value) => (value as number).toString(16));

test.each(types)(
  '$name elements are taken as the array that data is, and data is that array',
  ({ name, sample, array }) => {
    ops.scope(() => {
      const tensor = sampleTensor(ops, name);
      expectWords(tensor, sampleWords(name));
      expect(Object.prototype.toString.call(tensor.data)).toBe(
        array === undefined ? '[object Array]' : `[object ${array.name}]`,
      );
      expect(tensor.data).not.toBe(sample);
      expect([tensor.type, tensor.dims, tensor.size]).toEqual([name, [2, 3], 6]);
    });
  },
);

const values: [type: DataType, values: unknown[], data: unknown[]][] = [
  [
    'float32',
    [1, 0.1, -0, 1e-50, Infinity, 3.4028235e38],
    [1, Math.fround(0.1), -0, 0, Infinity, 3.4028234663852886e38],
  ],
  ['float64', [1, 0.1, -0, -Infinity], [1, 0.1, -0, -Infinity]],
  ['int8', [-128, 127, -0], [-128, 127, 0]],
  ['uint8', [0, 255], [0, 255]],
  ['int16', [-32768, 32767], [-32768, 32767]],
  ['uint16', [0, 65535], [0, 65535]],
  ['int32', [-2147483648, 2147483647], [-2147483648, 2147483647]],
  ['uint32', [0, 4294967295], [0, 4294967295]],
  ['int64', [-5, 9007199254740991], [-5n, 9007199254740991n]],
  ['int64', [-(2n ** 63n), 7, 2n ** 63n - 1n], [-(2n ** 63n), 7n, 2n ** 63n - 1n]],
  ['uint64', [0, 9007199254740991], [0n, 9007199254740991n]],
  ['uint64', [2n ** 64n - 1n, 3], [2n ** 64n - 1n, 3n]],
  ['int32', [7n], [7]],
  ['bool', [true, false, 1, 0], [1, 0, 1, 0]],
  ['string', ['', 'a'], ['', 'a']],
  ['complex64', [1, -0, 0.1, 2], [1, -0, Math.fround(0.1), 2]],
  ['complex128', [1, -0, 0.1, 2], [1, -0, 0.1, 2]],
  ['int4', [-8, 7, -1], [0x78, 0x0f]],
  ['uint4', [15, 1, 9], [0x1f, 0x09]],
  ['int2', [-2, -1, 0, 1, -1], [0b01_00_11_10, 0b11]],
  ['uint2', [0, 1, 2, 3, 2], [0b11_10_01_00, 0b10]],
  ['float4e2m1', [0.5, -6, 1.5], [0xf1, 0x03]],
];

test.each(values)('a list of %s values is taken value by value: %p', (type, list, data) => {
  expect(encoded(type, list)).toEqual(data);
});

test.each(types.filter(({ bits }) => bits > 0 && bits < 8))(
  'odd counts of $name end in a byte padded with zeros, from lists and from arrays',
  ({ name, bits }) => {
    for (let count = 0; count <= 9; count++) {
      ops.scope(() => {
        const ones = ops.tensor(name, Array(count).fill(1) as never, [count]);
        expect(ones.data.length).toBe(Math.ceil((count * bits) / 8));
        expect(ones.unpack()).toEqual(Array(count).fill(1));
        const full = ops.tensor(name, new Uint8Array(Math.ceil((count * bits) / 8)).fill(255) as never, [count]);
        const used = (count * bits) % 8;
        if (used > 0) expect(full.data[full.data.length - 1]).toBe(2 ** used - 1);
      });
    }
  },
);

test('float16 lists round to nearest, ties to even, with subnormals, infinities and NaN', () => {
  const list = [
    1,
    -2,
    65504,
    65519.99,
    2 ** -24,
    2 ** -25,
    2 ** -25 * 1.0001,
    2049,
    2051,
    0.1,
    -0,
    Infinity,
    -Infinity,
    Number.NaN,
    2 ** -14,
  ];
  expect(hex(encoded('float16', list))).toEqual([
    '3c00',
    'c000',
    '7bff',
    '7bff',
    '1',
    '0',
    '1',
    '6800',
    '6802',
    '2e66',
    '8000',
    '7c00',
    'fc00',
    '7e00',
    '400',
  ]);
});

test('bfloat16 lists round to nearest, ties to even', () => {
  expect(
    hex(encoded('bfloat16', [1, -2, 1 + 2 ** -8, 1 + 3 * 2 ** -8, 0.1, Infinity, Number.NaN, 3.3895313892515355e38])),
  ).toEqual(['3f80', 'c000', '3f80', '3f82', '3dcd', '7f80', '7fc0', '7f7f']);
});

test.each([
  ['float8e4m3fn', [1, 448, -448, 2 ** -9, 0.1, Number.NaN, -0, 17], ['38', '7e', 'fe', '1', '1d', '7f', '80', '58']],
  ['float8e4m3fnuz', [1, 240, 2 ** -10, Number.NaN, -0], ['40', '7f', '1', '80', '0']],
  ['float8e5m2', [1, 57344, 2 ** -16, Infinity, Number.NaN, -0], ['3c', '7b', '1', '7c', '7e', '80']],
  ['float8e5m2fnuz', [1, 57344, 2 ** -17, Number.NaN, -0], ['40', '7f', '1', '80', '0']],
  ['float8e8m0', [1, 2, 2 ** -127, 2 ** 127, Number.NaN], ['7f', '80', '0', 'fe', 'ff']],
] as [DataType, number[], string[]][])('%s lists give the bits of the nearest value', (type, list, bits) => {
  expect(hex(encoded(type, list))).toEqual(bits);
});

test.each(types)('empty makes a $name tensor of zeros or empty strings', ({ name }) => {
  ops.scope(() => {
    // Leaves non-zero bytes in freed memory: for strings, references to 8 bytes of text.
    for (const length of [1, 2, 3, 5, 10, 20])
      ops.tensor('uint32', new Uint32Array(length).fill(0x108), [length]).dispose();
    const tensor = ops.empty(name, [5]);
    expect([...(tensor.data as Iterable<unknown>)].every((value) => value === '' || Number(value) === 0)).toBe(true);
    expect((tensor.data as Data).length).toBe(
      dataLength(types.find((row) => row.name === name) as (typeof types)[number], 5),
    );
  });
});

test('a TensorLike may be any object with type, dims and data, with getters and frozen', () => {
  const foreign: TensorLike<'float32'> = Object.freeze({
    get type() {
      return 'float32' as const;
    },
    dims: Object.freeze([2, 1]),
    data: Object.freeze([1, 2]) as readonly number[],
    location: 'cpu',
  });
  ops.scope(() => expect([...ops.expand(foreign, [2, 2]).data]).toEqual([1, 1, 2, 2]));
});
