// A pool that is sent ten times the runs that it can do, by the clock: it refuses at once what it does not take, and what it takes
// waits for no longer than maxQueue lets it. A short run has no bound in milliseconds; a deep one has, and takes five minutes.
import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
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

const percentile = (values, share) => values.toSorted((a, b) => a - b)[Math.ceil(share * values.length) - 1];
const told = (values) => `p50 ${percentile(values, 0.5).toFixed(1)} ms, p99 ${percentile(values, 0.99).toFixed(1)} ms`;
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
    const counts = { sent: 0, right: 0, wrong: 0, refused: 0, late: 0, other: [] };

    /** Sends a run, and returns how long it took; undefined where it was refused. */
    const send = async () => {
      const { feeds, wanted } = cases[counts.sent++ % cases.length];
      const [began, turnOfCall] = [performance.now(), turn];
      try {
        const { y } = await pool.run(model, feeds, { timeout: 60_000 });
        counts[Buffer.compare(Buffer.from(y.data.buffer), Buffer.from(wanted.buffer)) === 0 ? 'right' : 'wrong']++;
        return performance.now() - began;
      } catch (error) {
        if (!(error instanceof OnnxError && error.limit === 'maxQueue')) counts.other.push(error);
        counts.refused++;
        if (turn !== turnOfCall) counts.late++;
      }
    };
    const measureAlone = async () => {
      const times = [];
      while (times.length < alone) times.push(await send());
      return times;
    };
    const before = await measureAlone();
    const [beganBusy, runsBusy] = [performance.now(), alone * size];
    await Promise.all(Array.from({ length: size }, measureAlone));
    const capacity = runsBusy / (performance.now() - beganBusy); // runs a millisecond
    assert.equal(counts.refused, 0);
    heaps.clear();
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const timersBefore = timers();

    const times = [];
    const memory = [];
    const began = performance.now();
    const sentBefore = counts.sent;
    for (let elapsed = 0; elapsed < seconds * 1000; elapsed = performance.now() - began) {
      setImmediate(() => turn++);
      for (const due = sentBefore + elapsed * overload * capacity; counts.sent < due; )
        send().then((time) => time !== undefined && times.push(time));
      if (elapsed > 20 * memory.length) memory.push(process.memoryUsage.rss());
      await sleep(1);
    }
    const [sent, elapsed] = [counts.sent - sentBefore, performance.now() - began];
    while (times.length + counts.refused < sent && counts.other.length + counts.wrong === 0) await sleep(1);
    const { done, failed, refused, aborts, timeouts, retries, restarts, depth, busy } = pool.stats();
    assert.deepEqual(counts.other, []);
    assert.equal(counts.wrong, 0);
    assert.equal(counts.late, 0);
    assert.equal(times.length + counts.refused, sent);
    assert.ok(counts.refused > 0);
    assert.deepEqual(
      { done, failed, refused, aborts, timeouts, retries, restarts, depth, busy },
      {
        ...{ done: counts.right, failed: 0, refused: counts.refused },
        ...{ aborts: 0, timeouts: 0, retries: 0, restarts: 0, depth: 0, busy: 0 },
      },
    );
    assert.equal(timers(), timersBefore);
    // The memory of a runtime holds the largest run from the first one on.
    assert.equal(heaps.size, 1);
    // Garbage of JavaScript comes and goes: the least of the second half counts.
    const half = memory.length >> 1;
    const [first, second] = [memory.slice(0, half), memory.slice(half)];
    const grown = Math.min(...second) - Math.max(...first);
    assert.ok(grown < 50 * 2 ** 20, `${inMiB(grown)} MiB more after half of the time`);

    const later = await measureAlone();
    assert.equal(counts.refused, refused);
    const ratio = percentile(times, 0.99) / percentile(before, 0.99);
    const perSecond = (count) => `${((1000 * count) / elapsed).toFixed(0)}/s`;
    console.log(`# ${size} workers, maxQueue ${maxQueue}; one run at a time: ${told(before)}`);
    console.log(`# capacity ${(1000 * capacity).toFixed(0)}/s; ${seconds} s of ${perSecond(sent)}:`);
    console.log(
      `# ${perSecond(times.length)} taken, ${perSecond(refused)} refused; ${told(times)}, ${ratio.toFixed(2)} times`,
    );
    console.log(`# memory ${inMiB(memory[0])} to ${inMiB(memory.at(-1))} MiB, at most ${inMiB(Math.max(...memory))}`);
    console.log(`# one run at a time again: ${told(later)}`);
    if (!isDeep) return;
    assert.ok(ratio < bound, `${ratio} times as long, wanted less than ${bound}`);
    const change = percentile(later, 0.5) / percentile(before, 0.5);
    assert.ok(change < 1.5, `${change} times as long as before`);
  });
}
