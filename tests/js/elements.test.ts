// Elements given as lists of values and as typed arrays.
import { expect, test } from '@jest/globals';
import { type DataType, load, type TensorLike } from 'broadloom';
import { expectRefusal, expectWords, sampleTensor, sampleWords } from './helpers/runtime.js';
import { type Data, dataLength, sampleDims, types } from './helpers/types.js';

const ops = await load({});

/** The elements that a list of values gives, as `data` has them. */
function encoded(type: DataType, values: readonly unknown[]): unknown[] {
  return ops.scope(() => {
    const count = type.startsWith('complex') ? values.length / 2 : values.length;
    return [...ops.tensor(type, [count], values as never).data];
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
        const ones = ops.tensor(name, [count], Array(count).fill(1) as never);
        expect(ones.data.length).toBe(Math.ceil((count * bits) / 8));
        expect(ones.unpack()).toEqual(Array(count).fill(1));
        const full = ops.tensor(name, [count], new Uint8Array(Math.ceil((count * bits) / 8)).fill(255) as never);
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

const tooLarge: [type: DataType, ...values: unknown[]][] = [
  ['int8', 128, -129, 0.5, Number.NaN, Infinity],
  ['uint8', 256, -1, 0.5],
  ['int16', 32768, -32769],
  ['uint16', 65536, -1],
  ['int32', 2147483648, -2147483649],
  ['uint32', 4294967296, -1],
  ['int64', 2 ** 53, 0.5, 2n ** 63n, -(2n ** 63n) - 1n],
  ['uint64', -1, -1n, 2n ** 64n, 2 ** 53],
  ['bool', 2, -1, 0.5, Number.NaN, 2n],
  ['int4', 8, -9, 0.5],
  ['uint4', 16, -1],
  ['int2', 2, -3],
  ['uint2', 4, -1],
  ['float32', 3.5e38, -1e300],
  ['float16', 65520, -70000],
  ['bfloat16', 3.4e38],
  ['float8e4m3fn', 480, Infinity],
  ['float8e4m3fnuz', 256, -Infinity],
  ['float8e5m2', 65536],
  ['float8e5m2fnuz', 65536, Infinity],
  ['float8e8m0', 3, 0, -1, Infinity, 2 ** 128],
  ['float4e2m1', 8, Number.NaN, Infinity],
  ['complex64', 1e39],
];

test.each(tooLarge.flatMap(([type, ...list]) => list.map((value) => [type, value] as const)))(
  'a %s element of %p is refused, with its place and value',
  (type, value) => {
    const fine = 1;
    const shown =
      typeof value === 'bigint'
        ? `${value}`
        : Number.isInteger(value) && Math.abs(value as number) <= 2 ** 53
          ? `${value}`
          : '';
    const list = type.startsWith('complex') ? [fine, value] : [fine, value];
    const dims = type.startsWith('complex') ? [1] : [2];
    expectRefusal(ops, () => ops.tensor(type, dims, list as never), {
      code: 'INVALID_ARGUMENT',
      says: ['element 1 is ', shown, `which ${type} cannot hold`],
    });
  },
);

const odd: [what: string, value: unknown][] = [
  ['a string', '1'],
  ['null', null],
  ['undefined', undefined],
  ['an object', {}],
  ['a list', [1]],
  ['a symbol', Symbol('s')],
];

test.each(odd)('%s is no element of a number type', (_what, value) => {
  for (const type of ['float32', 'int64', 'bool', 'int4', 'complex64'] as const) {
    const list = [1, value];
    expectRefusal(ops, () => ops.tensor(type, type === 'complex64' ? [1] : [2], list as never), {
      code: 'INVALID_ARGUMENT',
      says: ['element 1 is', `which ${type} cannot hold`],
    });
  }
});

test('a boolean is an element of bool only', () => {
  expectRefusal(ops, () => ops.tensor('int8', [1], [true] as never), {
    code: 'INVALID_ARGUMENT',
    says: ['element 0 is true, which int8 cannot hold'],
  });
});

test('a list with a hole is refused', () => {
  const holes = [1, 2, 3];
  delete holes[1];
  expectRefusal(ops, () => ops.tensor('int8', [3], holes), {
    code: 'INVALID_ARGUMENT',
    says: ['element 1 is undefined'],
  });
});

test('a bool array with another byte than 0 and 1 is refused', () => {
  expectRefusal(ops, () => ops.tensor('bool', [3], Uint8Array.of(0, 1, 2)), {
    code: 'INVALID_ARGUMENT',
    says: ['element 2 is 2, which bool cannot hold'],
  });
});

test.each(types)('$name data of a wrong length is refused, in arrays and in lists', ({ name, sample }) => {
  const wanted = dataLength(types.find((row) => row.name === name) as (typeof types)[number], 6);
  const short = sample.slice(0, wanted - 1);
  const says = (given: number, expected: number) => [
    `data has ${given} entries, but ${name} of dims [2, 3] has ${expected}`,
  ];
  expectRefusal(ops, () => ops.tensor(name, sampleDims, short as never), {
    code: 'INVALID_ARGUMENT',
    says: says(wanted - 1, wanted),
  });
  const values = name === 'string' ? Array(7).fill('a') : Array(13).fill(1);
  const listed = name.startsWith('complex') ? 12 : 6;
  expectRefusal(ops, () => ops.tensor(name, sampleDims, values as never), {
    code: 'INVALID_ARGUMENT',
    says: says(values.length, listed),
  });
  expectRefusal(ops, () => ops.tensor(name, sampleDims, [] as never), {
    code: 'INVALID_ARGUMENT',
    says: says(0, listed),
  });
});

const arrays = [
  Int8Array,
  Uint8Array,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
];

test.each(types)('$name elements in any other typed array are refused', ({ name, array }) => {
  for (const other of arrays.filter((candidate) => candidate !== (array as unknown))) {
    expectRefusal(ops, () => ops.tensor(name, [2], new other(2) as never), {
      code: 'INVALID_ARGUMENT',
      says: [`${name} elements are in a ${other.name}`],
    });
  }
  expectRefusal(ops, () => ops.tensor(name, [2], new DataView(new ArrayBuffer(8)) as never), {
    code: 'INVALID_ARGUMENT',
    says: ['DataView'],
  });
});

test.each([
  ['undefined', undefined],
  ['null', null],
  ['a number', 1],
  ['a string', 'ab'],
  ['an ArrayBuffer', new ArrayBuffer(8)],
  ['a Set', new Set([1])],
])('data that is %s is refused', (_what, data) => {
  expectRefusal(ops, () => ops.tensor('float32', [2], data as never), {
    code: 'INVALID_ARGUMENT',
    says: ['data is', 'wanted a Float32Array or a list of numbers'],
  });
  expectRefusal(ops, () => ops.tensor('string', [2], data as never), {
    code: 'INVALID_ARGUMENT',
    says: ['data is', 'wanted a list of strings'],
  });
});

test.each([
  ['negative', [2, -1], 'axis 1 is -1'],
  ['no integers', [1.5], 'entry 0 is 1.5'],
  ['NaN', [Number.NaN], 'entry 0 is NaN'],
  ['beyond 2^53', [2 ** 53], '9007199254740992'],
  ['of a product beyond 2^53', [2 ** 30, 2 ** 30], 'too many elements'],
  ['of such a product beside a zero', [2 ** 30, 2 ** 30, 0], 'too many elements'],
  ['strings', ['2'], 'entry 0 is "2", which is no number'],
  ['a number', 2, 'dims are 2'],
  ['a string', '2', 'dims are "2"'],
  ['undefined', undefined, 'dims are undefined'],
  ['null', null, 'dims are null'],
])('dims that are %s are refused by tensor and empty', (_what, dims, says) => {
  expectRefusal(ops, () => ops.tensor('int8', dims as never, []), { code: 'INVALID_ARGUMENT', says: [says] });
  expectRefusal(ops, () => ops.empty('int8', dims as never), { code: 'INVALID_ARGUMENT', says: [says] });
});

test.each(['float', 'Float32', '', 'toString', '__proto__', 7, undefined, null, {}])(
  'the type %p is refused with UNSUPPORTED_TYPE',
  (type) => {
    for (const make of [() => ops.tensor(type as 'int8', [1], [1]), () => ops.empty(type as 'int8', [1])]) {
      expectRefusal(ops, make, { code: 'UNSUPPORTED_TYPE', says: ['is no ONNX element type'] });
    }
  },
);

test.each(types)('empty makes a $name tensor of zeros or empty strings', ({ name }) => {
  ops.scope(() => {
    // Leave memory behind that is not zero: for strings, references to 8 bytes of text.
    for (const length of [1, 2, 3, 5, 10, 20])
      ops.tensor('uint32', [length], new Uint32Array(length).fill(0x108)).dispose();
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
