// A pool of workers: what it runs, refuses, gives up and repeats.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { loadPool, OnnxError } from '../../dist/node.js';
import { endless, errorOf, many, one, openPool, ops, plusOne, thread, until } from './helpers.mjs';

test('runs give what a runtime gives, in the order of the calls', async () => {
  const { pool } = await openPool();
  const model = await pool.loadModel(plusOne);
  assert.deepEqual(model.inputs, ops.loadModel(plusOne).inputs);
  assert.match(`${model}`, /^PoolModel \(opset \d+\): x float32 \[n\] -> y float32 \[n\]$/);
  const results = await Promise.all(many(50, (i) => pool.run(model, { x: one(i, -i) })));
  assert.deepEqual(
    results.map(({ y }) => [...y.data]),
    many(50, (i) => [i + 1, 1 - i]),
  );
  const { done, failed, depth, ready, size } = pool.stats();
  assert.deepEqual({ done, failed, depth, ready, size }, { done: 50, failed: 0, depth: 0, ready: 2, size: 2 });
  assert.equal(`${pool}`, 'Pool (2 of 2 workers ready, 0 runs wait)');
});

test('feeds are copied when run is called, and move with transfer', async () => {
  const { pool } = await openPool({ size: 1 });
  const model = await pool.loadModel(plusOne);
  const x = one(1, 2);
  const copied = many(3, () => pool.run(model, { x }));
  x.data.fill(9);
  for (const { y } of await Promise.all(copied)) assert.deepEqual(y.data, Float32Array.of(2, 3));
  const moved = pool.run(model, { x }, { transfer: true });
  assert.equal(x.data.length, 0);
  assert.deepEqual((await moved).y.data, Float32Array.of(10, 10));
  const tensor = ops.tensor('float32', [5]);
  const ofTensor = pool.run(model, { x: tensor }, { outputs: ['y'] });
  tensor.dispose();
  assert.deepEqual((await ofTensor).y.data, Float32Array.of(6));
});

test('a run is refused at once where as many wait as may, and costs the others nothing', async () => {
  const { pool } = await openPool({ size: 1, maxQueue: 2 });
  const model = await pool.loadModel(plusOne);
  const runs = many(5, (i) => pool.run(model, { x: one(i) }).catch((error) => error));
  const results = await Promise.all(runs);
  assert.deepEqual(
    results.slice(0, 3).map(({ y }) => y.data[0]),
    [1, 2, 3],
  );
  for (const error of results.slice(3)) {
    assert.ok(error instanceof OnnxError);
    assert.deepEqual([error.code, error.limit], ['LIMIT_EXCEEDED', 'maxQueue']);
    assert.equal(error.message, 'run: 2 runs wait, as many as may (maxQueue)');
  }
  assert.equal(pool.stats().refused, 2);
  const none = await openPool({ size: 1, maxQueue: 0 });
  const plus = await none.pool.loadModel(plusOne);
  assert.deepEqual((await none.pool.run(plus, { x: one(1) })).y.data, Float32Array.of(2));
});

test('the error of a model is that of the caller, and the worker goes on', async () => {
  const { pool, workers } = await openPool({ size: 1, limits: { milliseconds: 20 } });
  const model = await pool.loadModel(plusOne);
  await assert.rejects(pool.run(model, { z: one(1) }), { name: 'OnnxError', code: 'INVALID_ARGUMENT' });
  const long = await pool.loadModel(endless());
  await assert.rejects(pool.run(long, { x: one(1) }), { code: 'LIMIT_EXCEEDED', limit: 'milliseconds' });
  assert.deepEqual((await pool.run(model, { x: one(1) })).y.data, Float32Array.of(2));
  assert.equal(workers.length, 1);
  assert.equal(pool.stats().failed, 2);
});

test('a worker that dies is replaced with its models, and its run is done', async () => {
  const { pool, workers, live } = await openPool();
  const model = await pool.loadModel(plusOne, { warmUp: { x: one(0) } });
  for (let round = 1; round <= 3; round++) {
    const runs = many(20, (i) => pool.run(model, { x: one(i) }));
    live()[0].terminate();
    const results = await Promise.all(runs);
    assert.deepEqual(
      results.map(({ y }) => y.data[0]),
      many(20, (i) => i + 1),
    );
    await pool.ready();
    assert.equal(pool.stats().restarts, round);
  }
  assert.equal(workers.length, 5);
});

test('a run with which three workers die is given up, and the pool goes on', async () => {
  const { pool, live } = await openPool({ size: 1 });
  const [plus, long] = [await pool.loadModel(plusOne), await pool.loadModel(endless())];
  const killed = errorOf(pool.run(long, { x: one(1) }));
  const other = pool.run(plus, { x: one(1) });
  for (let deaths = 0; deaths < 3; deaths++) {
    await until(() => pool.stats().busy === 1 && pool.stats().retries === deaths);
    live()[0].terminate();
  }
  const error = await killed;
  assert.equal(error.code, 'DISPOSED');
  assert.match(error.message, /^run: 3 workers have died: the worker has exited with code 1$/);
  assert.deepEqual((await other).y.data, Float32Array.of(2));
});

test('without restart, a run whose worker dies is rejected, and the last death ends the pool', async () => {
  const { pool, live } = await openPool({ restart: false });
  const long = await pool.loadModel(endless());
  const runs = many(3, () => errorOf(pool.run(long, { x: one(1) })));
  live()[0].terminate();
  await until(() => pool.stats().ready === 1);
  live()[0].terminate();
  for (const { code, message } of await Promise.all(runs)) {
    assert.equal(code, 'DISPOSED');
    assert.match(message, /^(run: the worker has|the pool has ended: 2 workers have) died: /);
  }
  await assert.rejects(pool.run(long, { x: one(1) }), { code: 'DISPOSED' });
});

test('a signal answers at once; a short run ends by itself, and an endless one with its worker', async () => {
  const { pool, workers } = await openPool({ size: 1 });
  const [plus, long] = [await pool.loadModel(plusOne), await pool.loadModel(endless())];
  for (let i = 0; i < 20; i++) {
    const controller = new AbortController();
    const reason = new Error('enough');
    const run = errorOf(pool.run(plus, { x: one(1) }, { signal: controller.signal }));
    controller.abort(reason);
    assert.equal(await run, reason);
  }
  assert.deepEqual((await pool.run(plus, { x: one(1) })).y.data, Float32Array.of(2));
  assert.equal(workers.length, 1);
  const controller = new AbortController();
  const going = errorOf(pool.run(long, { x: one(1) }, { signal: controller.signal }));
  const waiting = pool.run(plus, { x: one(4) });
  await new Promise(setImmediate); // the worker has it
  controller.abort();
  assert.equal((await going).name, 'AbortError');
  assert.deepEqual((await waiting).y.data, Float32Array.of(5));
  assert.equal(workers.length, 2);
  assert.equal(pool.stats().aborts, 21);
  await assert.rejects(pool.run(plus, { x: one(1) }, { signal: AbortSignal.abort() }), { name: 'AbortError' });
});

test('a signal takes back a run that waits', async () => {
  const { pool } = await openPool({ size: 1 });
  const plus = await pool.loadModel(plusOne);
  const controller = new AbortController();
  const first = pool.run(plus, { x: one(1) });
  const second = errorOf(pool.run(plus, { x: one(2) }, { signal: controller.signal }));
  assert.equal(pool.stats().depth, 1);
  controller.abort();
  assert.equal(pool.stats().depth, 0);
  assert.equal((await second).name, 'AbortError');
  await first;
  assert.equal(pool.stats().done, 1);
});

test('a thousand runs with one signal print no warning', async () => {
  const warnings = [];
  const listen = (warning) => warnings.push(warning.message);
  process.on('warning', listen);
  const { pool } = await openPool();
  const plus = await pool.loadModel(plusOne);
  const { signal } = new AbortController();
  await Promise.all(many(1000, (i) => pool.run(plus, { x: one(i) }, { signal })));
  process.off('warning', listen);
  assert.deepEqual(warnings, []);
});

test('timeout counts from the call, and deadline from the start of the run', async () => {
  const { pool, workers } = await openPool({ size: 1, deadline: 200 });
  const [plus, long] = [await pool.loadModel(plusOne), await pool.loadModel(endless())];
  const going = errorOf(pool.run(long, { x: one(1) }));
  const waiting = errorOf(pool.run(plus, { x: one(1) }, { timeout: 20 }));
  const patient = pool.run(plus, { x: one(7) }, { timeout: 60_000 });
  const late = await waiting;
  assert.deepEqual([late.code, late.limit], ['LIMIT_EXCEEDED', 'timeout']);
  assert.equal(late.message, 'run: the run took more than 20 ms (timeout)');
  const hung = await going;
  assert.deepEqual([hung.code, hung.limit], ['LIMIT_EXCEEDED', 'deadline']);
  assert.deepEqual((await patient).y.data, Float32Array.of(8));
  assert.equal(workers.length, 2);
  assert.equal(pool.stats().timeouts, 2);
});

test('close waits for the runs that were called, and takes no others', async () => {
  const { pool, live } = await openPool();
  const plus = await pool.loadModel(plusOne);
  const runs = many(20, (i) => pool.run(plus, { x: one(i) }));
  const closed = pool.close();
  await assert.rejects(pool.run(plus, { x: one(1) }), { code: 'DISPOSED', message: 'this pool was closed' });
  await assert.rejects(pool.loadModel(plusOne), { code: 'DISPOSED' });
  await closed;
  assert.equal((await Promise.all(runs)).length, 20);
  await until(() => live().length === 0);
  await pool.close();
  await assert.rejects(pool.ready(), { code: 'DISPOSED' });
});

test('close ends runs without end after its deadline', async () => {
  const { pool, live } = await openPool({ size: 1 });
  const long = await pool.loadModel(endless());
  const runs = many(2, () => errorOf(pool.run(long, { x: one(1) })));
  await pool.close({ deadline: 50 });
  for (const { code, message } of await Promise.all(runs))
    assert.deepEqual([code, message], ['DISPOSED', 'this pool was closed']);
  await until(() => live().length === 0);
});

test('a model that was disposed of takes no runs, and those that wait are done', async () => {
  const { pool } = await openPool({ size: 1 });
  const plus = await pool.loadModel(plusOne);
  const runs = many(5, (i) => pool.run(plus, { x: one(i) }));
  plus.dispose();
  plus.dispose();
  await assert.rejects(pool.run(plus, { x: one(1) }), { code: 'DISPOSED', message: 'this model was disposed of' });
  assert.equal((await Promise.all(runs)).length, 5);
  const other = await openPool({ size: 1 });
  await assert.rejects(other.pool.run(plus, { x: one(1) }), {
    code: 'INVALID_ARGUMENT',
    message: "run: model is PoolModel, wanted a model of this pool's loadModel",
  });
});

test('a model that cannot be opened or warmed up is refused, and the pool goes on', async () => {
  const { pool, workers } = await openPool();
  await assert.rejects(pool.loadModel(new Uint8Array(0)), { name: 'OnnxError', code: 'INVALID_MODEL' });
  await assert.rejects(pool.loadModel(plusOne, { warmUp: { z: one(1) } }), { code: 'INVALID_ARGUMENT' });
  await assert.rejects(pool.loadModel(plusOne, { warm: {} }), {
    code: 'INVALID_ARGUMENT',
    message: /no option 'warm'/,
  });
  await assert.rejects(pool.loadModel(plusOne, { signal: AbortSignal.abort() }), { name: 'AbortError' });
  const plus = await pool.loadModel(new Blob([plusOne]));
  assert.deepEqual((await pool.run(plus, { x: one(1) })).y.data, Float32Array.of(2));
  assert.equal(workers.length, 2);
});

test('wrong options are refused before a worker starts, and a worker that does not start is told', async () => {
  for (const [options, message] of [
    [{ size: 0 }, 'loadPool: size is 0, wanted a whole number from 1 to 1024'],
    [{ size: 1e9 }, 'loadPool: size is 1000000000, wanted a whole number from 1 to 1024'],
    [{ size: '2' }, 'loadPool: size is "2", wanted a whole number from 1 to 1024'],
    [{ maxQueue: -1 }, 'loadPool: maxQueue is -1, wanted a whole number or Infinity'],
    [{ restart: 1 }, 'loadPool: restart is 1, wanted true or false'],
    [{ deadline: Number.NaN }, 'loadPool: deadline is NaN, wanted milliseconds'],
    [{ worker: new Worker('', { eval: true }) }, 'loadPool: worker is Object, wanted a function that makes a Worker'],
    [{ threads: 2 }, /^loadPool: no option 'threads'/],
    [{ wasm: 1 }, /^loadPool: wasm is 1, wanted a URL/],
    [{ opset: 0 }, /opset is 0/],
    [{ worker: () => new Worker('throw new Error("no way")', { eval: true }) }, /^loadPool: .*no way/],
  ])
    await assert.rejects(loadPool(options), { name: 'OnnxError', code: 'INVALID_ARGUMENT', message });
  await assert.rejects(loadPool({ signal: AbortSignal.abort() }), { name: 'AbortError' });
});

test('runs wait while workers cannot be started, and are told after five attempts', async () => {
  let isBroken = false;
  const worker = () => {
    if (isBroken) throw new Error('no more threads');
    return thread();
  };
  const pool = await loadPool({ size: 1, worker, deadline: 50 });
  after(() => pool.close({ deadline: 0 }));
  const [plus, long] = [await pool.loadModel(plusOne), await pool.loadModel(endless())];
  isBroken = true;
  await assert.rejects(pool.run(long, { x: one(1) }), { limit: 'deadline' });
  await assert.rejects(pool.run(plus, { x: one(1) }), { code: 'INVALID_ARGUMENT', message: /no more threads/ });
  isBroken = false;
  assert.deepEqual((await pool.run(plus, { x: one(1) })).y.data, Float32Array.of(2));
});

test('histograms have all runs', async () => {
  const { pool } = await openPool({ size: 1 });
  const plus = await pool.loadModel(plusOne);
  await Promise.all(many(30, (i) => pool.run(plus, { x: one(i) })));
  for (const { count, sum, max, buckets } of [pool.stats().wait, pool.stats().run]) {
    assert.equal(count, 30);
    assert.ok(sum >= max && max > 0);
    assert.deepEqual(buckets.at(-1), { le: Infinity, count: 30 });
    for (const [i, { le, count }] of buckets.entries()) {
      if (i > 0) assert.ok(le > buckets[i - 1].le && count >= buckets[i - 1].count);
      if (le >= max) assert.equal(count, 30);
    }
  }
});

test('onRun is told of each run of the pool, and of no other', async () => {
  const events = [];
  const { pool } = await openPool({ onRun: (event) => events.push(event) });
  const plus = await pool.loadModel(plusOne, { warmUp: { x: one(1) } });
  await Promise.all(many(5, (i) => pool.run(plus, { x: one(i) })));
  await assert.rejects(pool.run(plus, {}), { code: 'INVALID_ARGUMENT' });
  assert.equal(events.length, 6);
  assert.ok(events.every(({ model, nodes, microseconds }) => model === plus && nodes === 1 && microseconds > 0));
  assert.equal(events.filter(({ error }) => error?.code === 'INVALID_ARGUMENT').length, 1);
});
