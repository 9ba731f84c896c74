// Models: their descriptions, how they bind inputs, and their results.
import { expect, test } from '@jest/globals';
import { load, type Tensor } from 'broadloom';
import * as proto from '../../shared/onnx.js';
import { f32, identity, results } from './helpers/models.js';
import { tensorLike } from './helpers/reference.js';
import { counters, errorOf, expectWords, sampleTensor, sampleWords } from './helpers/runtime.js';
import { types } from './helpers/types.js';

const ops = await load({});

test('a model describes its inputs and outputs: name, type, sizes, names of sizes, unknown sizes, unknown rank', () => {
  const model = ops.loadModel(
    proto.model({
      nodes: [{ op: 'Expand', inputs: ['x', 'to'], outputs: ['y'] }],
      inputs: [proto.value('x', 'bfloat16', [3, 'batch', null, 0]), proto.value('to', 'int64')],
      outputs: [proto.value('y', 'bfloat16', ['n', null, 4]), proto.value('x', 'bfloat16', [])],
    }),
  );
  expect(model.inputs).toEqual([
    { name: 'x', type: 'bfloat16', dims: [3, 'batch', null, 0] },
    { name: 'to', type: 'int64', dims: null },
  ]);
  expect(model.outputs).toEqual([
    { name: 'y', type: 'bfloat16', dims: ['n', null, 4] },
    { name: 'x', type: 'bfloat16', dims: [] },
  ]);
  model.dispose();
});

test('opset is the imported opset of the default domain, or null', () => {
  const opsetOf = (opset: proto.ModelSpec['opset']) => {
    const model = ops.loadModel(proto.model({ opset, inputs: [proto.value('x', 'bool')] }));
    model.dispose();
    return model.opset;
  };
  expect(opsetOf(7)).toBe(7);
  expect(
    opsetOf([
      ['other', 3],
      ['ai.onnx', 24],
    ]),
  ).toBe(24);
  expect(opsetOf([['other', 3]])).toBeNull();
});

test('an output without a declared type gets the type that its node gives', () => {
  const outputs = [proto.concat(proto.bytes(1, 'y'))];
  const model = ops.loadModel(
    proto.model({
      nodes: [{ op: 'Shape', inputs: ['x'], outputs: ['y'] }],
      inputs: [proto.value('x', 'bool')],
      outputs,
    }),
  );
  expect(model.outputs).toEqual([{ name: 'y', type: 'int64', dims: null }]);
  model.dispose();
});

test('a model runs a shape subgraph: Shape, Constant, ConstantOfShape, Expand, Identity', () => {
  const spec: proto.ModelSpec = {
    nodes: [
      { op: 'Shape', inputs: ['x'], outputs: ['dims'], attributes: [proto.attribute.int('end', 1)] },
      {
        op: 'ConstantOfShape',
        inputs: ['dims'],
        outputs: ['sevens'],
        attributes: [proto.attribute.tensor('value', proto.tensor('float32', [1], [7]))],
      },
      { op: 'Constant', outputs: ['wide'], attributes: [proto.attribute.ints('value_ints', [2, 1])] },
      { op: 'Expand', inputs: ['sevens', 'wide'], outputs: ['y'] },
      { op: 'Identity', inputs: ['y'], outputs: ['z'] },
    ],
    inputs: [proto.value('x', 'string', ['n', null])],
    outputs: [proto.value('z', 'float32'), proto.value('dims', 'int64'), proto.value('wide', 'int64')],
  };
  expect(results(ops, spec, { x: { type: 'string', dims: [3, 1], data: ['a', 'b', 'c'] } })).toEqual({
    z: [7, 7, 7, 7, 7, 7],
    dims: [3n],
    wide: [2n, 1n],
  });
});

test('a model runs repeatedly, each time with new results', () => {
  const before = counters(ops);
  const model = ops.loadModel(proto.model(identity));
  const first = model.run({ x: f32([2], 1, 2) }).y as Tensor<'float32'>;
  const second = model.run({ x: f32([1], 3) }).y as Tensor<'float32'>;
  first.data[0] = 9;
  expect([...first.data, ...second.data]).toEqual([9, 2, 3]);
  model.dispose();
  expect([...first.data, ...second.data]).toEqual([9, 2, 3]);
  first.dispose();
  second.dispose();
  expect(counters(ops)).toEqual(before);
});

test.each(types)('a model passes a $name input through, bit for bit', ({ name }) => {
  ops.scope(() => {
    const model = ops.loadModel(
      proto.model({ ...identity, inputs: [proto.value('x', name)], outputs: [proto.value('y', name)] }),
    );
    expectWords(model.run({ x: sampleTensor(ops, name) }).y, sampleWords(name));
    expectWords(model.run({ x: tensorLike(sampleWords(name)) }).y, sampleWords(name));
    model.dispose();
  });
});

test('writing into a result changes neither the feed, nor the initializer, nor another output, nor the next run', () => {
  const model = ops.loadModel(
    proto.model({
      nodes: [
        { op: 'Identity', inputs: ['w'], outputs: ['y'] },
        { op: 'Constant', outputs: ['c'], attributes: [proto.attribute.ints('value_ints', [5])] },
      ],
      inputs: [proto.value('x', 'float32')],
      initializers: [proto.tensor('float32', [1], [1], 'w')],
      outputs: ['w', 'x', 'y'].map((name) => proto.value(name, 'float32')).concat([proto.value('c', 'int64')]),
    }),
  );
  ops.scope(() => {
    const x = ops.tensor('float32', [2], [1]);
    for (let round = 0; round < 2; round++) {
      const outputs = model.run({ x });
      const read = () => ['w', 'x', 'y', 'c'].map((name) => Number(outputs[name].data[0]));
      expect(read()).toEqual([1, 2, 1, 5]);
      (outputs.w.data as Float32Array)[0] = 10;
      (outputs.x.data as Float32Array)[0] = 20;
      expect(read()).toEqual([10, 20, 1, 5]);
      (outputs.c.data as BigInt64Array)[0] = 6n;
      expect([...read(), ...x.data]).toEqual([10, 20, 1, 6, 2]);
    }
  });
  model.dispose();
});

test('an initializer without an input is a constant, and one with an input is its default', () => {
  const spec: proto.ModelSpec = {
    nodes: [{ op: 'Expand', inputs: ['x', 'to'], outputs: ['y'] }],
    inputs: [proto.value('x', 'float32'), proto.value('to', 'int64')],
    initializers: [proto.tensor('int64', [1], [2], 'to')],
    outputs: [proto.value('y', 'float32')],
  };
  for (const ir of [3, 4, 8, 13]) {
    const model = ops.loadModel(proto.model({ ...spec, ir }));
    expect(model.inputs.map(({ name }) => name)).toEqual(['x']);
    ops.scope(() => {
      expect([...model.run({ x: f32([1], 5) }).y.data]).toEqual([5, 5]);
      expect([...model.run({ x: f32([1], 5), to: { type: 'int64', dims: [1], data: [3] } }).y.data]).toEqual([5, 5, 5]);
      expect([...model.run({ x: f32([1], 5) }).y.data]).toEqual([5, 5]);
    });
    model.dispose();
  }
  expect(results(ops, { ...spec, inputs: [proto.value('x', 'float32')] }, { x: f32([1], 5) })).toEqual({ y: [5, 5] });
});

test('a sparse initializer is its dense tensor', () => {
  const sparse = proto.sparseTensor(
    proto.tensor('float32', [2], [5, 7], 'w'),
    proto.tensor('int64', [2, 2], [0, 1, 1, 0]),
    [2, 2],
  );
  expect(results(ops, { sparseInitializers: [sparse], outputs: [proto.value('w', 'float32')] })).toEqual({
    w: [0, 5, 7, 0],
  });
});

test('a model without inputs runs without feeds, and an empty graph has no outputs', () => {
  expect(
    results(ops, {
      nodes: [{ op: 'Constant', outputs: ['c'], attributes: [proto.attribute.int('value_int', 3)] }],
      outputs: [proto.value('c', 'int64')],
    }),
  ).toEqual({ c: [3n] });
  expect(results(ops, {})).toEqual({});
});

test.each([
  ["the domain '' imported as ''", [['', 13]], ''],
  ["the domain '' imported as 'ai.onnx'", [['ai.onnx', 13]], ''],
  ["the domain 'ai.onnx' imported as ''", [['', 13]], 'ai.onnx'],
  ["the domain 'ai.onnx' imported as itself", [['ai.onnx', 13]], 'ai.onnx'],
  [
    'the same domain imported twice alike',
    [
      ['', 13],
      ['ai.onnx', 13],
    ],
    undefined,
  ],
  [
    'other domains imported too',
    [
      ['com.example', 1],
      ['', 13],
    ],
    undefined,
  ],
] as [string, [string, number][], string | undefined][])('nodes may be of %s', (_what, opset, domain) => {
  const nodes = [{ op: 'Identity', inputs: ['x'], outputs: ['y'], ...(domain === undefined ? {} : { domain }) }];
  expect(results(ops, { ...identity, nodes, opset }, { x: f32([1], 4) })).toEqual({ y: [4] });
});

test('the opset import picks the versions: Shape-13 has no start, Shape-15 has', () => {
  const spec: proto.ModelSpec = {
    nodes: [{ op: 'Shape', inputs: ['x'], outputs: ['y'], attributes: [proto.attribute.int('start', 1)] }],
    inputs: [proto.value('x', 'float32')],
    outputs: [proto.value('y', 'int64')],
  };
  expect(results(ops, { ...spec, opset: 15 }, { x: f32([1, 2], 0, 0) })).toEqual({ y: [2n] });
  expect(results(ops, { ...spec, opset: 28 }, { x: f32([1, 2], 0, 0) })).toEqual({ y: [2n] });
  expect(errorOf(() => ops.loadModel(proto.model({ ...spec, opset: 14 }))).message).toContain('Shape-13');
});

test("the runtime's own opset does not touch models", async () => {
  const old = await load({ opset: 7 });
  const model = old.loadModel(proto.model({ ...identity, opset: 25 }));
  expect([...model.run({ x: f32([1], 4) }).y.data]).toEqual([4]);
});

test('equal names of sizes in several inputs are equal sizes, which differ from run to run', () => {
  const spec: proto.ModelSpec = {
    nodes: [{ op: 'Identity', inputs: ['a'], outputs: ['c'] }],
    inputs: [proto.value('a', 'float32', ['n', 'n']), proto.value('b', 'float32', ['n'])],
    outputs: [proto.value('c', 'float32')],
  };
  expect(results(ops, spec, { a: f32([1, 1], 6), b: f32([1], 0) })).toEqual({ c: [6] });
  const model = ops.loadModel(proto.model(spec));
  ops.scope(() => {
    for (const n of [2, 3])
      expect(model.run({ a: f32([n, n], ...Array(n * n).fill(1)), b: f32([n], ...Array(n).fill(1)) }).c.size).toBe(
        n * n,
      );
  });
  model.dispose();
});

test('the models above left no tensor and no byte behind', () => {
  expect(counters(ops)).toEqual({ liveTensors: 0, bytesInUse: 0 });
});
