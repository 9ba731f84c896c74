// Encodings of models: attributes, the order of fields, unknown fields, names.
import { expect, test } from '@jest/globals';
import { load, type Tensor } from 'broadloom';
import * as proto from '../../shared/onnx.js';
import { f32, identity, results } from './helpers/models.js';
import { wordsOf } from './helpers/reference.js';
import { expectWords } from './helpers/runtime.js';

const ops = await load({});

test('an INT attribute without a value is 0, because proto3 writers omit zeros', () => {
  const shape = { op: 'Shape', inputs: ['x'], outputs: ['y'], attributes: [proto.attribute.raw('end', 2)] };
  expect(
    results(ops, { ...identity, nodes: [shape], outputs: [proto.value('y', 'int64')] }, { x: f32([2], 1, 2) }),
  ).toEqual({ y: [] });
});

test('INTS, FLOATS and STRINGS without values are empty lists', () => {
  for (const [name, type, dtype] of [
    ['value_floats', 6, 'float32'],
    ['value_ints', 7, 'int64'],
    ['value_strings', 8, 'string'],
  ] as const) {
    expect(
      results(ops, {
        nodes: [{ op: 'Constant', outputs: ['y'], attributes: [proto.attribute.raw(name, type)] }],
        outputs: [proto.value('y', dtype)],
      }),
    ).toEqual({ y: [] });
  }
});

test('packed and unpacked ints and floats in attributes are the same', () => {
  for (const packed of [true, false]) {
    const attributes = [proto.attribute.ints('value_ints', [1, -2, 2n ** 62n], packed)];
    expect(
      results(ops, { nodes: [{ op: 'Constant', outputs: ['y'], attributes }], outputs: [proto.value('y', 'int64')] }),
    ).toEqual({ y: [1n, -2n, 2n ** 62n] });
    const floats = [proto.attribute.floats('value_floats', [0.5, -0], packed)];
    expect(
      results(ops, {
        nodes: [{ op: 'Constant', outputs: ['y'], attributes: floats }],
        outputs: [proto.value('y', 'float32')],
      }),
    ).toEqual({ y: [0.5, -0] });
  }
});

test('fields of a file may come in any order: the graph before the opset, outputs before nodes, values before names', () => {
  const attribute = proto.concat(proto.integer(3, 1), proto.integer(20, 2), proto.bytes(1, 'start'));
  const node = proto.concat(
    proto.bytes(5, attribute),
    proto.bytes(4, 'Shape'),
    proto.strings(2, ['y']),
    proto.strings(1, ['x']),
  );
  const graph = proto.concat(
    proto.bytes(12, proto.value('y', 'int64')),
    proto.bytes(11, proto.value('x', 'int8')),
    proto.bytes(1, node),
  );
  const file = proto.concat(proto.bytes(7, graph), proto.opsetImport('', 15), proto.integer(1, 8));
  const model = ops.loadModel(file);
  ops.scope(() =>
    expectWords(
      model.run({ x: ops.empty('int8', [2, 3]) }).y,
      wordsOf({ type: 'int64', dims: [1], data: BigInt64Array.of(3n) }),
    ),
  );
  model.dispose();
});

test('unknown fields, metadata, doc strings and functions of a file are skipped', () => {
  const extra = proto.concat(proto.integer(90, 7), proto.bytes(91, 'x'), proto.float(92, 1), proto.double(93, 1));
  const graph = proto.concat(
    extra,
    proto.graph(identity),
    proto.bytes(10, 'doc'),
    proto.bytes(14, 'quantization'),
    extra,
  );
  const file = proto.concat(
    extra,
    proto.integer(1, 8),
    proto.bytes(2, 'producer'),
    proto.bytes(14, proto.concat(proto.bytes(1, 'key'), proto.bytes(2, 'value'))),
    proto.opsetImport('', 25),
    proto.bytes(7, graph),
    extra,
  );
  const model = ops.loadModel(file);
  ops.scope(() => expect([...model.run({ x: f32([1], 3) }).y.data]).toEqual([3]));
  model.dispose();
});

test('a file of 3000 nodes in a chain runs', () => {
  const nodes = Array.from({ length: 3000 }, (_, i) => ({
    op: 'Identity',
    inputs: [i === 0 ? 'x' : `v${i - 1}`],
    outputs: [i === 2999 ? 'y' : `v${i}`],
  }));
  expect(results(ops, { ...identity, nodes }, { x: f32([2], 1, 2) })).toEqual({ y: [1, 2] });
});

test('names may be any Unicode text, including __proto__ and constructor', () => {
  for (const name of ['\u{1f9f6}', 'a b/c:0', 'constructor', '__proto__', 'toString', '0']) {
    const model = ops.loadModel(
      proto.model({ inputs: [proto.value(name, 'int8')], outputs: [proto.value(name, 'int8')] }),
    );
    expect(model.inputs[0].name).toBe(name);
    const feeds = Object.fromEntries([[name, { type: 'int8', dims: [1], data: [7] }]]);
    const outputs = model.run(feeds as never);
    expect(Object.keys(outputs)).toEqual([name]);
    const tensor = Object.getOwnPropertyDescriptor(outputs, name)?.value as Tensor<'int8'>;
    expect([...tensor.data]).toEqual([7]);
    tensor.dispose();
    model.dispose();
  }
});
