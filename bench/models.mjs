// The section Models: whole models and products with constant weights, in turns with onnxruntime-web on one thread in the same
// process. The results are compared.
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { feedsOfRealModel, readRealModel, realModels } from '../tests/models/real-models.mjs';
import { bert, decoder } from '../tools/models/generated.mjs';
import { GraphBuilder } from '../tools/models/graph-builder.mjs';
import { root } from '../tools/run.mjs';
import { layerCases } from './layers.mjs';
import { measureNodes } from './nodes.mjs';
import { countOf, floats } from './numbers.mjs';
import { geometricMean, median } from './statistics.mjs';

function weight(g, hint, dims) {
  return g.weight(hint, dims, Buffer.from(floats(countOf(dims)).buffer));
}

function product(operator, [m, k, n]) {
  const g = new GraphBuilder(17);
  const x = g.input('x', 'float32', [m, k]);
  if (operator === 'MatMul') g.op('MatMul', [x, weight(g, 'w', [k, n])], {}, ['y']);
  else g.op('Gemm', [x, weight(g, 'w', [n, k]), weight(g, 'c', [n])], { transB: 1 }, ['y']);
  g.output('y', 'float32', [m, n]);
  return g.model('product');
}

/** 200 operators that compute a shape. */
function shapes() {
  const g = new GraphBuilder(17);
  const x = g.input('x', 'float32', ['rows', 'columns']);
  let shape = g.op('Shape', [x]);
  for (let i = 0; i < 66; i++) {
    const sum = g.op('Add', [shape, g.op('Gather', [shape, g.int(i % 2)], { axis: 0 })]);
    shape = g.op('Mul', [sum, g.ints([1])]);
  }
  g.op('Identity', [shape], {}, ['y']);
  g.output('y', 'int64', [2]);
  return g.model('shapes');
}

/** The models of the packages in tests/models, if they are installed. */
const realCases = existsSync(join(root, 'tests/models/node_modules'))
  ? Object.keys(realModels).map((file) => ({
      name: `${basename(file, '.onnx')} of ${file.split('/')[file.startsWith('@') ? 1 : 0]}`,
      isModel: true,
      make: () => readRealModel(file),
      feeds: (model) =>
        Object.entries(feedsOfRealModel(file, model)).map(([name, feed]) => {
          const { type, data, dims } = typeof feed === 'function' ? feed(0) : feed;
          return { name, type, elements: data, dims };
        }),
    }))
  : [];

const sizes = [
  [1, 384, 1536],
  [1, 2400, 32],
  [8, 384, 1536],
  [128, 384, 1536],
  [512, 512, 512],
];

/** Models by name. The geometric mean is over those with `isModel`. */
export const modelCases = [
  ...realCases,
  { name: 'small BERT, 2 layers of 64', isModel: true, make: () => bert({ layers: 2, hidden: 64, heads: 4 }) },
  { name: 'small BERT, 2 layers of 128', isModel: true, make: () => bert({ layers: 2, hidden: 128, heads: 4 }) },
  {
    name: 'decoder slice, 2 layers of 128',
    isModel: true,
    make: () => decoder({ layers: 2, hidden: 128, heads: 32, groups: 8 }),
  },
  { name: '200 operators on shapes', make: shapes },
  ...['MatMul', 'Gemm'].flatMap((operator) =>
    sizes.map((dims) => ({ name: `${operator} ${dims.join('x')}`, make: () => product(operator, dims) })),
  ),
  ...layerCases,
];

const sizeOf = (name) => (/past/.test(name) ? 4 : /total/.test(name) ? 12 : /batch/.test(name) ? 1 : 8);

/** The feeds of a model: type, elements and dims by name. */
function feedsOf(model) {
  return model.inputs.map(({ name, type, dims }) => {
    const given = dims.map((size) => (typeof size === 'number' ? size : sizeOf(String(size))));
    const count = countOf(given);
    const integers = (i) => (/mask/.test(name) ? 1n : /type/.test(name) ? 0n : BigInt(i % 16));
    const elements =
      type === 'int64'
        ? BigInt64Array.from({ length: count }, (_, i) => integers(i))
        : type === 'uint8'
          ? Uint8Array.from({ length: count }, (_, i) => (i * 37) % 256)
          : floats(count);
    return { name, type, elements, dims: given };
  });
}

function disposeAll(results) {
  for (const tensor of Object.values(results)) tensor.dispose();
}

/** Reads what a run gave: Broadloom leaves layouts as they are until then. */
function readAndDispose(results) {
  for (const tensor of Object.values(results)) {
    if (tensor.data.length !== tensor.size) throw new Error('bench: a tensor without its elements');
  }
  disposeAll(results);
}

/** Whether elements differ by at most `tolerance`, which is a thousandth of the largest element where it is not given. */
function agree(ours, theirs, tolerance) {
  for (const name of Object.keys(ours)) {
    const [found, wanted] = [ours[name].data, theirs[name].data].map((data) => Array.from(data, Number));
    const largest = wanted.reduce((most, value) => Math.max(most, Math.abs(value)), 1);
    const most = tolerance ?? 1e-3 * largest;
    if (found.length !== wanted.length || found.some((value, i) => Math.abs(value - wanted[i]) > most)) return false;
  }
  return true;
}

/** A function that runs the model in this runtime and reads what it gave. */
export function preparedRun({ make, feeds = feedsOf }, runtime) {
  const model = runtime.loadModel(make());
  const tensors = Object.fromEntries(
    feeds(model).map(({ name, type, elements, dims }) => [name, runtime.tensor(type, elements, dims)]),
  );
  return {
    run: () => readAndDispose(model.run(tensors)),
    dispose() {
      model.dispose();
      disposeAll(tensors);
    },
  };
}

async function millisecondsOf(call, times) {
  const start = performance.now();
  for (let i = 0; i < times; i++) await call();
  return (performance.now() - start) / times;
}

export async function measureOne(item, runtime, ort, rounds) {
  const { name, isModel = false, make, feeds: givenFeeds = feedsOf, tolerance } = item;
  const bytes = make();
  const model = runtime.loadModel(bytes);
  const session = await ort.InferenceSession.create(new Uint8Array(bytes), { executionProviders: ['wasm'] });
  const feeds = givenFeeds(model);
  const ours = Object.fromEntries(feeds.map((it) => [it.name, runtime.tensor(it.type, it.elements, it.dims)]));
  const theirs = Object.fromEntries(feeds.map((it) => [it.name, new ort.Tensor(it.type, it.elements, it.dims)]));
  const [found, wanted] = [model.run(ours), await session.run(theirs)];
  if (!agree(found, wanted, tolerance)) throw new Error(`bench: ${name}: onnxruntime-web has another result`);
  disposeAll(found);
  disposeAll(wanted);
  const runOurs = () => readAndDispose(model.run(ours));
  const runTheirs = async () => readAndDispose(await session.run(theirs));
  const times = Math.max(1, Math.ceil(5 / Math.max(await millisecondsOf(runTheirs, 10), 1e-3)));
  await millisecondsOf(runOurs, 20 * times);
  await millisecondsOf(runTheirs, 20 * times);
  const pairs = [];
  for (let i = 0; i < rounds; i++)
    pairs.push([await millisecondsOf(runOurs, times), await millisecondsOf(runTheirs, times)]);
  model.dispose();
  disposeAll(ours);
  await session.release();
  return {
    name,
    isModel,
    microseconds: 1000 * median(pairs.map(([own]) => own)),
    onnxruntimeWeb: 1000 * median(pairs.map(([, other]) => other)),
    ratio: median(pairs.map(([own, other]) => other / own)),
  };
}

/** The time to load a model, and the time to create a session. */
async function measureLoading(runtime, ort, bytes) {
  const file = bert({ layers: 12, bytes });
  const pairs = [];
  for (let i = 0; i < 5; i++) {
    const own = await millisecondsOf(() => runtime.loadModel(file).dispose(), 1);
    const other = await millisecondsOf(
      async () => (await ort.InferenceSession.create(new Uint8Array(file), { executionProviders: ['wasm'] })).release(),
      1,
    );
    pairs.push([own, other]);
  }
  return {
    name: `loading ${(file.length / 1e6).toFixed(0)} MB`,
    isModel: false,
    microseconds: 1000 * median(pairs.map(([own]) => own)),
    onnxruntimeWeb: 1000 * median(pairs.map(([, other]) => other)),
    ratio: median(pairs.map(([own, other]) => other / own)),
  };
}

/** @returns a row for each case, the geometric mean of the models' ratios, and the time of a node besides its kernel */
export async function measureModels(runtime, ort, rounds) {
  const rows = [];
  for (const item of modelCases) rows.push(await measureOne(item, runtime, ort, rounds));
  rows.push(await measureLoading(runtime, ort, 6e7));
  const mean = geometricMean(rows.filter(({ isModel }) => isModel).map(({ ratio }) => ratio));
  return { rows, mean, nodes: measureNodes(runtime, rounds) };
}
