// Numbers, bigints and booleans as operands, and lists of them.
import { expect, test } from '@jest/globals';
import { load, type OperatorInput } from 'broadloom';
import { expectRefusal } from './helpers/runtime.js';

const ops = await load({});
const x = ops.tensor('float32', [
  [1, 2, 3],
  [4, 5, 6],
]);

const told = (tensor: { type: string; toNested(): unknown }) => [tensor.type, tensor.toNested()];

test.each([
  ['float32', 1.5],
  ['float16', 0.5],
  ['bfloat16', 0.5],
  ['float64', 0.1],
  ['int8', -3],
  ['uint16', 7],
  ['int32', 2 ** 31 - 3],
  ['int64', -(2 ** 40)],
  ['uint64', 2 ** 40],
] as const)('beside %s, a number on either side is a scalar of that type', (type, number) => {
  const one = ops.tensor(type, [1, 2]);
  const scalar = ops.tensor(type, number as never);
  expect(told(ops.add(one as never, number))).toEqual(told(ops.add(one as never, scalar as never)));
  expect(told(ops.sub(number as never, one as never))).toEqual(told(ops.sub(scalar as never, one as never)));
});

test('a bigint has all digits beside int64 and uint64, and is exact beside other types', () => {
  expect(told(ops.add(ops.tensor('int64', [1n]), 2n ** 62n))).toEqual(['int64', [2n ** 62n + 1n]]);
  expect(told(ops.add(ops.tensor('uint64', [1n]), 2n ** 63n))).toEqual(['uint64', [2n ** 63n + 1n]]);
  expect(told(ops.add(x, 10n))).toEqual(told(ops.add(x, 10)));
});

test.each([
  ['int32', 1.5, '1.5, which int32 cannot hold'],
  ['int8', 300, '300, which int8 cannot hold'],
  ['uint8', -1, '-1, which uint8 cannot hold'],
  ['int32', Number.POSITIVE_INFINITY, 'Infinity, which int32 cannot hold'],
  ['int64', 2n ** 63n, '9223372036854775808, which int64 cannot hold'],
  ['int64', -(2n ** 63n) - 1n, '-9223372036854775809n, which no integer type holds'],
  ['uint64', -1n, '-1, which uint64 cannot hold'],
  ['float32', 2n ** 60n, '1152921504606846976, which float32 cannot hold'],
  ['float32', true, 'true, which float32 cannot hold'],
] as const)('beside %s, %p is refused with its value', (type, value, says) => {
  const one = ops.tensor(type, [1]);
  expectRefusal(ops, () => ops.add(one as never, value as never), {
    code: 'INVALID_ARGUMENT',
    says: ['input 1', says],
  });
});

test('a number beside strings is refused', () => {
  const one = ops.tensor('string', ['a']);
  expectRefusal(ops, () => ops.equal(one, 1 as never), {
    code: 'INVALID_ARGUMENT',
    says: ['1, which string cannot hold'],
  });
});

test('a number whose type nothing tells is refused, and float32 and int64 come first', () => {
  expect(told(ops.run('Add', [1, 2])[0] as never)).toEqual(['float32', 3]);
  expect(told(ops.run('Add', [1n, 2])[0] as never)).toEqual(['int64', 3n]);
  expect(told(ops.run('And', [true, false])[0] as never)).toEqual(['bool', false]);
  expectRefusal(ops, () => ops.run('QuantizeLinear', [x, 0.5, 128]), {
    code: 'INVALID_ARGUMENT',
    says: ["input 2 ('y_zero_point') is 128, which does not say its element type"],
  });
});

test('an operand of another type variable takes the type of the first operand, where its version allows that', () => {
  expect(told(ops.pow(ops.tensor('float64', [3]), 0.5))).toEqual(['float64', [Math.sqrt(3)]]);
  expect(told(ops.dequantizeLinear(ops.tensor('uint8', [3]), 0.5, 1))).toEqual(['float32', [1]]);
  expect(told(ops.oneHot(ops.tensor('int64', [1]), 2, ops.tensor('int8', [0, 1])))).toEqual(['int8', [[0, 1]]]);
});

test('a condition does not give its type to numbers', () => {
  const condition = ops.tensor('bool', [true, false]);
  const where = (...inputs: OperatorInput[]) => ops.run('Where', inputs)[0] as never;
  expect(told(where(condition, 1, 0))).toEqual(['float32', [1, 0]]);
  expect(told(where(condition, 2n, 3))).toEqual(['int64', [2n, 3n]]);
  expect(told(where(condition, true, false))).toEqual(['bool', [true, false]]);
  expect(told(where(true, 1, 2))).toEqual(['float32', 1]);
});

test('optional operands and those of variadic inputs may be numbers', () => {
  expect(told(ops.clip(x, 2, 5))).toEqual([
    'float32',
    [
      [2, 2, 3],
      [4, 5, 5],
    ],
  ]);
  expect(told(ops.clip(x, null, 2))).toEqual([
    'float32',
    [
      [1, 2, 2],
      [2, 2, 2],
    ],
  ]);
  expect(told(ops.max([x, 3]))).toEqual([
    'float32',
    [
      [3, 3, 3],
      [4, 5, 6],
    ],
  ]);
  expect(told(ops.pad(x, [0, 1, 0, 0], 9))).toEqual([
    'float32',
    [
      [9, 1, 2, 3],
      [9, 4, 5, 6],
    ],
  ]);
});

test('a list of booleans is a bool tensor with one axis', () => {
  expect(told(ops.where([true, false, true], x, 0))).toEqual([
    'float32',
    [
      [1, 0, 3],
      [4, 0, 6],
    ],
  ]);
  expect(told(ops.compress(x, [false, true], { axis: 0 }))).toEqual(['float32', [[4, 5, 6]]]);
  expectRefusal(ops, () => ops.where([true, 1] as never, x, 0), {
    code: 'INVALID_ARGUMENT',
    says: ['entry 1 is 1 in a list of booleans'],
  });
});

test('one axis or size needs no list', () => {
  expect(told(ops.reduceSum(x, 0))).toEqual(told(ops.reduceSum(x, [0])));
  expect(ops.unsqueeze(x, 0).dims).toEqual([1, 2, 3]);
  expect(ops.topK(x, 2)[0].dims).toEqual([2, 2]);
  expect(ops.reshape(x, -1).dims).toEqual([6]);
  expect(ops.constantOfShape(3).dims).toEqual([3]);
  expect(ops.slice(x, 1, 3, 1).dims).toEqual([2, 2]);
  expect(ops.reduceSum(x, undefined, { keepdims: false }).dims).toEqual([]);
  expect(told(ops.run('ReduceSum', [x], { axes: 1, keepdims: false }, { opset: 11 })[0] as never)).toEqual([
    'float32',
    [6, 15],
  ]);
  expect(told(ops.run('Unsqueeze', [x], { axes: 0n }, { opset: 11 })[0] as never)).toEqual([
    'float32',
    [
      [
        [1, 2, 3],
        [4, 5, 6],
      ],
    ],
  ]);
});

test('a number is a scalar where ONNX takes one index', () => {
  expect(told(ops.gather(x, 1))).toEqual(['float32', [4, 5, 6]]);
  expect(told(ops.trilu(x, 1))).toEqual([
    'float32',
    [
      [0, 2, 3],
      [0, 0, 6],
    ],
  ]);
  expect(told(ops.cumSum(x, 1))).toEqual([
    'float32',
    [
      [1, 3, 6],
      [4, 9, 15],
    ],
  ]);
});

test('lists of axes and sizes are written as such into a model of one node', () => {
  const files = ops.nodeModel('ReduceSum', [x, 0]);
  const axes = ops.readTensor(files['test_data_set_0/input_1.pb'] as Uint8Array);
  expect([axes.type, axes.dims]).toEqual(['int64', [1]]);
});

test('lists of int64 hold every int64', () => {
  const far = 2n ** 63n - 1n;
  expect(ops.slice(x, [0], [far]).dims).toEqual([2, 3]);
  expect(ops.slice(x, [1, 0], [far, 2]).dims).toEqual([1, 2]);
  expect(ops.slice(x, [0], BigInt64Array.of(far)).dims).toEqual([2, 3]);
  expect(ops.slice(x, [-1], [-(2n ** 63n)], [0], [-1]).dims).toEqual([2, 3]);
  for (const list of [[2n ** 63n], BigUint64Array.of(2n ** 63n), [1n, 0.5]])
    expectRefusal(ops, () => ops.slice(x, [0], list as never), {
      code: 'INVALID_ARGUMENT',
      says: ['which int64 cannot hold'],
    });
});

test('booleans are the numbers 0 and 1 of integer attributes, and no others', () => {
  expect(ops.reduceMax(x, 0, { keepdims: true }).dims).toEqual([1, 3]);
  expect(ops.reduceMax(x, 0, { keepdims: false }).dims).toEqual([3]);
  expectRefusal(ops, () => ops.run('LeakyRelu', [x], { alpha: true as never }), {
    code: 'INVALID_ARGUMENT',
    says: ["attribute 'alpha' is INT, wanted FLOAT"],
  });
});

test('a range of numbers has the named type, or that of its numbers', () => {
  expect(told(ops.range('int64', 0, 5, 2))).toEqual(['int64', [0n, 2n, 4n]]);
  expect(told(ops.range('float64', 0, 1, 0.5))).toEqual(['float64', [0, 0.5]]);
  expect(told(ops.range(0, 3, 1))).toEqual(['float32', [0, 1, 2]]);
  expect(told(ops.range(3n, 0n, -1n))).toEqual(['int64', [3n, 2n, 1n]]);
  expect(told(ops.range(0, ops.tensor('int32', 3), 1))).toEqual(['int32', [0, 1, 2]]);
  expect(told(ops.range(0n, 3, 1))).toEqual(['int64', [0n, 1n, 2n]]);
  expectRefusal(ops, () => ops.range('int64', 0, 5.5, 1), {
    code: 'INVALID_ARGUMENT',
    says: ["input 1 ('limit') is 5.5, which int64 cannot hold"],
  });
  expectRefusal(ops, () => ops.range('int46' as never, 0, 5, 1), { code: 'UNSUPPORTED_TYPE', says: ['"int46"'] });
});

test.each([
  ['float32', Float32Array.of(1, 2)],
  ['float64', Float64Array.of(1, 2)],
  ['int8', Int8Array.of(-1, 2)],
  ['uint8', Uint8Array.of(1, 2)],
  ['uint8', Uint8ClampedArray.of(1, 2)],
  ['int16', Int16Array.of(-1, 2)],
  ['uint16', Uint16Array.of(1, 2)],
  ['int32', Int32Array.of(-1, 2)],
  ['uint32', Uint32Array.of(1, 2)],
  ['int64', BigInt64Array.of(-1n, 2n)],
  ['uint64', BigUint64Array.of(1n, 2n ** 64n - 1n)],
] as const)('a typed array is a tensor with one axis: %s of %p', (type, array) => {
  const elements = Array.from(array as ArrayLike<unknown>);
  for (const name of ['Identity', 'Concat'])
    expect(told(ops.run(name, [array as never], name === 'Concat' ? { axis: 0 } : {})[0] as never)).toEqual([
      type,
      elements,
    ]);
  const zeros = ops.empty(type, [2]);
  expect(told(ops.run('Max', [zeros, array as never])[0] as never)[0]).toBe(type);
});

test('a typed array of integers is int64 where an operator takes indices or counts', () => {
  for (const array of [Int32Array.of(2, 6), Uint8Array.of(2, 6), BigUint64Array.of(2n, 6n), BigInt64Array.of(2n, 6n)])
    expect(ops.run('Expand', [ops.tensor('float32', [[1], [2]]), array as never])[0]?.dims).toEqual([2, 6]);
  expectRefusal(ops, () => ops.run('Expand', [x, BigUint64Array.of(2n ** 63n, 3n) as never]), {
    code: 'INVALID_ARGUMENT',
    says: ['int64 cannot hold'],
  });
  expectRefusal(ops, () => ops.run('Expand', [x, Float32Array.of(2, 3) as never]), {
    code: 'UNSUPPORTED_TYPE',
    says: ['float32'],
  });
});

test('typed arrays stand beside numbers, lists and each other, and have one axis', () => {
  expect(told(ops.run('Add', [x, Float32Array.of(1)])[0] as never)).toEqual([
    'float32',
    [
      [2, 3, 4],
      [5, 6, 7],
    ],
  ]);
  expect(told(ops.run('Add', [Int32Array.of(1, 2), 3])[0] as never)).toEqual(['int32', [4, 5]]);
  expect(told(ops.run('Mul', [Float64Array.of(1, 2), Float64Array.of(3, 4)])[0] as never)).toEqual(['float64', [3, 8]]);
  expect(told(ops.run('Gather', [Int16Array.of(7, 8), [1]])[0] as never)).toEqual(['int16', [8]]);
  expectRefusal(ops, () => ops.run('Add', [x, Float64Array.of(1)]), { code: 'INVALID_ARGUMENT', says: ['float64'] });
  expectRefusal(ops, () => ops.run('Add', [x, Int32Array.of(1)]), { code: 'INVALID_ARGUMENT', says: ['int32'] });
  expectRefusal(ops, () => ops.run('Add', [x, new DataView(new ArrayBuffer(4)) as never]), {
    code: 'INVALID_ARGUMENT',
    says: ['input 1', 'is DataView, wanted a tensor'],
  });
});

test.each([
  ['float32', 0.1, Math.fround(0.1)],
  ['int64', 7n, 7n],
  ['int64', 7, 7n],
  ['bool', true, true],
  ['string', 'a', 'a'],
  ['int4', -8, -8],
] as const)('with dims of no axes, one value is a scalar: %s of %p', (type, value, element) => {
  for (const dims of [[], new Int32Array(0)]) {
    const scalar = ops.tensor(type, value as never, dims);
    expect([[...scalar.dims], scalar.item()]).toEqual([[], element]);
  }
  expectRefusal(ops, () => ops.tensor(type, value as never, [2]), { code: 'INVALID_ARGUMENT', says: ['data is'] });
});

test('a range without a start begins at 0, and without a step it counts', () => {
  expect(told(ops.range(3))).toEqual(['float32', [0, 1, 2]]);
  expect(told(ops.range(3n))).toEqual(['int64', [0n, 1n, 2n]]);
  expect(told(ops.range('int16', 3))).toEqual(['int16', [0, 1, 2]]);
  expect(told(ops.range(ops.tensor('int32', 3)))).toEqual(['int32', [0, 1, 2]]);
  expect(told(ops.range(1, 3))).toEqual(['float32', [1, 2]]);
  expect(told(ops.range('float64', 1, 3, undefined, { opset: 11 }))).toEqual(['float64', [1, 2]]);
  expect(told(ops.range(1n, 3n, undefined, { stash_type: 1 }))).toEqual(['int64', [1n, 2n]]);
  expect(told(ops.range(-3))).toEqual(['float32', []]);
  for (const call of [
    () => ops.range(...([] as unknown as [number])),
    () => ops.range(...(['int64'] as unknown as [number])),
  ])
    expectRefusal(ops, call, { code: 'INVALID_ARGUMENT', says: ['no limit: range(5) goes from 0 to 4'] });
});

test('types are checked in each call, whatever calls came before', () => {
  const one = ops.tensor('float32', [1]);
  const half = ops.tensor('bfloat16', [1]);
  for (let i = 0; i < 3; i++) {
    expect(ops.expand(one, [2]).type).toBe('float32');
    expect(ops.expand(half, [2]).type).toBe('bfloat16');
    expectRefusal(ops, () => ops.expand(half as never, [2], { opset: 12 }), {
      code: 'UNSUPPORTED_TYPE',
      says: ["input 'input' cannot be bfloat16"],
    });
    expect(ops.add(one, one).type).toBe('float32');
    expectRefusal(ops, () => ops.add(one, half as never), { code: 'INVALID_ARGUMENT', says: ['bfloat16'] });
    expect(ops.run('Clip', [one, one])[0]?.type).toBe('float32');
    expectRefusal(ops, () => ops.run('Clip', [one, half]), { code: 'INVALID_ARGUMENT', says: ['bfloat16'] });
    expect(ops.run('Clip', [one, null, one])[0]?.type).toBe('float32');
    expectRefusal(ops, () => ops.run('Expand', [one]), { code: 'INVALID_ARGUMENT', says: ['2 inputs'] });
  }
});
