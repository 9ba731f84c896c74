// A pool in trouble: callers that change their minds, threads that are busy, workers that do not come back.
import assert from 'node:assert/strict';
import { openAsBlob, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { loadInWorker, loadPool } from '../../dist/node.js';
import * as onnx from '../../tools/models/writer.mjs';
import { endless, errorOf, many, one, openPool, ops, plusOne, thread, until } from './helpers.mjs';

const bytesOf = (...elements) => new Uint8Array(Float32Array.from(elements).buffer);

/** y = x + a, where `a` is in a file beside the model. */
const beside = new Uint8Array(
  onnx.model('beside', [
    onnx.externalInitializer('a', [2], 'float32', { location: 'a.bin', offset: 0, length: 8 }),
    onnx.node('Add', 'add', ['x', 'a'], ['y']),
    onnx.input('x', 'float32', [2]),
    onnx.output('y', 'float32', [2]),
  ]),
);

/** A maker of workers, which fails once `isBroken` is set. */
function workshop() {
  const shop = { isBroken: false, workers: [] };
  shop.worker = () => {
    if (shop.isBroken) throw new Error('no more threads');
    shop.workers.push(thread());
    return shop.workers.at(-1);
  };
  return shop;
}

test('a worker that takes the place of another gets the files beside a model as they were', async () => {
  const [inObject, given] = [bytesOf(1, 2), bytesOf(3, 4)];
  const { pool, live } = await openPool({ size: 1 });
  const models = [
    await pool.loadModel(beside, { external: { 'a.bin': inObject } }),
    await pool.loadModel(beside, { external: () => given }),
  ];
  for (const bytes of [inObject, given]) bytes.fill(0);
  await live()[0].terminate();
  const results = await Promise.all(models.map((model) => pool.run(model, { x: one(0, 0) })));
  assert.deepEqual(
    results.map(({ y }) => [...y.data]),
    [
      [1, 2],
      [3, 4],
    ],
  );
});

test('the time to open a model, or to warm it up, is not that of a run behind it', async () => {
  const { pool, workers } = await openPool({ size: 1, deadline: 500 });
  const plus = await pool.loadModel(plusOne);
  let isRead = false;
  const external = async () => {
    await sleep(1200);
    isRead = true;
    return bytesOf(1, 2);
  };
  const opened = pool.loadModel(beside, { external });
  const { y } = await pool.run(plus, { x: one(1) });
  assert.deepEqual([y.data[0], isRead, workers.length], [2, true, 1]);
  await opened;
});

test('a run that was answered in time is told so by a thread that was busy', async () => {
  const { pool, workers } = await openPool({ size: 1, deadline: 500 });
  const plus = await pool.loadModel(plusOne);
  await pool.run(plus, { x: one(1) });
  const run = pool.run(plus, { x: one(1) });
  for (const end = performance.now() + 1500; performance.now() < end; );
  assert.deepEqual((await run).y.data, Float32Array.of(2));
  assert.equal(workers.length, 1);
});

test('a model that is given up while it warms up leaves workers that run', async () => {
  const { pool } = await openPool({ size: 2 });
  const plus = await pool.loadModel(plusOne);
  const controller = new AbortController();
  const loading = errorOf(pool.loadModel(endless(), { warmUp: { x: one(1) }, signal: controller.signal }));
  await until(() => pool.stats().busy === 2);
  controller.abort();
  assert.equal((await loading).name, 'AbortError');
  assert.deepEqual((await pool.run(plus, { x: one(1) })).y.data, Float32Array.of(2));
  await pool.ready();
});

test('a model that is given up while no worker is there is opened in none', async () => {
  const { pool, live } = await openPool({ size: 1 });
  let isAsked = false;
  const external = () => {
    isAsked = true;
    return bytesOf(1, 2);
  };
  await live()[0].terminate();
  const controller = new AbortController();
  const loading = errorOf(pool.loadModel(beside, { external, signal: controller.signal }));
  controller.abort();
  assert.equal((await loading).name, 'AbortError');
  await pool.ready();
  await pool.run(await pool.loadModel(plusOne), { x: one(1) });
  assert.equal(isAsked, false);
});

test('the error of the function that gives files is that of loadModel, whatever it is', async () => {
  const { pool } = await openPool({ size: 1 });
  const tensor = ops.tensor('uint8', [1]);
  tensor.dispose();
  const errors = [null, undefined, new Error('my own'), await errorOf((async () => tensor.data)())];
  for (const error of errors) {
    const external = () => {
      throw error;
    };
    const told = await pool.loadModel(beside, { external }).then(
      () => 'opened',
      (reason) => reason,
    );
    assert.equal(told, error);
  }
});

test('a Worker that was given before is refused', async () => {
  const worker = thread();
  const wanted = { code: 'INVALID_ARGUMENT', message: /worker is one that was given before/ };
  await assert.rejects(loadPool({ size: 2, worker: () => worker }), wanted);
  await assert.rejects(loadInWorker({ worker }), wanted);
});

test('ready says that a worker does not come back', async () => {
  const { pool, live } = await openPool({ size: 2, restart: false });
  await live()[0].terminate();
  await until(() => pool.stats().ready === 1);
  await assert.rejects(pool.ready(), { code: 'DISPOSED', message: /^ready: the worker has died: / });
  await live()[0].terminate();
  await until(() => pool.stats().ready === 0);
  await assert.rejects(pool.loadModel(plusOne), { code: 'DISPOSED', message: /^the pool has ended: / });
});

test('loadModel and ready are rejected where no worker can be started, and the pool recovers', async () => {
  const shop = workshop();
  const { pool } = await openPool({ size: 1, worker: shop.worker });
  shop.isBroken = true;
  await shop.workers[0].terminate();
  await until(() => pool.stats().ready === 0);
  for (const call of [pool.loadModel(plusOne), pool.ready()])
    await assert.rejects(call, { code: 'INVALID_ARGUMENT', message: /no more threads/ });
  shop.isBroken = false;
  await until(() => pool.stats().ready === 1);
  await pool.loadModel(plusOne);
});

test('a signal without a reason gives up the start, too', async () => {
  class OldSignal extends EventTarget {
    aborted = false;
    abort() {
      this.aborted = true;
      this.dispatchEvent(new Event('abort'));
    }
  }
  const signal = new OldSignal();
  const opening = errorOf(loadPool({ size: 1, worker: thread, signal }));
  await sleep(1);
  signal.abort();
  assert.equal((await opening).name, 'AbortError');
});

test('the functions of a pool work without it, and through a proxy', async () => {
  const { pool } = await openPool({ size: 1 });
  const { loadModel, run, stats } = pool;
  const model = await loadModel(plusOne);
  await run(model, { x: one(1) });
  await new Proxy(pool, {}).run(model, { x: one(1) });
  assert.equal(stats().done, 2);
});

test('a pool that was closed while a worker started has no workers', async () => {
  const { pool, live } = await openPool({ size: 1 });
  await live()[0].terminate();
  await pool.close({ deadline: 0 });
  await until(() => live().length === 0);
  const { ready, restarts } = pool.stats();
  assert.deepEqual([ready, restarts], [0, 0]);
});

test('a run that goes to another worker has waited once', async () => {
  const { pool, live } = await openPool({ size: 1 });
  const long = await pool.loadModel(endless());
  const run = errorOf(pool.run(long, { x: one(1) }));
  await live()[0].terminate();
  await until(() => pool.stats().retries === 1 && pool.stats().busy === 1);
  assert.equal(pool.stats().wait.count, 1);
  await pool.close({ deadline: 0 });
  await run;
});

test('loadModel outlives the workers that runs of other models end', async () => {
  const { pool } = await openPool({ size: 1, deadline: 500 });
  const long = await pool.loadModel(endless());
  const runs = many(3, () => errorOf(pool.run(long, { x: one(1) })));
  const plus = await pool.loadModel(plusOne);
  for (const { limit } of await Promise.all(runs)) assert.equal(limit, 'deadline');
  assert.deepEqual((await pool.run(plus, { x: one(1) })).y.data, Float32Array.of(2));
});

test('a model that cannot be opened again costs no other model its runs', async (t) => {
  const { pool, live } = await openPool({ size: 1 });
  const plus = await pool.loadModel(plusOne);
  const path = join(tmpdir(), `broadloom-pool-${process.pid}.onnx`);
  writeFileSync(path, plusOne);
  t.after(() => rmSync(path, { force: true }));
  const ofFile = await pool.loadModel(await openAsBlob(path));
  rmSync(path);
  await live()[0].terminate();
  await pool.ready();
  assert.deepEqual((await pool.run(plus, { x: one(1) })).y.data, Float32Array.of(2));
  await assert.rejects(pool.run(ofFile, { x: one(1) }), { code: 'INVALID_ARGUMENT', message: /cannot be read/ });
});

test('a worker that hangs while it starts ends with the pool', async () => {
  const hanging = () => new Worker('setInterval(() => {}, 1000)', { eval: true });
  const failing = () => new Worker('throw new Error("no way")', { eval: true });
  const makers = [failing, hanging, thread, hanging];
  const workers = [];
  const worker = () => {
    workers.push(makers.shift()());
    return workers.at(-1);
  };
  await assert.rejects(loadPool({ size: 2, worker }), { message: /no way/ });
  const pool = await loadPool({ size: 1, worker });
  await workers.at(-1).terminate();
  await until(() => makers.length === 0);
  await pool.close();
  await until(() => workers.every(({ threadId }) => threadId === -1));
});
