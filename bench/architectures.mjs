// The section Architectures: whole networks with random weights, as exporters write them (tools/models/architectures), in turns with
// onnxruntime-web on one thread, or with another build of Broadloom, in one process. Their weights do not fit the caches, as in
// models that people run. The smallest time of the processor counts: other programs only add to it.
import { join, resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { architectures, singleNodes } from '../tools/models/architectures/index.mjs';
import { halfValue } from '../tools/models/architectures/weights.mjs';
import { root } from '../tools/run.mjs';
import { geometricMean } from './statistics.mjs';

/** Milliseconds of a sample at least, so that a short run is repeated. */
const sample = 15;

const readAndDispose = (results) => {
  for (const tensor of Object.values(results)) {
    if (tensor.data.length !== tensor.size) throw new Error('bench: a tensor without its elements');
    tensor.dispose();
  }
};

/** The elements of all results, copied, by name. */
const elementsOf = (results) => Object.entries(results).map(([name, { type, data }]) => [name, type, data.slice()]);

const tensorsOf = (feeds, make) => Object.fromEntries(feeds.map((feed) => [feed.name, make(feed)]));
const disposeAll = (tensors) => {
  for (const tensor of Object.values(tensors)) tensor.dispose();
};

/**
 * Runs the network once, or once for each of its `steps`: `states` names the outputs of a step that are inputs of the next.
 * @param make - a tensor of { type, elements, dims }
 */
async function runThrough({ steps, states }, given, make, run) {
  if (steps === undefined) return readAndDispose(await run(given));
  const cachesOf = (find) =>
    Object.fromEntries(Object.entries(states).map(([input, output]) => [input, find(input, output)]));
  let caches = cachesOf((input) => given[input]);
  for (const [i, step] of steps.entries()) {
    const tensors = tensorsOf(step, make);
    const results = await run({ ...tensors, ...caches });
    disposeAll(tensors);
    if (i > 0) disposeAll(caches);
    caches = cachesOf((_, output) => results[output]);
    readAndDispose(
      Object.fromEntries(Object.entries(results).filter(([, tensor]) => !Object.values(caches).includes(tensor))),
    );
  }
  disposeAll(caches);
}

/** A build of Broadloom with a model: its memory belongs to this model alone. */
async function broadloomWith(dist, network) {
  const { file, feeds } = network;
  const { load } = await import(join(dist, 'inline.js'));
  const runtime = await load({});
  const make = ({ type, elements, dims }) => runtime.tensor(type, elements, dims);
  const given = tensorsOf(feeds, make);
  const before = runtime.memory().bytesInUse;
  const model = runtime.loadModel(file);
  const results = model.run(given);
  const first = elementsOf(results);
  disposeAll(results);
  const { bytesInUse, planBytes, heapBytes } = runtime.memory();
  return {
    first,
    memory: (bytesInUse - before) / file.length,
    plan: planBytes / file.length,
    heap: heapBytes / file.length,
    run: () => runThrough(network, given, make, (all) => model.run(all)),
    release() {
      model.dispose();
      disposeAll(given);
    },
  };
}

async function onnxruntimeWith(ort, network) {
  const { file, feeds } = network;
  const session = await ort.InferenceSession.create(new Uint8Array(file), {
    executionProviders: ['wasm'],
    logSeverityLevel: 3,
  });
  const make = ({ type, elements, dims }) => new ort.Tensor(type, elements, dims);
  const given = tensorsOf(feeds, make);
  const results = await session.run(given);
  const first = elementsOf(results);
  disposeAll(results);
  const run = () => runThrough(network, given, make, (all) => session.run(all));
  return { first, run, release: () => session.release() };
}

const numbersOf = (type, data) => Float64Array.from(data, type === 'float16' ? halfValue : Number);

/** The norm of the difference over the norm of the result, in the output where it is largest. */
function differenceOf(ours, theirs) {
  const others = new Map(theirs.map(([name, type, data]) => [name, numbersOf(type, data)]));
  const each = ours.map(([name, type, data]) => {
    const [found, wanted] = [numbersOf(type, data), others.get(name)];
    if (found.length !== wanted?.length) return Number.POSITIVE_INFINITY;
    const norm = (of) => Math.sqrt(wanted.reduce((sum, _, i) => sum + of(i) ** 2, 0));
    const difference = norm((i) => (Object.is(found[i], wanted[i]) ? 0 : found[i] - wanted[i]));
    return difference === 0 ? 0 : difference / norm((i) => wanted[i]);
  });
  return Math.max(0, ...each);
}

const bytesOf = ({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength);
const sameBits = (ours, theirs) => ours.every(([, , data], i) => bytesOf(data).equals(bytesOf(theirs[i][2])));

/** Runs until V8 has compiled: its threads count for the processor's time. At most ten seconds. */
async function warmUp(run, times) {
  const end = performance.now() + 10_000;
  for (let quiet = 0; quiet < 5 && performance.now() < end; ) {
    const start = performance.now();
    const busy = await timeOf(run, times);
    quiet = busy * times < 1.1 * (performance.now() - start) ? quiet + 1 : 0;
  }
}

/** Milliseconds of the processor for one run. */
async function timeOf(run, times) {
  const start = process.cpuUsage();
  for (let i = 0; i < times; i++) await run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000 / times;
}

/** Smallest times of contenders in turns. */
async function alternate(contenders, rounds) {
  const each = [];
  for (const { run } of contenders) {
    const once = Math.min(await timeOf(run, 1), await timeOf(run, 1));
    const times = Math.max(1, Math.ceil(sample / Math.max(once, 0.05)));
    await warmUp(run, times);
    each.push({ run, times, least: Number.POSITIVE_INFINITY });
  }
  // Whoever runs after the other finds the other's weights in the caches: both are first equally often.
  for (let i = 0; i < rounds; i++)
    for (const one of i % 2 === 0 ? each : each.toReversed())
      one.least = Math.min(one.least, await timeOf(one.run, one.times));
  return each.map(({ least }) => least);
}

/**
 * Measures a case. Beside another build it does so twice, and the other build is the first to load in the second half: where
 * weights lie in memory changed the time of one build by up to 1.2 times.
 */
async function measureOne({ name, family, make, within }, ort, rounds, against) {
  const network = make();
  const makers = [
    () => broadloomWith(join(root, 'dist'), network),
    () => (against ? broadloomWith(against, network) : onnxruntimeWith(ort, network)),
  ];
  const orders = against
    ? [
        [0, 1],
        [1, 0],
      ]
    : [[0, 1]];
  const least = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  let about;
  for (const order of orders) {
    const contenders = [];
    for (const i of order) contenders[i] = await makers[i]();
    about ??= aboutResults(...contenders, network, within);
    const times = await alternate(contenders, Math.ceil(rounds / orders.length));
    for (const i of order) least[i] = Math.min(least[i], times[i]);
    for (const one of contenders) await one.release();
  }
  return { name, family, ...about, milliseconds: least[0], other: least[1], ratio: least[1] / least[0] };
}

/** Memory of the contenders, and the difference of their results. */
function aboutResults(ours, theirs, { file }, within) {
  const difference = differenceOf(ours.first, theirs.first);
  const beside =
    theirs.memory === undefined ? {} : { otherMemory: theirs.memory, sameBits: sameBits(ours.first, theirs.first) };
  const { memory, plan, heap } = ours;
  return { bytes: file.length, memory, plan, heap, difference, isWrong: !(difference <= within), ...beside };
}

/** The architectures and single nodes with one of these texts in their names; without a text all architectures. */
export const chosenArchitectures = (texts) =>
  texts.length === 0
    ? architectures
    : [...architectures, ...singleNodes].filter(({ name }) => texts.some((text) => name.includes(text)));

/** @returns a row for each case, and geometric means of the families and of all */
export async function measureArchitectures(ort, rounds, [names = '', against = '']) {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc');
  const cases = chosenArchitectures(names.split(',').filter((text) => text !== ''));
  if (cases.length === 0) throw new Error(`bench: no architecture has "${names}" in its name`);
  const rows = [];
  for (const [i, item] of cases.entries()) {
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${i + 1}/${cases.length} ${item.name}`);
    rows.push(await measureOne(item, ort, rounds, against && resolve(against)));
    collectGarbage();
  }
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
  const mean = (some) => geometricMean(some.map(({ ratio }) => ratio));
  const families = [...new Set(rows.map(({ family }) => family))].map((family) => {
    const ofIt = rows.filter((row) => row.family === family);
    return { family, cases: ofIt.length, mean: mean(ofIt) };
  });
  return { against: against || 'onnxruntime-web', mean: mean(rows), families, rows };
}
