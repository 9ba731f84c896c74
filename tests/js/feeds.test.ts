// Values in the place of tensors: feeds of models, and values that simplify fixes, get the type and the dims that the model declares.
import { afterAll, expect, test } from '@jest/globals';
import { type DataType, type FeedLike, load } from 'broadloom';
import * as proto from '../../shared/onnx.js';
import { counters, errorOf, expectRefusal } from './helpers/runtime.js';

const ops = await load({});

type Dims = Parameters<typeof proto.value>[2];

/** A model that gives its input back. */
const fileOf = (type: DataType, dims?: Dims) =>
  proto.model({
    nodes: [{ op: 'Identity', inputs: ['x'], outputs: ['y'] }],
    inputs: [proto.value('x', type, dims)],
    outputs: [proto.value('y', type)],
  });

/** The tensor that a model makes of a feed. */
function fed(type: DataType, dims: Dims, value: FeedLike): unknown[] {
  const model = ops.loadModel(fileOf(type, dims));
  try {
    return ops.scope(() => {
      const { y } = model.run({ x: value }) as { y: { type: string; dims: readonly number[]; toNested(): unknown } };
      return [y.type, [...y.dims], y.toNested()];
    });
  } finally {
    model.dispose();
  }
}

const before = counters(ops);
afterAll(() => expect(counters(ops)).toEqual(before));

test.each([
  ['int64', 16000, 16000n],
  ['int64', 16000n, 16000n],
  ['int64', 2n ** 62n, 2n ** 62n],
  ['uint64', 2n ** 63n, 2n ** 63n],
  ['int32', 7n, 7],
  ['uint8', 255, 255],
  ['int4', -8, -8],
  ['float32', 0.5, 0.5],
  ['float64', 0.1, 0.1],
  ['float16', 1.5, 1.5],
  ['bfloat16', -2, -2],
  ['float32', 3n, 3],
  ['bool', true, true],
  ['bool', 1, true],
  ['string', 'a', 'a'],
  ['complex64', 2, [2, 0]],
] as const)('a single value is a scalar of the declared type: %s of %p', (type, value, element) => {
  expect(fed(type, [], value)).toEqual([type, [], element]);
});

test.each([
  ['int64', [1, 2n, 3], [1n, 2n, 3n]],
  ['uint64', [2n ** 63n, 1], [2n ** 63n, 1n]],
  ['uint8', [0, 255], [0, 255]],
  ['float16', [0.5, 2], [0.5, 2]],
  ['bool', [true, false], [true, false]],
  ['bool', [1, 0n], [true, false]],
  ['string', ['a', ''], ['a', '']],
  [
    'complex64',
    [
      [1, 2],
      [3, 4],
    ],
    [
      [1, 2],
      [3, 4],
    ],
  ],
  ['float32', [], []],
  ['string', [], []],
  ['int64', [], []],
  ['complex128', [], []],
] as const)('a list has the declared type: %s of %p', (type, value, elements) => {
  expect(fed(type, ['n'], value as FeedLike)).toEqual([type, [elements.length], elements]);
});

test.each([
  ['float32', Float32Array.of(1.5, 2), [1.5, 2]],
  ['float64', Float64Array.of(0.1), [0.1]],
  ['int64', BigInt64Array.of(-1n), [-1n]],
  ['int64', Int32Array.of(-1, 2), [-1n, 2n]],
  ['int64', BigUint64Array.of(7n), [7n]],
  ['uint64', BigInt64Array.of(7n), [7n]],
  ['int32', BigInt64Array.of(-7n), [-7]],
  ['int32', Uint8Array.of(200), [200]],
  ['uint8', Uint8ClampedArray.of(200), [200]],
  ['int8', Int16Array.of(-128, 127), [-128, 127]],
  ['bool', Uint8Array.of(1, 0), [true, false]],
  ['float16', Uint16Array.of(0x3c00), [1]],
  ['complex64', Float32Array.of(1, 2), [[1, 2]]],
] as const)('a typed array has the declared type: %s of %p', (type, value, elements) => {
  expect(fed(type, ['n'], value)).toEqual([type, [elements.length], elements]);
});

test('lists within lists have the dims of their levels, typed arrays among them, too', () => {
  expect(fed('float32', [null, null], [[1, 2, 3]])).toEqual(['float32', [1, 3], [[1, 2, 3]]]);
  expect(fed('int64', ['a', 'b'], [Int8Array.of(1, 2), Int8Array.of(3, 4)])).toEqual([
    'int64',
    [2, 2],
    [
      [1n, 2n],
      [3n, 4n],
    ],
  ]);
  expect(fed('string', undefined, [['a'], ['b']])).toEqual(['string', [2, 1], [['a'], ['b']]]);
});

test('one list and a typed array take the declared dims, where these leave one way to do so', () => {
  const six = Float32Array.of(1, 2, 3, 4, 5, 6);
  const dimsOf = (dims: Dims, value: FeedLike) => fed('float32', dims, value)[1];
  expect(dimsOf([2, 3], six)).toEqual([2, 3]);
  expect(dimsOf([1, 2, 3], [...six])).toEqual([1, 2, 3]);
  expect(dimsOf(['batch', 3], six)).toEqual([2, 3]);
  expect(dimsOf([3, null], six)).toEqual([3, 2]);
  expect(dimsOf(undefined, six)).toEqual([6]);
  expect(dimsOf([null, 'b', 6], six)).toEqual([1, 1, 6]);
  expect(dimsOf([], [5])).toEqual([]);
  expect(dimsOf([1], 5)).toEqual([1]);
  expect(dimsOf(['n', null], 5)).toEqual([1, 1]);
  expect(dimsOf(undefined, 5)).toEqual([]);
  expect(dimsOf(['n', 4], [])).toEqual([0, 4]);
  expect(fed('int4', [3], Uint8Array.of(0x21, 0x0f))).toEqual(['int4', [3], [1, 2, -1]]);
});

test.each([
  ['float32', ['a', 'b'], Float32Array.of(1, 2), '2 elements do not tell dims [a, b]'],
  ['float32', [2, 2], Float32Array.of(1, 2, 3), '3 elements cannot fill dims [2, 2]'],
  ['float32', ['n', 2], [1, 2, 3], '3 elements cannot fill dims [n, 2]'],
  ['float32', [3], 5, '1 element cannot fill dims [3]'],
  ['float32', [], [1, 2], '2 elements cannot fill dims []'],
  ['float32', [2], [1, 2, 3], 'dims [3], wanted [2]'],
  ['float32', [2], [[1, 2]], 'dims [1, 2], wanted [2]'],
  ['int4', ['n'], Uint8Array.of(1), 'packed bytes do not tell dims [n]'],
  ['int64', [], 1.5, 'element 0 is 1.5, which int64 cannot hold'],
  ['int64', [], 2 ** 53, 'numbers from 2^53 on may be rounded'],
  ['int64', ['n'], [1n, 2n ** 63n], '9223372036854776000, which int64 cannot hold'],
  ['uint64', [], -1n, 'element 0 is -1, which uint64 cannot hold'],
  ['uint8', ['n'], [1, 256], 'element 1 is 256, which uint8 cannot hold'],
  ['int8', ['n'], Int32Array.of(128), 'element 0 is 128, which int8 cannot hold'],
  ['float32', [], 2n ** 60n, 'element 0 is 1152921504606846976, which float32 cannot hold'],
  ['float32', ['n'], Float64Array.of(0.5), 'an array of float64, wanted float32'],
  ['float32', ['n'], Int32Array.of(1), 'an array of int32, wanted float32'],
  ['int32', ['n'], Float32Array.of(1), 'an array of float32, wanted int32'],
  ['bool', ['n'], Uint8Array.of(2), 'bool'],
  ['float32', [], true, 'booleans, wanted float32'],
  ['int64', [], '16000', 'strings, wanted int64'],
  ['string', [], 5, 'numbers, wanted string'],
  ['float16', [1, 'n'], [Uint16Array.of(1)], 'typed arrays in a list, which may be bits of float16'],
  ['int64', ['n'], [1, 'a'], 'element 1 is "a", among values that are each a number'],
  ['bool', ['n'], [true, 1], 'element 1 is 1, among values that are each a boolean'],
  ['float32', ['n'], [{}], 'element 0 is Object'],
  ['float32', ['n', 'm'], [[1, 2], [3]], 'wanted 2 entries'],
] as const)('refused for %s %j: %p', (type, dims, value, says) => {
  const model = ops.loadModel(fileOf(type, dims));
  const refusal = { code: 'INVALID_ARGUMENT', says: ["input 'x'", says] } as const;
  expectRefusal(ops, () => model.run({ x: value as FeedLike }), refusal);
  if (!says.startsWith('dims'))
    expectRefusal(ops, () => ops.simplify(fileOf(type, dims), { values: { x: value as FeedLike } }), refusal);
  model.dispose();
});

test('what is neither a tensor nor a value is refused, and so is a name that no input has', () => {
  const model = ops.loadModel(fileOf('float32', []));
  for (const value of [null, undefined, {}, () => {}, Symbol('a'), new DataView(new ArrayBuffer(4)), new Date(0)])
    expectRefusal(ops, () => model.run({ x: value as never }), {
      code: 'INVALID_ARGUMENT',
      says: ["input 'x' is ", 'wanted a tensor'],
    });
  expectRefusal(ops, () => model.run({ x: 1, z: 2 }), { code: 'INVALID_ARGUMENT', says: ["'z'"] });
  expectRefusal(ops, () => model.run({ x: [ops.presets] as never }), { code: 'INVALID_ARGUMENT', says: ["input 'x'"] });
  model.dispose();
});

test('an input with a default takes values of its type, and so do profile and bind', () => {
  const model = ops.loadModel(
    proto.model({
      nodes: [{ op: 'Add', inputs: ['x', 'w'], outputs: ['y'] }],
      inputs: [proto.value('x', 'float32', [1, 3]), proto.value('w', 'float32', [3])],
      initializers: [proto.tensor('float32', [3], Float32Array.of(1, 1, 1), 'w')],
      outputs: [proto.value('y', 'float32')],
    }),
  );
  ops.scope(() => {
    expect(model.run({ x: Float32Array.of(1, 2, 3) }).y?.toNested()).toEqual([[2, 3, 4]]);
    expect(model.run({ x: [1, 2, 3], w: [0, 0, 1] }).y?.toNested()).toEqual([[1, 2, 4]]);
    expect(model.profile({ x: [1, 2, 3] })).toHaveLength(1);
    const bound = model.bind({ x: Float32Array.of(1, 2, 3) });
    expect(bound.outputs.y?.toNested()).toEqual([[2, 3, 4]]);
    (bound.inputs.x.data as Float32Array).set([5, 5, 5]);
    bound.run();
    expect(bound.outputs.y?.toNested()).toEqual([[6, 6, 6]]);
    bound.dispose();
  });
  model.dispose();
});

test('a state that is fed as values is bound as one', () => {
  const model = ops.loadModel(
    proto.model({
      nodes: [
        { op: 'Add', inputs: ['x', 'state'], outputs: ['next'] },
        { op: 'Neg', inputs: ['next'], outputs: ['y'] },
      ],
      inputs: [proto.value('x', 'float32', []), proto.value('state', 'float32', [2])],
      outputs: [proto.value('next', 'float32'), proto.value('y', 'float32')],
    }),
  );
  const bound = model.bind({ x: 1, state: [0, 10] }, { states: { state: 'next' } });
  bound.run();
  expect(bound.outputs.y?.toNested()).toEqual([-1, -11]);
  bound.run();
  expect(bound.outputs.y?.toNested()).toEqual([-2, -12]);
  bound.dispose();
  model.dispose();
});

test('simplify fixes inputs by values, and verifies with them', () => {
  const file = proto.model({
    nodes: [{ op: 'Mul', inputs: ['x', 'rate'], outputs: ['y'] }],
    inputs: [proto.value('x', 'int64', ['n']), proto.value('rate', 'int64', [1])],
    outputs: [proto.value('y', 'int64')],
  });
  for (const rate of [16000, 16000n, [16000], BigInt64Array.of(16000n), Int32Array.of(16000)]) {
    const { bytes, report } = ops.simplify(file, { values: { rate }, verify: { feeds: { x: [1, 2] } } });
    expect(report.verified).toMatchObject({ ran: true, equal: true });
    const model = ops.loadModel(bytes);
    expect(model.inputs.map(({ name }) => name)).toEqual(['x']);
    ops.scope(() => expect(model.run({ x: [2n] }).y?.toNested()).toEqual([32000n]));
    model.dispose();
  }
});

test('sizes that are texts of numbers are refused', () => {
  const file = fileOf('float32', ['batch', 3]);
  for (const size of ['640', ' 640 ', '6.4e2', '0x280', ' ', ''])
    expect(errorOf(() => ops.simplify(file, { shapes: { x: [size, 3] } })).message).toContain(
      'wanted a number, a name',
    );
  for (const size of ['640', 640n, 1.5, -1])
    expect(errorOf(() => ops.simplify(file, { dims: { batch: size as never } })).message).toContain("dims: 'batch' is");
  expect(ops.simplify(file, { shapes: { x: ['h640', null] } }).report.after.nodes).toBe(1);
});
