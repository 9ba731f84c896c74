// A pool that is sent ten times the runs that it can do, by the clock: it refuses at once what it does not take, and what it takes
// waits for no longer than maxQueue lets it. A short run has no bound in milliseconds; a deep one has, and takes five minutes.
import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { createHistogram } from 'node:perf_hooks';
import process from 'node:process';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { loadPool, OnnxError } from '../../dist/node.js';
import { isDeep } from '../depth.mjs';
import { one, ops } from './helpers.mjs';
import { counted } from './models.mjs';

// The event loop, which sends the runs, has a processor of its own.
const size = Math.min(Math.max(availableParallelism() - 1, 1), 4);
const milliseconds = 10; // of a run, at least: long beside what its messages take
const alone = isDeep ? 1000 : 50; // runs that are sent one at a time
const overload = 10;

const newTimes = () => createHistogram(); // of nanoseconds
const percentile = (times, percent) => times.percentile(percent) / 1e6;
const told = (times) => [50, 99].map((percent) => `p${percent} ${percentile(times, percent).toFixed(2)} ms`).join(', ');
const inMiB = (bytes) => (bytes / 2 ** 20).toFixed(0);

/** Feeds whose run takes about as long as it should on this machine, and the elements that a runtime gives for them. */
function makeFeeds() {
  const model = ops.loadModel(counted());
  const feedsOf = (i, count) => ({
    x: one(...Array.from({ length: 256 }, (_, j) => Math.cos(i + j))),
    count: { type: 'int64', dims: [], data: BigInt64Array.of(BigInt(Math.round(count))) },
  });
  const run = (feeds) => ops.scope(() => model.run(feeds).y.toArray());
  const timeOf = (feeds) => {
    const began = performance.now();
    run(feeds);
    return performance.now() - began;
  };
  let count = 500;
  // The least of a few: the machine may do something else meanwhile.
  while (Math.min(...Array.from({ length: 5 }, () => timeOf(feedsOf(0, count)))) < milliseconds) count *= 1.5;
  return Array.from({ length: 7 }, (_, i) => {
    const feeds = feedsOf(i, count);
    return { feeds, wanted: run(feeds) };
  });
}

const cases = makeFeeds();

for (const [maxQueue, seconds] of [
  [0, isDeep ? 300 : 2],
  [size, isDeep ? 60 : 2],
]) {
  // A run that is taken waits for maxQueue others, which the workers share, and then runs. Once as long is for the noise of a machine.
  const bound = 2 + maxQueue / size;
  const title = `${overload} times the capacity is refused at once and changes nothing for the rest, with a maxQueue of ${maxQueue}`;
  test(title, async () => {
    let turn = 0; // of the event loop: the end of those that call, and a worker's answer
    const worker = () => {
      const made = new Worker(new URL('../../dist/worker-node.js', import.meta.url), { execArgv: [] });
      return made.on('message', () => turn++);
    };
    const heaps = new Set();
    const pool = await loadPool({ size, maxQueue, worker, onRun: ({ bytes }) => heaps.add(bytes) });
    after(() => pool.close({ deadline: 0 }));
    const model = await pool.loadModel(counted(), { warmUp: cases[0].feeds });
    const counts = { sent: 0, right: 0, wrong: 0, late: 0, other: [] };
    const [before, busy, taken, refused, later] = Array.from({ length: 5 }, newTimes);

    /** Sends a run, and adds how long it took. */
    const send = async (times) => {
      const { feeds, wanted } = cases[counts.sent++ % cases.length];
      const [began, turnOfCall] = [performance.now(), turn];
      const since = () => Math.ceil((performance.now() - began) * 1e6);
      try {
        const { y } = await pool.run(model, feeds, { timeout: 60_000 });
        times.record(since());
        counts[Buffer.compare(Buffer.from(y.data.buffer), Buffer.from(wanted.buffer)) === 0 ? 'right' : 'wrong']++;
      } catch (error) {
        refused.record(since());
        if (!(error instanceof OnnxError && error.limit === 'maxQueue')) counts.other.push(error);
        if (turn !== turnOfCall) counts.late++;
      }
    };
    const sendAlone = async (times) => {
      for (let i = 0; i < alone; i++) await send(times);
    };
    await sendAlone(before);
    const beganBusy = performance.now();
    await Promise.all(Array.from({ length: size }, () => sendAlone(busy)));
    const capacity = busy.count / (performance.now() - beganBusy); // runs a millisecond
    assert.equal(refused.count, 0);
    heaps.clear();
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const timersBefore = timers();

    const memory = [];
    const began = performance.now();
    const sentBefore = counts.sent;
    for (let elapsed = 0; elapsed < seconds * 1000; elapsed = performance.now() - began) {
      setImmediate(() => turn++);
      for (const due = sentBefore + elapsed * overload * capacity; counts.sent < due; ) void send(taken);
      if (elapsed > 20 * memory.length) memory.push(process.memoryUsage.rss());
      await sleep(1);
    }
    const [sent, elapsed] = [counts.sent - sentBefore, performance.now() - began];
    while (taken.count + refused.count < sent) await sleep(1);
    const { wait, run, ...stats } = pool.stats();
    assert.deepEqual(counts.other, []);
    assert.equal(counts.wrong, 0);
    assert.equal(counts.late, 0);
    assert.equal(counts.right, counts.sent - refused.count);
    assert.ok(taken.count > 0 && refused.count > 0);
    assert.deepEqual(stats, {
      ...{ size, ready: size, busy: 0, depth: 0, done: counts.right, failed: 0, refused: refused.count },
      ...{ aborts: 0, timeouts: 0, retries: 0, restarts: 0 },
    });
    assert.deepEqual([wait.count, run.count], [counts.right, counts.right]);
    assert.equal(timers(), timersBefore);
    // The memory of a runtime holds the largest run from the first one on.
    assert.equal(heaps.size, 1);
    // Garbage of JavaScript comes and goes: the least of the second half counts.
    const half = memory.length >> 1;
    const [first, second] = [memory.slice(0, half), memory.slice(half)];
    const grown = Math.min(...second) - Math.max(...first);
    assert.ok(grown < 50 * 2 ** 20, `${inMiB(grown)} MiB more after half of the time`);

    await sendAlone(later);
    assert.deepEqual([later.count, counts.wrong], [alone, 0]);
    const ratio = percentile(taken, 99) / percentile(before, 99);
    const change = percentile(later, 50) / percentile(before, 50);
    const perSecond = (count) => `${((1000 * count) / elapsed).toFixed(0)}/s`;
    for (const line of [
      `${size} workers, maxQueue ${maxQueue}; one run at a time: ${told(before)}`,
      `all workers busy: ${(1000 * capacity).toFixed(0)}/s; sent for ${seconds} s: ${perSecond(sent)}`,
      `taken: ${perSecond(taken.count)}, ${told(taken)}, ${ratio.toFixed(2)} times the p99 of one at a time`,
      `refused: ${perSecond(refused.count)}, ${told(refused)}`,
      `memory after each quarter: ${[0, 1, 2, 3, 4].map((i) => inMiB(memory[Math.floor((i * (memory.length - 1)) / 4)])).join(', ')} MiB`,
      `one run at a time again: ${told(later)}`,
    ])
      console.log(`# ${line}`);
    if (!isDeep) return;
    assert.ok(ratio < bound, `${ratio} times as long, wanted less than ${bound}`);
    assert.ok(change < 1.5, `${change} times as long as before`);
  });
}
