// examples/pool under load: it refuses what it has no room for, and signals and deadlines end what does not end by itself.
import assert from 'node:assert/strict';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { deadly, elementsOf, isDeadly, makePools } from './pools.mjs';

const { PoolClosedError, PoolFullError, feedsOf, folder, openPool, wantedOf } = await makePools('pool-limits');
const numbers = Array.from({ length: 24 }, (_, i) => i);
const never = () => new Promise(() => {});

/** Checks that the pool has all of its room and its workers. */
async function isWell(pool) {
  const runs = Array.from({ length: pool.capacity }, (_, i) => pool.run(() => feedsOf(i)));
  assert.deepEqual(
    (await Promise.all(runs)).map(elementsOf),
    runs.map((_, i) => wantedOf(i)),
  );
}

/** A pool whose workers do not end a deadly task as long as a file is there, and tell with another file that they run one. */
async function openHeld(options) {
  const [held, begun] = ['held', 'begun'].map((name) => join(folder, name));
  writeFileSync(held, '');
  rmSync(begun, { force: true });
  const [heldText, begunText] = [held, begun].map((path) => JSON.stringify(path));
  const during = `if (${isDeadly}) { appendFileSync(${begunText}, '+'); while (existsSync(${heldText})); }`;
  const pool = await openPool(options, { during });
  return Object.assign(pool, {
    free: () => rmSync(held),
    async begun() {
      while (!existsSync(begun)) await setTimeout(5);
    },
  });
}

test('map reads no more items than the pool has room for, and makes no more inputs', async () => {
  const pool = await openPool({ maxQueue: 3 });
  assert.equal(pool.capacity, 5);
  const count = { read: 0, made: 0, done: 0, most: 0 };
  function* items() {
    for (const i of numbers) {
      count.read++;
      yield i;
    }
  }
  const makeFeeds = (i) => {
    count.most = Math.max(count.most, ++count.made - count.done);
    return feedsOf(i);
  };
  for await (const _ of pool.map(items(), makeFeeds)) {
    count.done++;
    assert.ok(count.read - count.done < 5, JSON.stringify(count));
  }
  assert.equal(count.done, numbers.length);
  assert.ok(count.most <= 5, JSON.stringify(count));
});

test('maps that share a pool wait for each other', async () => {
  const pool = await openPool({ maxQueue: 1 });
  const one = async () => {
    const all = [];
    for await (const outputs of pool.map(numbers.slice(0, 8), feedsOf)) all.push(elementsOf(outputs));
    return all;
  };
  const wanted = numbers.slice(0, 8).map(wantedOf);
  assert.deepEqual(await Promise.all([one(), one(), one()]), [wanted, wanted, wanted]);
});

test('a pool that is full refuses a run at once, and makes no input', async () => {
  const pool = await openPool({ maxQueue: 3 });
  let made = 0;
  const runs = numbers.map((i) =>
    pool.run(() => {
      made++;
      return feedsOf(i);
    }),
  );
  const refused = runs.slice(5).map((run) =>
    assert.rejects(run, (error) => {
      assert.ok(error instanceof PoolFullError);
      assert.equal(error.name, 'PoolFullError');
      assert.equal(error.message, 'the pool holds 5 tasks, which is all that it has room for');
      return true;
    }),
  );
  await Promise.all(refused);
  assert.equal(made, 5);
  assert.deepEqual((await Promise.all(runs.slice(0, 5))).map(elementsOf), numbers.slice(0, 5).map(wantedOf));
  await isWell(pool);
});

test('a signal ends a task whose input is never made, which leaves its room', async () => {
  const pool = await openPool({ maxQueue: 1 });
  const given = new AbortController();
  const seen = [];
  const makeFeeds = (signal) => {
    seen.push(signal);
    return never();
  };
  const runs = numbers.slice(0, 3).map(() => pool.run(makeFeeds, { signal: given.signal }));
  await assert.rejects(pool.run(makeFeeds), PoolFullError);
  const reason = new Error('the client went away');
  given.abort(reason);
  for (const run of runs) await assert.rejects(run, { name: 'AbortError', cause: reason });
  assert.deepEqual(
    seen.map(({ aborted }) => aborted),
    [true, true, true],
  );
  await isWell(pool);
  await pool.close();
});

test('an input that fails after its task was aborted is dropped', async () => {
  const pool = await openPool();
  const given = new AbortController();
  let fail;
  const late = new Promise((_, reject) => {
    fail = reject;
  });
  const run = pool.run(() => late, { signal: given.signal });
  given.abort();
  await assert.rejects(run, { name: 'AbortError' });
  fail(new Error('too late'));
  await setImmediate();
  await isWell(pool);
});

test('an aborted run is answered at once, and a worker that ends it by itself lives on', async () => {
  const pool = await openHeld({ threads: 1, maxQueue: 3 });
  const given = new AbortController();
  const run = pool.run(() => structuredClone(deadly), { signal: given.signal });
  const next = pool.run(() => feedsOf(1));
  await pool.begun();
  given.abort();
  await assert.rejects(run, { name: 'AbortError' });
  pool.free(); // so the worker still ran
  assert.deepEqual(elementsOf(await next), wantedOf(1));
  await isWell(pool);
  assert.equal(pool.starts(), 1);
});

test('an aborted run that does not end by itself ends with its worker', async () => {
  const pool = await openPool({}, { during: `while (${isDeadly});` });
  const signal = AbortSignal.timeout(100);
  await assert.rejects(
    pool.run(() => structuredClone(deadly), { signal }),
    { name: 'AbortError' },
  );
  assert.deepEqual(elementsOf(await pool.run(() => feedsOf(0))), wantedOf(0)); // by the other worker, or the new one
  while (pool.starts() < 3) await setTimeout(5);
  await isWell(pool);
  assert.equal(pool.starts(), 3);
});

test('a signal ends a task that waits for a worker, which never gets it', async () => {
  const pool = await openHeld({ threads: 1, maxQueue: 2 });
  const first = pool.run(() => structuredClone(deadly));
  await pool.begun();
  const given = new AbortController();
  const ended = pool.run(() => feedsOf(1), { signal: given.signal });
  const kept = pool.run(() => feedsOf(2));
  await setImmediate();
  given.abort();
  await assert.rejects(ended, { name: 'AbortError' });
  let made = 0;
  await assert.rejects(
    pool.run(() => made++, { signal: given.signal }),
    { name: 'AbortError' },
  );
  assert.equal(made, 0);
  const other = pool.run(() => feedsOf(3)); // there is room for it
  pool.free();
  await assert.rejects(first, { code: 'INVALID_ARGUMENT' });
  assert.deepEqual(elementsOf(await kept), wantedOf(2));
  assert.deepEqual(elementsOf(await other), wantedOf(3));
  assert.equal(pool.starts(), 1);
});

test('1,000 runs with one signal cause no warning', async () => {
  const warnings = [];
  const listen = (warning) => warnings.push(warning);
  process.on('warning', listen);
  const pool = await openPool({ maxQueue: 998 });
  const { signal } = new AbortController();
  await Promise.all(Array.from({ length: 1000 }, () => pool.run(() => feedsOf(0), { signal })));
  await setImmediate();
  process.off('warning', listen);
  assert.deepEqual(warnings, []);
});

test('a pool that was closed takes no tasks, and does those that it has', async () => {
  const pool = await openPool({ threads: 1, maxQueue: 3 });
  const tasks = [0, 1, 2, 3].map((i) => pool.run(() => feedsOf(i)));
  await pool.close();
  assert.deepEqual((await Promise.all(tasks)).map(elementsOf), [0, 1, 2, 3].map(wantedOf));
  await assert.rejects(
    pool.run(() => feedsOf(0)),
    { name: 'PoolClosedError', message: 'the pool was closed' },
  );
});

test('a deadline ends a pool whose tasks do not end', async () => {
  const pool = await openPool({ maxQueue: 4 }, { during: `while (${isDeadly});` });
  const all = [deadly, deadly, feedsOf(0)].map((feeds) => pool.run(() => structuredClone(feeds)));
  all.push(pool.run(never));
  const ended = Promise.all(all.map((run) => assert.rejects(run, PoolClosedError)));
  await pool.close({ deadline: 200 });
  await ended;
  assert.equal(pool.starts(), 2);
  await pool.close(); // which is closed
});

test('a pool whose tasks end does not wait for its deadline', async () => {
  const pool = await openPool();
  const run = pool.run(() => feedsOf(0));
  const closed = pool.close({ deadline: 2 ** 31 - 1 });
  assert.deepEqual(elementsOf(await run), wantedOf(0));
  await closed;
});
