// Models in a thread of Node give what they give here.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dataTypes, loadInWorker } from '../../dist/node.js';
import * as onnx from '../../tools/models/writer.mjs';
import { one, ops, plusOne, remoteRuntime } from './helpers.mjs';

const remote = await remoteRuntime();

/** Six elements of a type, with bits of every kind. */
function sampleOf({ name, kind, bits, array }) {
  if (kind === 'string') return { type: name, dims: [2, 3], data: ['', 'é', '\u{1f600}', 'a\0b', '\ufeff', 'z'] };
  if (kind === 'boolean') return { type: name, dims: [2, 3], data: Uint8Array.of(0, 1, 1, 0, 0, 1) };
  const bytes = (bits * 6) / 8;
  const pattern = Uint8Array.from({ length: Math.ceil(bytes / 8) * 8 }, (_, i) => (i * 77 + 3) & 0xff);
  if (bits === 4 || bits === 2) pattern[Math.ceil(bytes) - 1] &= (1 << ((bits * 6) % 8 || 8)) - 1;
  const data = new globalThis[array](pattern.buffer, 0, Math.ceil(bytes) / globalThis[array].BYTES_PER_ELEMENT);
  return { type: name, dims: [2, 3], data };
}

/** Elements as bytes, which tell NaNs apart. */
const words = ({ type, dims, data }) => ({
  type,
  dims,
  array: data.constructor.name,
  bytes: Array.isArray(data) ? data : Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('hex'),
});

for (const row of dataTypes) {
  test(`a run with ${row.name} gives the bits that it gives here`, async () => {
    const feeds = { data: sampleOf(row) };
    const file = ops.nodeModel('Transpose', [feeds.data], { perm: [1, 0] })['model.onnx'];
    const { transposed } = ops.loadModel(file).run(feeds);
    const model = await remote.loadModel(file);
    assert.deepEqual(words((await model.run(feeds)).transposed), words(transposed.toMessage()));
    model.dispose();
  });
}

test('the descriptions are those of the model', async () => {
  const graph = [
    onnx.initializer('w', [300], Array(300).fill(0.5)),
    onnx.node('Constant', 'few', [], ['k'], [onnx.tensorAttribute('value', onnx.tensor([2], [1, 2]))]),
    onnx.node('Add', 'add', ['x', 'k'], ['sum']),
    onnx.node('ReduceSum', 'reduce', ['sum'], ['y'], [onnx.integerAttribute('keepdims', 0)]),
    onnx.input('x', 'float32', ['n', 2]),
    onnx.output('y', 'float32', []),
  ];
  const file = new Uint8Array(onnx.model('described', graph));
  const here = ops.loadModel(file);
  const model = await remote.loadModel(file);
  for (const name of ['opset', 'inputs', 'outputs', 'warnings']) assert.deepEqual(model[name], here[name], name);
  assert.ok(Object.isFrozen(model.inputs) && Object.isFrozen(model.inputs[0]));
  assert.deepEqual(await model.nodes, structuredClone(here.nodes));
  assert.deepEqual(await model.metadata, here.metadata);
  assert.equal(model.nodes, model.nodes);
  const [initializer] = await model.initializers;
  const { read, ...told } = initializer;
  const { read: _, ...wanted } = here.initializers[0];
  assert.deepEqual(told, wanted);
  assert.deepEqual(await read(), here.initializers[0].read().toMessage());
  assert.equal(`${Object.prototype.toString.call(model)}`, '[object RemoteModel]');
});

test('large attributes are read when they are asked for, in graphs of nodes, too', async () => {
  const values = Array.from({ length: 1000 }, (_, i) => i);
  const many = Array.from({ length: 2000 }, (_, i) => i);
  const constant = (name, output) =>
    onnx.node('Constant', name, [], [output], [onnx.tensorAttribute('value', onnx.tensor([1000], values))]);
  const branch = (name) => onnx.graphAttribute(name, [constant(name, name), onnx.output(name, 'float32', [1000])]);
  const graph = [
    constant('large', 'k'),
    onnx.node('Constant', 'list', [], ['l'], [onnx.integersAttribute('value_ints', many)]),
    onnx.node('If', 'if', ['c'], ['y'], [branch('then_branch'), branch('else_branch')]),
    onnx.input('c', 'bool', []),
    onnx.output('y', 'float32', [1000]),
  ];
  const model = await remote.loadModel(new Uint8Array(onnx.model('large', graph)));
  const [large, list, choice] = await model.nodes;
  assert.deepEqual([large.attributes.value.type, large.attributes.value.dims], ['float32', [1000]]);
  const tensor = { type: 'float32', dims: [1000], data: Float32Array.from(values) };
  assert.deepEqual(await large.attributes.value.read(), tensor);
  assert.deepEqual(await large.attributes.value.read(), tensor);
  assert.equal(list.attributes.value_ints.type, null);
  assert.deepEqual(await list.attributes.value_ints.read(), many);
  assert.deepEqual(await choice.graphs.else_branch[0].attributes.value.read(), tensor);
  const graphOf = (name) => ({ type: 'graph', inputs: [], outputs: [{ name, type: 'float32', dims: [1000] }] });
  assert.deepEqual(choice.attributes, { then_branch: graphOf('then_branch'), else_branch: graphOf('else_branch') });
  model.dispose();
  await assert.rejects(large.attributes.value.read(), { code: 'DISPOSED' });
});

test('feeds stay usable, and are those of the moment of the call', async () => {
  const model = await remote.loadModel(plusOne);
  const x = one(1, 2, 3);
  const first = model.run({ x });
  x.data[0] = 100;
  assert.deepEqual([...(await first).y.data], [2, 3, 4]);
  assert.deepEqual([...(await model.run({ x })).y.data], [101, 3, 4]);
});

test('of a view, its part of the buffer is sent', async () => {
  const model = await remote.loadModel(plusOne);
  const data = new Float32Array([9, 1, 2, 9]).subarray(1, 3);
  assert.deepEqual([...(await model.run({ x: { type: 'float32', dims: [2], data } })).y.data], [2, 3]);
  const shared = new Float32Array(new SharedArrayBuffer(8));
  assert.deepEqual([...(await model.run({ x: { type: 'float32', dims: [2], data: shared } })).y.data], [1, 1]);
});

test('tensors of a runtime, lists and tensors of other libraries are feeds, and results are operands', async () => {
  const model = await remote.loadModel(plusOne);
  const { y } = await model.run({ x: ops.tensor('float32', [1, 2]) });
  assert.deepEqual(ops.mul(y, 2).toNested(), [4, 6]);
  assert.deepEqual((await model.run({ x: y })).y.data, Float32Array.of(3, 4));
  assert.deepEqual((await model.run({ x: { type: 'float32', dims: [1], data: [5] } })).y.data, Float32Array.of(6));
  class Foreign {
    get type() {
      return 'float32';
    }
    get dims() {
      return [1];
    }
    get data() {
      return Float32Array.of(7);
    }
  }
  assert.deepEqual((await model.run({ x: new Foreign() })).y.data, Float32Array.of(8));
});

test('transfer moves the buffers of feeds at once, one that two feeds share as well', async () => {
  const file = ops.nodeModel('Concat', [one(1), one(2)], { axis: 0 })['model.onnx'];
  const model = await remote.loadModel(file);
  const buffer = new ArrayBuffer(12);
  const feed = (offset) => ({ type: 'float32', dims: [1], data: new Float32Array(buffer, offset, 1) });
  const feeds = Object.fromEntries(model.inputs.map(({ name }, i) => [name, feed(4 * i)]));
  const running = model.run(feeds, { transfer: true });
  assert.equal(buffer.byteLength, 0);
  assert.deepEqual([...Object.values(await running)[0].data], [0, 0]);
});

test('outputs are chosen as in the model itself, and profile has a row for each node', async () => {
  const model = await remote.loadModel(plusOne);
  assert.deepEqual(Object.keys(await model.run({ x: one(1) }, { outputs: ['one', 'y'] })), ['one', 'y']);
  const [{ node, operator, calls }] = await model.profile({ x: one(1) });
  assert.deepEqual({ node, operator, calls }, { node: 'add', operator: 'Add', calls: 1 });
});

test('runs of one worker are answered in the order of the calls', async () => {
  const [a, b] = await Promise.all([remote.loadModel(plusOne), remote.loadModel(plusOne)]);
  const order = [];
  const runs = [a, b, b, a].map((model, i) => model.run({ x: one(i) }).then(({ y }) => order.push(y.data[0])));
  await Promise.all(runs);
  assert.deepEqual(order, [1, 2, 3, 4]);
});

test('an operator runs by its name', async () => {
  const [y] = await remote.run('Expand', [one(1, 2), [2, 2]]);
  assert.deepEqual(y, { type: 'float32', dims: [2, 2], data: Float32Array.of(1, 2, 1, 2) });
  const [filled] = await remote.run('ConstantOfShape', [[2]], { value: { type: 'int64', dims: [1], data: [7n] } });
  assert.deepEqual(filled.data, BigInt64Array.of(7n, 7n));
  await assert.rejects(remote.run('Expand', [one(1, 2), [3, 3]], {}, { opset: 8 }), {
    name: 'OnnxError',
    operator: 'Expand',
    opset: 8,
  });
});

test('simplify gives what it gives here, for bytes and Blobs', async () => {
  const file = ops.nodeModel('Shape', [one(1, 2)])['model.onnx'];
  const here = ops.simplify(file);
  const there = await remote.simplify(file);
  assert.deepEqual(there, { bytes: here.bytes, report: here.report });
  const { blob, report } = await remote.simplify(new Blob([file]));
  assert.deepEqual(new Uint8Array(await blob.arrayBuffer()), here.bytes);
  assert.deepEqual(report, here.report);
  const fixed = await remote.simplify(plusOne, { values: { x: ops.tensor('float32', [1, 2]) }, verify: { feeds: {} } });
  assert.deepEqual([fixed.report.inputs, fixed.report.verified.equal], [[], true]);
});

test('a thousand runs leave nothing behind', async () => {
  const own = await remoteRuntime();
  const model = await own.loadModel(plusOne);
  await model.run({ x: one(1) });
  const before = await own.memory();
  for (let i = 0; i < 1000; i++) await model.run({ x: one(i) });
  assert.deepEqual(await own.memory(), before);
  model.dispose();
  model.dispose();
  const { liveTensors, bytesInUse } = await own.memory();
  assert.deepEqual([liveTensors, bytesInUse], [0, 0]);
});

test('a run that adds a warning to the model adds it here, too', async () => {
  const file = onnx.model('sizes', [
    onnx.node('Concat', 'c', ['a', 'b'], ['y'], [onnx.integerAttribute('axis', 0)]),
    onnx.input('a', 'float32', ['n']),
    onnx.input('b', 'float32', ['n']),
    onnx.output('y', 'float32', ['m']),
  ]);
  const model = await remote.loadModel(file);
  const { warnings } = model;
  assert.deepEqual(warnings, []);
  await model.run({ a: one(1), b: one(2) });
  assert.equal(model.warnings, warnings);
  assert.deepEqual([...(await model.run({ a: one(1), b: one(2, 3) })).y.data], [1, 2, 3]);
  await model.profile({ a: one(1, 2), b: one(3) });
  assert.match(
    model.warnings.join(),
    /^sizes of inputs that the file calls 'n' differ in a run: it is 2 in 'b', but 1 elsewhere$/,
  );
});

test('onRun is told of the runs of a worker in the thread of the caller', async () => {
  const events = [];
  const watched = await remoteRuntime({ onRun: (event) => events.push(event), limits: { elements: 4 } });
  const model = await watched.loadModel(plusOne);
  await model.run({ x: one(1, 2) });
  await assert.rejects(model.run({ x: one(1, 2, 3, 4, 5) }), { limit: 'elements' });
  await watched.memory();
  assert.equal(events.length, 2);
  for (const { model: of, nodes, microseconds, bytes } of events) {
    assert.equal(of, model);
    assert.equal(nodes, 1);
    assert.ok(microseconds > 0 && bytes >= 2 ** 20);
  }
  assert.equal(events[0].error, undefined);
  assert.equal(events[1].error.limit, 'elements');
  await assert.rejects(loadInWorker({ onRun: 1 }), { message: 'loadInWorker: onRun is 1, wanted a function' });
});
