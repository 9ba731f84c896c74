// Encodings of models: attributes, the order of fields, unknown fields, names.
import { expect, test } from '@jest/globals';
import { load, type Tensor } from 'broadloom';
import * as proto from '../../shared/onnx.js';
import { f32, identity } from './helpers/models.js';
import { wordsOf } from './helpers/reference.js';
import { expectWords } from './helpers/runtime.js';

const ops = await load({});

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
