// `npm run bench:compare -- <folder> [calls] [models]`: compares small calls of this build with small calls of another one, in
// turns in one process. With `calls` or `models`, it also compares the benchmarks' calls of operators or their models. The folder
// is the other build's dist/. A ratio above 1 means that this build is slower.
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { callModels } from './calls.mjs';
import { fullEffort, measure, tableEffort, timed } from './measure.mjs';
import { modelCases, preparedRun } from './models.mjs';
import { geometricMean } from './statistics.mjs';

const [other, ...sections] = process.argv.slice(2);
if (other === undefined || sections.some((section) => !/^(calls|models)$/.test(section))) {
  console.error('usage: npm run bench:compare -- <dist folder of another build> [calls] [models]');
  process.exit(1);
}
const dists = { ours: fileURLToPath(new URL('../dist', import.meta.url)), theirs: resolve(other) };

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
/**
 * Prints the times of two calls of one name, and returns by how much ours is slower. Each is the subject once: where memory is the
 * limit, the subject seems 1.03 to 1.1 times as slow as the same build in the other role.
 */
async function compare(name, ours, theirs, how) {
  const [our, their] = [ours, theirs].map((call) => ({ name, time: timed(call) }));
  const first = await measure({ subject: our, limit: their, peers: [] }, how);
  const second = await measure({ subject: their, limit: our, peers: [] }, how);
  const slower = Math.sqrt(second.ratio / first.ratio);
  console.log(
    `${name.padEnd(52)} ${first.limitTime.toFixed(0)} -> ${first.time.toFixed(0)} ns, ${slower.toFixed(3)} of it`,
  );
  return slower;
}

const small = { ours: await callsOf(dists.ours), theirs: await callsOf(dists.theirs) };
const ratios = [];
for (const [name, call] of Object.entries(small.ours))
  ratios.push(await compare(name, call, small.theirs[name], effort));
console.log(`geometric mean ${geometricMean(ratios).toFixed(3)}`);

const models = { calls: () => callModels(), models: () => modelCases };
for (const section of sections) {
  const runtimes = [];
  for (const dist of [dists.ours, dists.theirs]) runtimes.push(await (await import(join(dist, 'inline.js'))).load({}));
  const rows = [];
  for (const item of models[section]()) {
    const [ours, theirs] = runtimes.map((runtime) => preparedRun(item, runtime));
    const run =
      ({ run: one }) =>
      () => {
        one();
        return 1;
      };
    rows.push({ name: item.name, ratio: await compare(item.name, run(ours), run(theirs), tableEffort) });
    for (const { dispose } of [ours, theirs]) dispose();
  }
  const slower = rows.filter(({ ratio }) => ratio > 1.02).sort((a, b) => b.ratio - a.ratio);
  console.log(`${section}: geometric mean ${geometricMean(rows.map(({ ratio }) => ratio)).toFixed(3)}`);
  for (const { name, ratio } of slower) console.log(`slower: ${ratio.toFixed(3)} ${name}`);
}
