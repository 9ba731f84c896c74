// Runs of models that are refused, because of their feeds or of a node. A failed run keeps nothing in memory.
import { expect, test } from '@jest/globals';
import { load, type Model } from 'broadloom';
import * as proto from '../../shared/onnx.js';
import { counters, errorOf, expectRefusal } from './helpers/runtime.js';

const ops = await load({});
const f32 = (dims: number[], ...data: number[]) => ({ type: 'float32' as const, dims, data });
const i64 = (...data: number[]) => ({ type: 'int64' as const, dims: [data.length], data });

const identity: Model = ops.loadModel(
  proto.model({
    nodes: [{ op: 'Identity', inputs: ['x'], outputs: ['y'] }],
    inputs: [proto.value('x', 'float32', [2, 'n', null]), proto.value('m', 'float32', ['n'])],
    outputs: [proto.value('y', 'float32')],
  }),
);
const m = f32([1], 0);

const badFeeds: [what: string, feeds: { [name: string]: unknown }, ...says: string[]][] = [
  ['nothing', {}, "input 'x' is missing, wanted float32 [2, n, ?]"],
  ['one input too few', { x: f32([2, 1, 1], 1, 2) }, "input 'm' is missing"],
  ['an unknown input', { x: f32([2, 1, 1], 1, 2), m, z: m }, "no input 'z'", "'x'", "'m'"],
  ['the name of an output', { x: f32([2, 1, 1], 1, 2), m, y: m }, "no input 'y'"],
  [
    'another element type',
    { x: { type: 'float64', dims: [2, 1, 1], data: [1, 2] }, m },
    "input 'x' is float64, wanted float32",
  ],
  ['a rank too low', { x: f32([2, 1], 1, 2), m }, "input 'x' has dims [2, 1], wanted [2, n, ?]"],
  ['a rank too high', { x: f32([2, 1, 1, 1], 1, 2), m }, "input 'x' has dims [2, 1, 1, 1], wanted [2, n, ?]"],
  ['another size', { x: f32([3, 1, 1], 1, 2, 3), m }, "input 'x' has dims [3, 1, 1], wanted [2, n, ?]"],
  ['a number', { x: 7, m }, "input 'x': 1 element cannot fill dims [2, n, ?]"],
  ['undefined', { x: undefined, m }, "input 'x' is undefined, wanted a tensor"],
  ['a list', { x: [1, 2, 3], m }, "input 'x': 3 elements cannot fill dims [2, n, ?]"],
  [
    'a tensor of a wrong length',
    { x: f32([2, 1, 1], 1), m },
    "input 'x': data has 1 entry, but float32 of dims [2, 1, 1] has 2",
  ],
  [
    'an element that its type cannot hold',
    { x: f32([2, 1, 1], 1, 2), m: { type: 'bool', dims: [1], data: new Uint8Array([2]) } },
    "input 'm': element 0 is 2, which bool cannot hold",
  ],
  [
    'elements in an array of another type',
    { x: f32([2, 1, 1], 1, 2), m: { type: 'float32', dims: [1], data: new Float64Array(1) } },
    "input 'm': float32 elements are in a Float64Array, wanted a Float32Array",
  ],
];

test.each(badFeeds)('a run that is fed %s is refused', (_what, feeds, ...says) => {
  expectRefusal(ops, () => identity.run(feeds as never), { code: 'INVALID_ARGUMENT', says });
});

test('a run with a disposed tensor as a feed is refused with DISPOSED', () => {
  const gone = ops.tensor('float32', [1, 2], [2, 1, 1]);
  gone.dispose();
  expectRefusal(ops, () => identity.run({ x: gone, m }), {
    code: 'DISPOSED',
    says: ["input 'x': ", 'float32 tensor of dims [2, 1, 1]'],
  });
});

test('an error of the getters of a feed is thrown as it is', () => {
  const own = new TypeError('no elements today');
  const feed = {
    ...f32([2, 1, 1]),
    get data(): number[] {
      throw own;
    },
  };
  expect(() => identity.run({ x: feed, m })).toThrow(own);
});

test('a run of a disposed model is refused with DISPOSED; disposing twice does nothing', () => {
  const before = counters(ops);
  const model = ops.loadModel(
    proto.model({ initializers: [proto.tensor('int8', [3], [1, 2, 3], 'w')], outputs: [proto.value('w', 'int8')] }),
  );
  expect(ops.memory().bytesInUse).toBeGreaterThan(before.bytesInUse);
  model.dispose();
  model.dispose();
  expect(counters(ops)).toEqual(before);
  expectRefusal(ops, () => model.run(), { code: 'DISPOSED', says: ['model'] });
});

const expanding: proto.ModelSpec = {
  nodes: [
    { op: 'Identity', inputs: ['x'], outputs: ['copy'] },
    { op: 'Expand', inputs: ['copy', 'to'], outputs: ['y'], name: 'stretch' },
    { op: 'ConstantOfShape', inputs: ['to'], outputs: ['z'] },
  ],
  inputs: [proto.value('x', 'float32'), proto.value('to', 'int64')],
  outputs: [proto.value('y', 'float32'), proto.value('z', 'float32')],
  opset: 13,
};

test('an error of a node in a run names the node, the operator, the version and the values', () => {
  const model = ops.loadModel(proto.model(expanding));
  const place = { code: 'INVALID_ARGUMENT' as const, operator: 'Expand', opset: 13, node: 'stretch' };
  expectRefusal(ops, () => model.run({ x: f32([3], 1, 2, 3), to: i64(4) }), {
    ...place,
    says: ["node 'stretch'", 'Expand-13: cannot broadcast [3] to [4]: axis 0 is 3, wanted 4'],
  });
  expectRefusal(ops, () => model.run({ x: f32([1], 1), to: i64(-4) }), { ...place, says: ['entry 0 is -4'] });
  expectRefusal(ops, () => model.run({ x: f32([1], 1), to: { type: 'int64', dims: [1, 1], data: [2] } }), {
    ...place,
    says: ['has dims [1, 1], wanted one axis'],
  });
  model.dispose();
});

test('a nameless node is called by its number in the errors of a run', () => {
  const model = ops.loadModel(
    proto.model({ ...expanding, nodes: expanding.nodes?.map(({ op, inputs, outputs }) => ({ op, inputs, outputs })) }),
  );
  expectRefusal(ops, () => model.run({ x: f32([3], 1, 2, 3), to: i64(4) }), {
    code: 'INVALID_ARGUMENT',
    node: '#1',
    says: ["node '#1'"],
  });
  model.dispose();
});

test('a run that fails keeps nothing, and the model runs afterwards', () => {
  const model = ops.loadModel(proto.model(expanding));
  const before = counters(ops);
  for (let i = 0; i < 100; i++) errorOf(() => model.run({ x: f32([3], 1, 2, 3), to: i64(4) }));
  expect(counters(ops)).toEqual(before);
  ops.scope(() => expect([...model.run({ x: f32([1], 5), to: i64(2) }).y.data]).toEqual([5, 5]));
  model.dispose();
});

test('a run that needs too much memory is refused with OUT_OF_MEMORY, and the model runs afterwards', async () => {
  const small = await load({ maximumMemory: 2 ** 21 });
  const model = small.loadModel(proto.model({ ...expanding, opset: 25 }));
  const x = small.tensor('float32', [5], [1]);
  const outputs = model.run({ x, to: i64(2 ** 22) });
  // Expand and ConstantOfShape are lazy: the run itself needs no memory for elements.
  expect(errorOf(() => outputs.y.data)).toMatchObject({ code: 'OUT_OF_MEMORY' });
  outputs.y.dispose();
  outputs.z.dispose();
  expect([...model.run({ x, to: i64(2) }).y.data]).toEqual([5, 5]);
});

test('feeds still belong to the caller after a run, and so do results', () => {
  const before = counters(ops);
  const model = ops.loadModel(proto.model(expanding));
  const x = ops.tensor('float32', [5], [1]);
  const { y, z } = model.run({ x, to: i64(3) });
  expect(counters(ops).liveTensors).toBe(before.liveTensors + 3);
  x.dispose();
  model.dispose();
  expect([...y.data, ...z.data]).toEqual([5, 5, 5, 0, 0, 0]);
  y.dispose();
  z.dispose();
  expect(counters(ops)).toEqual(before);
});

test('the results of a run belong to the scope around it', () => {
  const model = ops.loadModel(proto.model(expanding));
  const before = counters(ops);
  ops.scope(() => model.run({ x: f32([1], 5), to: i64(3) }).y.size);
  expect(counters(ops)).toEqual(before);
  model.dispose();
});
