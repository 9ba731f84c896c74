// Runs that are stopped, and workers that end.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { loadInWorker, OnnxError } from '../../dist/node.js';
import { endless, errorOf, one, plusOne, remoteRuntime } from './helpers.mjs';

const ended = { name: 'OnnxError', code: 'DISPOSED', message: /^the worker .*: loadInWorker\(\) starts another$/ };

/** A worker that runs a model without end, and a second model. */
async function busyWorker(options) {
  const remote = await remoteRuntime();
  const other = await remote.loadModel(plusOne);
  const model = await remote.loadModel(endless());
  const running = model.run({ x: one(1) }, options);
  running.catch(() => {});
  return { remote, model, other, running };
}

/** Less than a run would take by any measure, and more than to end a thread. */
const soon = () => new Promise((resolve) => setTimeout(resolve, 50));

test('terminate() stops a run that takes years, rejects all that waits, and all later calls', async () => {
  const { remote, other, running } = await busyWorker();
  const waiting = [other.run({ x: one(1) }), remote.loadModel(plusOne), other.nodes, remote.memory()];
  await soon();
  remote.terminate();
  for (const promise of [running, ...waiting, other.run({ x: one(1) }), remote.simplify(plusOne)]) {
    const error = await errorOf(promise);
    assert.ok(error instanceof OnnxError);
    assert.deepEqual(
      [error.code, error.message.replace(/:.*/, '')],
      ['DISPOSED', 'the worker was ended by terminate()'],
    );
  }
  other.dispose();
  remote.terminate();
});

test('using ends the worker', async () => {
  const remote = await loadInWorker();
  remote[Symbol.dispose ?? Symbol.for('Symbol.dispose')]();
  await assert.rejects(remote.memory(), ended);
});

test('a signal stops a run that is going on, and with it the worker', async () => {
  const controller = new AbortController();
  const { running, other } = await busyWorker({ signal: controller.signal });
  const waiting = errorOf(other.run({ x: one(1) }));
  await soon();
  const reason = new Error('enough');
  controller.abort(reason);
  assert.equal(await errorOf(running), reason);
  assert.match((await waiting).message, ended.message);
  await assert.rejects(other.run({ x: one(1) }), ended);
});

test('a signal takes a call back that waits, and nothing else', async () => {
  const remote = await remoteRuntime();
  const model = await remote.loadModel(plusOne);
  const controller = new AbortController();
  const first = model.run({ x: one(1) });
  const second = model.run({ x: one(2) }, { signal: controller.signal });
  const third = model.run({ x: one(3) });
  controller.abort();
  await assert.rejects(second, { name: 'AbortError' });
  assert.deepEqual([(await first).y.data[0], (await third).y.data[0]], [2, 4]);
});

test('a signal that was aborted before sends nothing, and one that is aborted afterwards changes nothing', async () => {
  const remote = await remoteRuntime();
  const model = await remote.loadModel(plusOne);
  await assert.rejects(model.run({ x: one(1) }, { signal: AbortSignal.abort() }), { name: 'AbortError' });
  const controller = new AbortController();
  await model.run({ x: one(1) }, { signal: controller.signal });
  controller.abort();
  assert.deepEqual((await model.run({ x: one(1) })).y.data, Float32Array.of(2));
});

test('a signal of several calls rejects all of them with its reason', async () => {
  const controller = new AbortController();
  const { running, other } = await busyWorker({ signal: controller.signal });
  const waiting = errorOf(other.run({ x: one(1) }, { signal: controller.signal }));
  await soon();
  const reason = new Error('enough');
  controller.abort(reason);
  assert.deepEqual([await errorOf(running), await waiting], [reason, reason]);
});

test('a call that is not sent takes no buffers', async () => {
  const remote = await remoteRuntime();
  const model = await remote.loadModel(plusOne);
  const x = one(1);
  const file = Uint8Array.from(plusOne);
  const aborted = { transfer: true, signal: AbortSignal.abort() };
  await assert.rejects(model.run({ x }, aborted), { name: 'AbortError' });
  await assert.rejects(remote.loadModel(file, aborted), { name: 'AbortError' });
  remote.terminate();
  await assert.rejects(model.run({ x }, { transfer: true }), ended);
  await assert.rejects(remote.run('Neg', [x], {}, { transfer: true }), ended);
  assert.deepEqual([x.data.length, file.length], [1, plusOne.length]);
});

test('a call that an option, or a getter of a feed, stops takes no buffers', async () => {
  const remote = await remoteRuntime();
  const file = Uint8Array.from(plusOne);
  const refused = { message: /: an option is a function/ };
  await assert.rejects(remote.loadModel(file, { transfer: true, optimize: () => 1 }), refused);
  await assert.rejects(remote.simplify(file, { transfer: true, skip: () => 1 }), refused);
  assert.equal(file.length, plusOne.length);
  const model = await remote.loadModel(plusOne);
  const x = one(1);
  const controller = new AbortController();
  const feeds = (stop) => ({
    x,
    get y() {
      stop();
      return x;
    },
  });
  const { signal } = controller;
  const stopped = feeds(() => controller.abort());
  await assert.rejects(model.run(stopped, { transfer: true, signal }), { name: 'AbortError' });
  await assert.rejects(
    model.run(
      feeds(() => model.dispose()),
      { transfer: true },
    ),
    {
      code: 'DISPOSED',
      message: 'this model was disposed of',
    },
  );
  assert.equal(x.data.length, 1);
});

test('a signal gives up loading', async () => {
  await assert.rejects(loadInWorker({ signal: AbortSignal.abort() }), { name: 'AbortError' });
  const controller = new AbortController();
  const silent = new Worker('setInterval(() => {}, 1e6)', { eval: true });
  const exit = new Promise((exited) => silent.once('exit', exited));
  const loading = loadInWorker({ worker: silent, signal: controller.signal });
  await soon();
  controller.abort();
  await assert.rejects(loading, { name: 'AbortError' });
  await exit;
});

test('all calls are rejected when the thread ends by itself', async () => {
  const worker = new Worker(new URL('../../dist/worker-node.js', import.meta.url));
  const remote = await loadInWorker({ worker });
  const model = await remote.loadModel(endless());
  const running = errorOf(model.run({ x: one(1) }));
  await worker.terminate();
  assert.match((await running).message, /the worker has exited with code 1/);
});

/** A script that spoils the memory of its runtime when it is told to: the next call is an error in WebAssembly. */
const spoiled = `
  const { parentPort } = require('node:worker_threads');
  let memory;
  WebAssembly.Memory = class extends WebAssembly.Memory {
    constructor(sizes) {
      super(sizes);
      memory = this;
    }
  };
  import(${JSON.stringify(new URL('../../dist/worker-node.js', import.meta.url).href)}).then(() => {
    parentPort.on('message', (message) => message === 'spoil' && new Uint8Array(memory.buffer).fill(255));
  });
`;

test('an error in WebAssembly ends the worker, and all calls say so', async () => {
  const worker = new Worker(spoiled, { eval: true });
  const exit = new Promise((exited) => worker.once('exit', exited));
  const remote = await remoteRuntime({ worker });
  const model = await remote.loadModel(plusOne);
  worker.postMessage('spoil');
  const text =
    /^the runtime in the worker has ended by an error in WebAssembly \(.+\): loadInWorker\(\) starts another$/;
  for (const promise of [model.run({ x: one(1) }), remote.loadModel(plusOne), model.nodes, remote.memory()]) {
    const error = await errorOf(promise);
    assert.ok(error instanceof OnnxError);
    assert.equal(error.code, 'DISPOSED');
    assert.match(error.message, text);
    assert.match(error.cause.message, /out of bounds/);
  }
  await exit;
});

test('a disposed model refuses calls, and those that wait before it are answered', async () => {
  const remote = await remoteRuntime();
  const model = await remote.loadModel(plusOne);
  const running = model.run({ x: one(1) });
  const nodes = await model.nodes;
  model.dispose();
  assert.deepEqual((await running).y.data, Float32Array.of(2));
  await assert.rejects(model.run({ x: one(1) }), { code: 'DISPOSED', message: 'this model was disposed of' });
  await assert.rejects(model.initializers, { code: 'DISPOSED' });
  assert.equal(await model.nodes, nodes);
});
