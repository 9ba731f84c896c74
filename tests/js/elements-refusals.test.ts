// Elements, dims and types that are refused when a tensor is made.
import { test } from '@jest/globals';
import { type DataType, load } from 'broadloom';
import { expectRefusal } from './helpers/runtime.js';
import { dataLength, sampleDims, types } from './helpers/types.js';

const ops = await load({});

const tooLarge: [type: DataType, ...values: unknown[]][] = [
  ['int8', 128, -129, 0.5, Number.NaN, Infinity],
  ['uint8', 256, -1, 0.5],
  ['int16', 32768, -32769],
  ['uint16', 65536, -1],
  ['int32', 2147483648, -2147483649],
  ['uint32', 4294967296, -1],
  ['int64', 0.5, 2 ** 63, 2n ** 63n, -(2n ** 63n) - 1n],
  ['uint64', -1, -1n, 2n ** 64n, -(2 ** 60)],
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
    expectRefusal(ops, () => ops.tensor(type, list as never, dims), {
      code: 'INVALID_ARGUMENT',
      says: ['element 1 is ', shown, `which ${type} cannot hold`],
    });
  },
);

test.each<[string, number[] | (number | bigint)[]]>([
  ['int64', [1, 2 ** 53]],
  ['int64', [1n, -(2 ** 63)]],
  ['uint64', [1, 1e18]],
  ['uint64', [1n, 2 ** 63]],
])('a %s element from 2^53 on is wanted as a bigint: %p', (type, list) => {
  expectRefusal(ops, () => ops.tensor(type as 'int64', list as never, [2]), {
    code: 'INVALID_ARGUMENT',
    says: ['element 1 is ', ': numbers from 2^53 on may be rounded, wanted a bigint'],
  });
});

const odd: [what: string, value: unknown][] = [
  ['a string', '1'],
  ['null', null],
  ['undefined', undefined],
  ['an object', {}],
  ['a list', [1]],
  ['a symbol', Symbol('s')],
];

test.each(odd)('%s is not an element of a number type', (_what, value) => {
  for (const type of ['float32', 'int64', 'bool', 'int4', 'complex64'] as const) {
    const list = [1, value];
    expectRefusal(ops, () => ops.tensor(type, list as never, type === 'complex64' ? [1] : [2]), {
      code: 'INVALID_ARGUMENT',
      says: ['element 1 is', `which ${type} cannot hold`],
    });
  }
});

test('a boolean is accepted only for bool', () => {
  expectRefusal(ops, () => ops.tensor('int8', [true] as never, [1]), {
    code: 'INVALID_ARGUMENT',
    says: ['element 0 is true, which int8 cannot hold'],
  });
});

test('a sparse array is refused', () => {
  const holes = [1, 2, 3];
  delete holes[1];
  expectRefusal(ops, () => ops.tensor('int8', holes, [3]), {
    code: 'INVALID_ARGUMENT',
    says: ['element 1 is undefined'],
  });
});

test('a bool array with another byte than 0 and 1 is refused', () => {
  expectRefusal(ops, () => ops.tensor('bool', Uint8Array.of(0, 1, 2), [3]), {
    code: 'INVALID_ARGUMENT',
    says: ['element 2 is 2, which bool cannot hold'],
  });
});

test.each(types)('$name data of a wrong length is refused, in arrays and in lists', ({ name, sample }) => {
  const wanted = dataLength(types.find((row) => row.name === name) as (typeof types)[number], 6);
  const short = sample.slice(0, wanted - 1);
  const says = (given: number, expected: number) => [
    `data has ${given === 1 ? '1 entry' : `${given} entries`}, but ${name} of dims [2, 3] has ${expected}`,
  ];
  expectRefusal(ops, () => ops.tensor(name, short as never, sampleDims), {
    code: 'INVALID_ARGUMENT',
    says: says(wanted - 1, wanted),
  });
  const values = name === 'string' ? Array(7).fill('a') : Array(13).fill(1);
  const listed = name.startsWith('complex') ? 12 : 6;
  expectRefusal(ops, () => ops.tensor(name, values as never, sampleDims), {
    code: 'INVALID_ARGUMENT',
    says: says(values.length, listed),
  });
  expectRefusal(ops, () => ops.tensor(name, [] as never, sampleDims), {
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
    expectRefusal(ops, () => ops.tensor(name, new other(2) as never, [2]), {
      code: 'INVALID_ARGUMENT',
      says: [`${name} elements are in ${other.name.startsWith('I') ? 'an' : 'a'} ${other.name}`],
    });
  }
  expectRefusal(ops, () => ops.tensor(name, new DataView(new ArrayBuffer(8)) as never, [2]), {
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
  expectRefusal(ops, () => ops.tensor('float32', data as never, [2]), {
    code: 'INVALID_ARGUMENT',
    says: ['data is', 'wanted a Float32Array or a list of numbers'],
  });
  expectRefusal(ops, () => ops.tensor('string', data as never, [2]), {
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
  ['strings', ['2'], 'entry 0 is "2", which is not an integer below 2^53'],
  ['a number', 2, 'dims are 2'],
  ['a string', '2', 'dims are "2"'],
  ['null', null, 'dims are null'],
])('dims that are %s are refused by tensor and empty', (_what, dims, says) => {
  expectRefusal(ops, () => ops.tensor('int8', [], dims as never), { code: 'INVALID_ARGUMENT', says: [says] });
  expectRefusal(ops, () => ops.empty('int8', dims as never), { code: 'INVALID_ARGUMENT', says: [says] });
});

test.each(['float', 'Float32', '', 'toString', '__proto__', 7, undefined, null, {}])(
  'the type %p is refused with UNSUPPORTED_TYPE',
  (type) => {
    for (const make of [() => ops.tensor(type as 'int8', [1], [1]), () => ops.empty(type as 'int8', [1])]) {
      expectRefusal(ops, make, { code: 'UNSUPPORTED_TYPE', says: ['is not an ONNX element type'] });
    }
  },
);
