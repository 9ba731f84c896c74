// Sessions whose runtime or worker has ended open their models again: the same model, whatever the program has changed since.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { load } from 'broadloom';
import * as ort from 'broadloom/onnxruntime';
import { addOne, externalWeights, foreign, numberedSize } from './models.mjs';

const folder = mkdtempSync(join(tmpdir(), 'broadloom-again-'));
after(() => rmSync(folder, { recursive: true }));

const x = () => new ort.Tensor('float32', Float32Array.of(0, 1, 2, 3, 4, 5), [1, 3, 2]);
const elements = async (session, feed) => [...(await session.run({ x: feed })).y.data];

/** Ends the runtime that all callers share, as an error in WebAssembly does. */
async function endRuntime() {
  const ops = await load();
  new Uint8Array(ops.tensor('uint8', [1], [1]).data.buffer).fill(255);
  assert.throws(() => ops.memory(), { code: 'DISPOSED' });
}

test('a session whose runtime has ended opens its model again, also where its bytes were written over', async () => {
  const bytes = Uint8Array.from(addOne);
  const session = await ort.InferenceSession.create(bytes);
  bytes.fill(0);
  for (let round = 0; round < 2; round++) {
    await endRuntime();
    const runs = [1, 2, 3].map(() => session.run({ x: x() }));
    for (const { y } of await Promise.all(runs)) assert.deepEqual([...y.data], [1, 2, 3, 4, 5, 6]);
  }
  await endRuntime();
  await session.release();
  await assert.rejects(session.run({ x: x() }), { code: 'DISPOSED' });
});

test('a stack overflow in a program that runs a session costs no session', async () => {
  const sessions = await Promise.all([1, 2].map(() => ort.InferenceSession.create(addOne)));
  const feeds = { x: x() };
  const runs = [];
  const deeper = () => {
    runs.push(sessions[0].run(feeds));
    deeper();
  };
  assert.throws(deeper, RangeError);
  await Promise.allSettled(runs);
  for (const session of sessions) assert.deepEqual([...(await session.run(feeds)).y.data], [1, 2, 3, 4, 5, 6]);
});

test('a session of a file that was replaced since does not open the other file', async () => {
  const path = join(folder, 'model.onnx');
  writeFileSync(path, addOne);
  const session = await ort.InferenceSession.create(path);
  await endRuntime();
  assert.deepEqual(await elements(session, x()), [1, 2, 3, 4, 5, 6]);
  for (const other of [foreign('Nothing'), Buffer.from(addOne).fill(0, addOne.length - 1)]) {
    writeFileSync(path, other);
    await endRuntime();
    await assert.rejects(session.run({ x: x() }), {
      code: 'DISPOSED',
      message: /model.onnx has another content since/,
    });
  }
});

test('a session whose weights were replaced since does not take the others', async () => {
  const weights = join(folder, 'weights.bin');
  const write = (...values) => writeFileSync(weights, new Uint8Array(Float32Array.from(values).buffer));
  const path = join(folder, 'external.onnx');
  writeFileSync(path, externalWeights);
  const feed = new ort.Tensor('float32', Float32Array.of(1, 1), [2]);
  const externalData = [{ path: 'weights.bin', data: weights }];
  for (const args of [[path], [externalWeights, { externalData }]]) {
    write(2, 3);
    const session = await ort.InferenceSession.create(...args);
    await endRuntime();
    assert.deepEqual(await elements(session, feed), [2, 3]);
    write(2, 4);
    await endRuntime();
    await assert.rejects(session.run({ x: feed }), { code: 'DISPOSED', message: /weights.bin has another content/ });
  }
});

test('a session opens again with the options of its start, and from where it was', async () => {
  const freeDimensionOverrides = { unk__7: 2 };
  const ofOptions = await ort.InferenceSession.create(numberedSize, { freeDimensionOverrides });
  freeDimensionOverrides.unk__7 = 3;
  writeFileSync(join(folder, 'here.onnx'), addOne);
  const before = process.cwd();
  process.chdir(folder);
  const ofPath = await ort.InferenceSession.create('here.onnx').finally(() => process.chdir(before));
  await endRuntime();
  assert.deepEqual(await elements(ofPath, x()), [1, 2, 3, 4, 5, 6]);
  assert.deepEqual(await elements(ofOptions, new ort.Tensor('float32', Float32Array.of(1, 2), [2])), [-1, -2]);
});
