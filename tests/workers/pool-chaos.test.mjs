// A pool under fire: workers that are killed all the time, and runs that are given up. Deep runs have a million runs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { loadPool } from '../../dist/node.js';
import { isDeep } from '../depth.mjs';
import { one, plusOne } from './helpers.mjs';

const runs = isDeep ? 1_000_000 : 20_000;
const pause = isDeep ? 1000 : 100; // milliseconds between two kills
const atOnce = 200;

test('nothing is lost but what was given up, and nothing stays, while workers are killed', async () => {
  const workers = new Set();
  const worker = () => {
    const made = new Worker(new URL('../../dist/worker-node.js', import.meta.url), { execArgv: [] });
    workers.add(made);
    made.once('exit', () => workers.delete(made));
    return made;
  };
  const pool = await loadPool({ size: 2, maxQueue: atOnce, worker });
  const model = await pool.loadModel(plusOne, { warmUp: { x: one(0) } });
  const counts = { right: 0, wrong: 0, aborted: 0, other: [] };
  const run = async (i) => {
    const controller = i % 20 === 0 ? new AbortController() : undefined;
    const result = pool.run(model, { x: one(i) }, { signal: controller?.signal });
    // Some are given up while they wait, others while they run.
    if (controller) setTimeout(() => controller.abort(), i % 3);
    try {
      const { y } = await result;
      counts[y.data.length === 1 && y.data[0] === Math.fround(i + 1) ? 'right' : 'wrong']++;
    } catch (error) {
      if (error.name === 'AbortError' && controller) counts.aborted++;
      else counts.other.push(`${error.code}: ${error.message}`);
    }
  };
  let isOver = false;
  let kills = 0;
  const killing = (async () => {
    for (; !isOver; await sleep(pause)) {
      const [victim] = [...workers].sort(() => Math.random() - 0.5);
      if (await victim?.terminate()) kills++;
      await pool.ready(); // one that is killed before it is there teaches nothing about runs
    }
  })();
  let next = 0;
  const lanes = Array.from({ length: atOnce }, async () => {
    while (next < runs) await run(next++);
  });
  const memory = [];
  const watching = (async () => {
    for (; !isOver; await sleep(pause)) memory.push(process.memoryUsage().rss);
  })();
  await Promise.all(lanes);
  isOver = true;
  await Promise.all([killing, watching]);
  const { done, aborts, failed, refused, depth, restarts } = pool.stats();
  assert.deepEqual(counts.other, []);
  assert.equal(counts.wrong, 0);
  assert.equal(counts.right + counts.aborted, runs);
  assert.deepEqual(
    { done, aborts, failed, refused, depth },
    { done: counts.right, aborts: counts.aborted, failed: 0, refused: 0, depth: 0 },
  );
  assert.ok(counts.aborted <= runs / 20);
  assert.ok(kills > 0 && restarts > 0, `${kills} kills, ${restarts} restarts`);
  await pool.ready();
  assert.equal(workers.size, 2);
  await pool.close();
  while (workers.size > 0) await sleep(5);
  // Garbage comes and goes: the least of the second half counts.
  const half = memory.length >> 1;
  const grown = (Math.min(...memory.slice(half)) - Math.max(...memory.slice(0, half))) / 2 ** 20;
  assert.ok(grown < 50, `${grown.toFixed(0)} MiB more after half of the runs`);
  console.log(`# ${runs} runs, ${counts.aborted} given up, ${kills} kills, ${restarts} restarts`);
});
