// Models in Blobs, and files beside them.
import assert from 'node:assert/strict';
import { openAsBlob } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import * as onnx from '../../tools/models/writer.mjs';
import { errorOf, one, ops, plusOne, remoteRuntime } from './helpers.mjs';

const remote = await remoteRuntime();

const weights = Buffer.from(Float32Array.of(1, 2, 3, 4).buffer);
const graph = [
  onnx.externalInitializer('a', [2], 'float32', { location: 'a.bin', offset: 8, length: 8 }),
  onnx.externalInitializer('b', [2], 'float32', { location: 'sub/b.bin', offset: 0, length: 8 }),
  onnx.node('Add', 'sum', ['a', 'b'], ['s']),
  onnx.node('Mul', 'product', ['s', 'x'], ['y']),
  onnx.input('x', 'float32', [2]),
  onnx.output('y', 'float32', [2]),
];
const spread = new Uint8Array(onnx.model('spread', graph));
const files = { 'a.bin': new Uint8Array(weights), 'sub/b.bin': new Blob([weights]) };

for (const [what, external] of Object.entries({
  'an object': files,
  'a Map': new Map(Object.entries(files)),
  'a function': (location) => files[location],
  'a function of promises': async (location) => files[location],
  'a function of ArrayBuffers': async () => new Uint8Array(weights).buffer,
})) {
  test(`files beside a model come from ${what}`, async () => {
    for (const file of [spread, new Blob([spread])]) {
      const model = await remote.loadModel(file, { external });
      assert.deepEqual([...(await model.run({ x: one(1, 10) })).y.data], [4, 60]);
      const [a] = await model.initializers;
      assert.deepEqual([...(await a.read()).data], [3, 4]);
      model.dispose();
    }
  });

  test(`simplify has the same files from ${what}`, async () => {
    const { bytes, report } = await remote.simplify(spread, { external });
    assert.deepEqual(report.after.operators, { Mul: 1 });
    assert.deepEqual([...(await (await remote.loadModel(bytes)).run({ x: one(1, 10) })).y.data], [4, 60]);
    const { blob } = await remote.simplify(new Blob([spread]), { external });
    assert.deepEqual(new Uint8Array(await blob.arrayBuffer()), bytes);
  });
}

test('each file is asked for once', async () => {
  const asked = [];
  const external = (location) => {
    asked.push(location);
    return files[location];
  };
  await remote.loadModel(spread, { external });
  assert.deepEqual(asked.sort(), ['a.bin', 'sub/b.bin']);
});

test('with allowUnsupported, a model opens with those files that are there, and a run names the one that it lacks', async () => {
  const near = { 'a.bin': files['a.bin'] };
  const model = await remote.loadModel(spread, { external: near, allowUnsupported: true });
  const { a } = await model.run({}, { outputs: ['a'] });
  assert.deepEqual([...a.data], [3, 4]);
  const { message } = await errorOf(model.run({ x: one(1, 10) }));
  assert.match(message, /the external data of 'b', in file 'sub\/b\.bin', was not given/);
  model.dispose();
});

test('files that are not there, or cannot be had, are errors, and the worker goes on', async () => {
  assert.equal(
    (await errorOf(remote.loadModel(spread, { external: {} }))).message,
    "external: there is no file 'a.bin'",
  );
  const reason = new Error('offline');
  const failing = async () => {
    throw reason;
  };
  assert.equal(await errorOf(remote.loadModel(spread, { external: failing })), reason);
  assert.equal(await errorOf(remote.simplify(spread, { external: failing })), reason);
  assert.match((await errorOf(remote.loadModel(spread, { external: () => 5 }))).message, /'a.bin' it gave 5, wanted/);
  assert.equal((await remote.loadModel(plusOne)).opset, 21);
});

test('a File on a disk is read in the worker; one that has changed since is an error', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'broadloom-'));
  t.after(() => rm(folder, { recursive: true }));
  const path = join(folder, 'model.onnx');
  await writeFile(path, plusOne);
  const model = await remote.loadModel(await openAsBlob(path));
  assert.equal(model.outputs[0].name, 'y');
  const stale = await openAsBlob(path);
  await writeFile(path, 'something else');
  const { code, message } = await errorOf(remote.loadModel(stale));
  assert.equal(code, 'INVALID_ARGUMENT');
  assert.match(message, /^loadModel: the file cannot be read \(/);
});

test('bytes and buffers are copied unless they are to be transferred', async () => {
  const bytes = Uint8Array.from(plusOne);
  await remote.loadModel(bytes);
  await remote.loadModel(bytes.buffer);
  assert.equal(bytes.length, plusOne.length);
  await remote.loadModel(bytes, { transfer: true });
  assert.equal(bytes.length, 0);
});

test('a model without its files can be looked at', async () => {
  const model = await remote.loadModel(spread, { allowUnsupported: true });
  const [a] = await model.initializers;
  assert.deepEqual(a.external, { location: 'a.bin', offset: 8, length: 8 });
  assert.equal((await errorOf(a.read())).code, 'INVALID_MODEL');
  assert.equal((await errorOf(model.run({ x: one(1, 2) }))).code, errorOfRun().code);
});

function errorOfRun() {
  try {
    ops.loadModel(spread, { allowUnsupported: true }).run({ x: one(1, 2) });
  } catch (error) {
    return error;
  }
  throw new Error('it ran');
}
