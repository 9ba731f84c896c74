// Models: their descriptions, how they bind inputs, and their results.
import { expect, test } from '@jest/globals';
import { load, type Tensor } from 'broadloom';
import * as proto from '../../shared/onnx.js';
import { f32, identity } from './helpers/models.js';
import { tensorLike } from './helpers/reference.js';
import { counters, expectWords, sampleTensor, sampleWords } from './helpers/runtime.js';
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

test("the runtime's own opset does not touch models", async () => {
  const old = await load({ opset: 7 });
  const model = old.loadModel(proto.model({ ...identity, opset: 25 }));
  expect([...model.run({ x: f32([1], 4) }).y.data]).toEqual([4]);
});

test('the models above left no tensor and no byte behind', () => {
  expect(counters(ops)).toEqual({ liveTensors: 0, bytesInUse: 0 });
});
