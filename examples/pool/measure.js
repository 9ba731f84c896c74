// node measure.js [images]: how many images a second one runtime and pools of 1 to 4 threads classify, and a pool of 2 threads that
// gets 20 other runs a second, which are aborted.
import { join } from 'node:path';
import { load } from 'broadloom';
import { decode, feedsOf, readModel } from './direction.js';
import { compileModule, ModelPool } from './pool.js';

const count = Number(process.argv[2] ?? 500);
const rounds = 3;
const module = await compileModule();
const ops = await load({ wasm: module });
const file = await readModel();
const picture = await decode(join(import.meta.dirname, 'upright.jpg'));
const makeFeeds = () => feedsOf(ops, picture);

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
  const four = async () => {
    let left = count;
    const caller = async () => {
      while (left-- > 0) await pool.run(makeFeeds);
    };
    await Promise.all([caller(), caller(), caller(), caller()]);
  };
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

const seconds = new Map([...ways.keys()].map((name) => [name, []]));
// In turns, so that what else the machine does meets all of them. The first round is not counted.
for (let round = 0; round <= rounds; round++) {
  for (const [name, run] of ways) {
    const start = performance.now();
    await run();
    if (round > 0) seconds.get(name).push((performance.now() - start) / 1000);
  }
}
for (const [name, all] of seconds) {
  const median = all.sort((a, b) => a - b)[Math.floor(rounds / 2)];
  console.log(`${name}: ${(count / median).toFixed(0)} images/s`);
}
await Promise.all(pools.map((pool) => pool.close()));
