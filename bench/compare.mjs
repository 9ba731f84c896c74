// `npm run bench:compare -- <folder>`: compares small calls of this build with those of another one, in turns in one process. The
// folder is the other build's dist/. A ratio above 1 means that this build is slower.
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fullEffort, measure, timed } from './measure.mjs';
import { geometricMean } from './statistics.mjs';

const [other] = process.argv.slice(2);
if (other === undefined) {
  console.error('usage: npm run bench:compare -- <dist folder of another build>');
  process.exit(1);
}

/** Small calls of a build, by name; each returns a number. */
async function callsOf(dist) {
  const { load } = await import(join(dist, 'inline.js'));
  const ops = await load({});
  const x = ops.tensor('float32', [1, 2, 3], [3, 1]);
  const value = ops.tensor('float32', [1.5], [1]);
  const list = [1, 2, 3, 4, 5, 6, 7, 8];
  const done = (y) => {
    y.dispose();
    return 1;
  };
  const read = (y) => {
    const first = Number(y.data[0]);
    y.dispose();
    return first;
  };
  return {
    'ops.expand(x, [2, 1, 6])': () => done(ops.expand(x, [2, 1, 6])),
    'ops.expand(x, [2, 1, 6]).data[0]': () => read(ops.expand(x, [2, 1, 6])),
    'ops.constantOfShape([4, 3, 2], { value })': () => done(ops.constantOfShape([4, 3, 2], { value })),
    'ops.constantOfShape([4, 3, 2], { value }).data[0]': () => read(ops.constantOfShape([4, 3, 2], { value })),
    'ops.shape(x, { start: 0, end: 1 }).data[0]': () => read(ops.shape(x, { start: 0, end: 1 })),
    "ops.run('Identity', [x])[0]": () => done(ops.run('Identity', [x])[0]),
    "ops.tensor('float32', list, [8])": () => done(ops.tensor('float32', list, [8])),
    'ops.memory()': () => ops.memory().liveTensors,
  };
}

const effort = { ...fullEffort, budget: 1e9, leastRounds: 201, mostRounds: 1001 };
const theirs = await callsOf(resolve(other));
const ours = await callsOf(fileURLToPath(new URL('../dist', import.meta.url)));
const ratios = [];
for (const [name, call] of Object.entries(ours)) {
  const subject = { name, time: timed(call) };
  const limit = { name, time: timed(theirs[name]) };
  const { time, limitTime, ratio } = await measure({ subject, limit, peers: [] }, effort);
  ratios.push(1 / ratio);
  console.log(`${name.padEnd(52)} ${limitTime.toFixed(0)} -> ${time.toFixed(0)} ns, ${(1 / ratio).toFixed(3)} of it`);
}
console.log(`geometric mean ${geometricMean(ratios).toFixed(3)}`);
