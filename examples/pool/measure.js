// node measure.js [images]: how many images a second one runtime and pools of 1 to 4 threads classify, and a pool of 2 threads that
// gets 20 other runs a second, which are aborted.
// node measure.js overload [seconds]: how long a pool takes for an image, and what it does with ten times the images that it can
// classify.
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { createHistogram } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { load } from 'broadloom';
import { decode, feedsOf, readModel } from './direction.js';
import { compileModule, ModelPool, PoolFullError } from './pool.js';

const module = await compileModule();
const ops = await load({ wasm: module });
const file = await readModel();
const picture = await decode(join(import.meta.dirname, 'upright.jpg'));
const makeFeeds = () => feedsOf(ops, picture);
const millisecondsOf = async (work) => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};

const [what, number] = process.argv.slice(2);
if (what === 'overload') {
  // The main thread, which gets the requests, has a processor of its own.
  const threads = Math.max(availableParallelism() - 1, 1);
  for (const maxQueue of [0, threads]) await measureOverload({ threads, maxQueue, seconds: Number(number ?? 10) });
} else {
  await measureThroughput(Number(what ?? 500));
}

async function measureThroughput(count) {
  const rounds = 3;
  const model = ops.loadModel(file);
  const ways = new Map([
    [
      'one runtime',
      () => {
        for (let i = 0; i < count; i++) ops.scope(() => Object.values(model.run(makeFeeds()))[0].toArray());
      },
    ],
  ]);
  const pools = [];
  for (const threads of [1, 2, 4]) {
    const pool = await ModelPool.open(file, { module, threads });
    pools.push(pool);
    ways.set(`a pool of ${threads}`, async () => {
      for await (const _ of pool.map(Array(count), makeFeeds));
    });
    if (threads !== 2) continue;
    // Four callers, so that there is room for the runs that are aborted.
    const four = () => callers(4, count, () => pool.run(makeFeeds));
    ways.set('a pool of 2, four callers', four);
    ways.set('the same, with 20 aborts/s', async () => {
      const timer = setInterval(() => {
        const given = new AbortController();
        const makeLast = () => {
          setTimeout(() => given.abort(), 3); // while the worker runs the model, most times
          return makeFeeds();
        };
        pool.run(makeLast, { signal: given.signal }).catch(() => {});
      }, 50);
      await four();
      clearInterval(timer);
    });
  }

  const times = new Map([...ways.keys()].map((name) => [name, []]));
  // In turns, so that what else the machine does meets all of them. The first round is not counted.
  for (let round = 0; round <= rounds; round++) {
    for (const [name, run] of ways) {
      const time = await millisecondsOf(run);
      if (round > 0) times.get(name).push(time);
    }
  }
  for (const [name, all] of times) {
    const median = all.sort((a, b) => a - b)[Math.floor(rounds / 2)];
    console.log(`${name}: ${((1000 * count) / median).toFixed(0)} images/s`);
  }
  await Promise.all(pools.map((pool) => pool.close()));
}

/** Makes a number of calls; each of the callers waits for its last one. */
async function callers(many, count, call) {
  let left = count;
  const caller = async () => {
    while (left-- > 0) await call();
  };
  await Promise.all(Array.from({ length: many }, caller));
}

/** Images come by the clock, whether those before them are done or not. */
async function measureOverload({ threads, maxQueue, seconds }) {
  const pool = await ModelPool.open(file, { module, threads, maxQueue });
  const [alone, taken, refused] = Array.from({ length: 3 }, () => createHistogram()); // of nanoseconds
  const run = async (told) => {
    const start = performance.now();
    let times = told;
    try {
      await pool.run(makeFeeds);
    } catch (error) {
      if (!(error instanceof PoolFullError)) throw error;
      times = refused;
    }
    times?.record(Math.ceil((performance.now() - start) * 1e6));
  };
  const count = Math.ceil(50 * seconds);
  await callers(threads, count, run); // engines compile what is called often
  await callers(1, count, () => run(alone));
  const capacity = count / (await millisecondsOf(() => callers(threads, count, run))); // images a millisecond

  const memory = [];
  let sent = 0;
  const all = await millisecondsOf(async () => {
    const start = performance.now();
    for (let elapsed = 0; elapsed < 1000 * seconds; elapsed = performance.now() - start) {
      for (; sent < 10 * capacity * elapsed; sent++) run(taken);
      if (elapsed > 100 * memory.length) memory.push(process.memoryUsage.rss());
      await sleep(1);
    }
  });
  await pool.close();

  const perSecond = (many, time = all) => `${((1000 * many) / time).toFixed(0)}/s`;
  const percentile = (times, percent) => `p${percent} ${(times.percentile(percent) / 1e6).toFixed(2)} ms`;
  const told = (times) => [50, 99].map((percent) => percentile(times, percent)).join(', ');
  const inMiB = (bytes) => `${(bytes / 2 ** 20).toFixed(0)} MiB`;
  console.log(`${threads} ${threads === 1 ? 'thread' : 'threads'}, a maxQueue of ${maxQueue}`);
  console.log(`  one image at a time: ${told(alone)}`);
  console.log(`  all threads busy: ${perSecond(capacity, 1)}`);
  console.log(`  sent for ${seconds} s: ${perSecond(sent)}`);
  console.log(`  taken: ${perSecond(taken.count)}, ${told(taken)}`);
  console.log(`  refused: ${perSecond(refused.count)}, ${told(refused)}`);
  console.log(
    `  memory: ${inMiB(memory[0])} at first, ${inMiB(memory.at(-1))} at last, at most ${inMiB(Math.max(...memory))}`,
  );
}
