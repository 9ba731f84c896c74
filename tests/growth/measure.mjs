// Measures what is done with a file: the processor time of each stage, and the heap of a runtime of its own.
import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { loadSync } from '../../dist/node.js';
import { isDeep } from '../depth.mjs';

const module = new WebAssembly.Module(readFileSync(new URL('../../dist/broadloom.wasm', import.meta.url)));

// When the heap of wasm grows, the engine collects garbage, such as the garbage of making the file. That takes longer than the
// work.
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

/** The processor time of this process so far, in ms. Other processes on the machine do not count. */
function processorTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Everything that a person, or the command `inspect`, can ask of a model. */
function describe(model) {
  let seen = 0;
  const visit = (nodes) => {
    for (const node of nodes) {
      seen += node.inputs.length + node.outputs.length + Object.keys(node.attributes).length;
      for (const name of Object.keys(node.attributes)) seen += typeof node.attributes[name] === 'object' ? 1 : 2;
      for (const inner of Object.values(node.graphs ?? {})) visit(inner);
    }
  };
  visit(model.nodes);
  const { inputs, outputs, initializers, metadata, warnings } = model;
  return seen + JSON.stringify([inputs, outputs, initializers, metadata, warnings]).length;
}

const disposeAll = (tensors) => {
  for (const tensor of Object.values(tensors)) tensor.dispose();
};

const isRead = (_one, { model }) => model !== undefined;
const runs = (one, { model }) => one.feeds !== undefined && model !== undefined;
/** The stages of a file, in order. Each works on the state that the stages before it share; `applies` says whether it is one of a case. */
const stages = {
  load: {
    work(state, { file, allowUnsupported, external }) {
      state.model = state.ops.loadModel(file, { allowUnsupported, external });
    },
  },
  describe: { applies: isRead, work: ({ model }) => describe(model) },
  plan: { applies: runs, work: ({ model }, { feeds }) => disposeAll(model.run(feeds)) },
  run: { applies: runs, work: ({ model }, { feeds }) => disposeAll(model.run(feeds)) },
  profile: {
    applies: (one, state) => isDeep && runs(one, state),
    work: ({ model }, { feeds }) => model.profile(feeds),
  },
  byNode: {
    applies: (one, state) => isDeep && runs(one, state),
    work({ ops }, { file, feeds, external }) {
      const plain = ops.loadModel(file, { optimize: false, external });
      disposeAll(plain.run(feeds));
      plain.dispose();
    },
  },
  dispose: { applies: isRead, work: ({ model }) => model.dispose() },
  simplify: {
    applies: ({ simplifies }) => simplifies !== false,
    work: ({ ops }, { file, external, options }) => ops.simplify(file, { external, ...options }),
  },
  simplifyMore: {
    applies: ({ simplifies }) => simplifies !== false,
    work: ({ ops }, { file, external, options }) =>
      ops.simplify(file, { external, fuseInexact: true, valueInfo: true, unroll: 8, maxGrowth: '100%', ...options }),
  },
};

/** In place of a model: work with tensors, files of tensors and calls of operators. */
const call = { call: { work: ({ ops }, { call: work }) => ops.scope(() => void work(ops)) } };

/**
 * Runs the stages of a case `times` times, each time in a runtime of its own. Returns for each stage the least time, in ms, and the
 * size of the heap after it, in bytes. `isClean` collects garbage before each stage.
 */
export function measure(one, times, { isClean = false } = {}) {
  const found = {};
  for (let i = 0; i < times; i++) {
    const state = { ops: loadSync(module) };
    for (const [name, { applies, work }] of Object.entries(one.call ? call : stages)) {
      if (applies !== undefined && !applies(one, state)) continue;
      // The memory of simplify is measured apart from the memory of runs.
      if (name === 'simplify') state.ops = loadSync(module);
      if (isClean) collect();
      const start = processorTime();
      let error;
      try {
        work(state, one);
      } catch (caught) {
        error = caught;
      }
      const time = processorTime() - start;
      checkOutcome(one, name, error);
      const heap = state.ops.memory().heapBytes;
      found[name] = { time: Math.min(time, found[name]?.time ?? Infinity), heap };
    }
  }
  return found;
}

function checkOutcome({ refused, refusedBy = {}, isEither = false }, stage, error) {
  const wanted = refusedBy[stage] ?? refused ?? (isEither && error !== undefined ? /./ : undefined);
  if (wanted === undefined) {
    if (error !== undefined) throw error;
    return;
  }
  if (error?.name !== 'OnnxError' || !wanted.test(error.message))
    throw new Error(`${stage}: wanted an error like ${wanted}, got ${error?.message ?? 'none'}`, { cause: error });
}

/** By how much a file may grow in a step, and how much more than it time and memory may. A quadratic takes 8 times the step's. */
export const step = 8;
const excess = 32 / step; // caches are smaller than large files: linear work may take twice as long for each byte
const leastTime = 4; // ms: less says nothing about growth
const certainTime = 1500; // ms: no accident
// A runtime begins with a heap of 1 MiB, which is not full, and grows in steps.
const firstHeap = 2 ** 20;
const leastHeap = 8 * firstHeap;

/** The growth of a stage's time and heap relative to the growth of the file: 1 if they are proportional. */
function ratios(small, large, files) {
  const time = large.time < leastTime ? 0 : large.time / Math.max(small.time, leastTime / step) / files;
  const heap =
    large.heap < leastHeap ? 0 : (large.heap - firstHeap) / Math.max(small.heap - firstHeap, firstHeap / 2) / files;
  return { time, heap };
}

const sizeOf = ({ file, bytes }) => bytes ?? file.length;

/** Makes a thing with n and with 8 n parts, and compares. Returns a row for each stage. */
function compare(make, n, settings) {
  const [small, large] = [make(n), make(n * step)];
  const files = sizeOf(large) / sizeOf(small);
  const [less, more] = [measure(small, 3, settings), measure(large, 1, settings)];
  return Object.keys(more).map((stage) => {
    const { time, heap } = ratios(less[stage], more[stage], files);
    const isWrong = time > excess || heap > excess;
    return { stage, n: n * step, bytes: sizeOf(large), ...more[stage], timeRatio: time, heapRatio: heap, isWrong };
  });
}

/**
 * Compares as `compare` does. An input whose time seems to grow too fast is made twice as large, up to three times. In a larger
 * input, a busy machine or code that is not compiled yet matters less, and a quadratic shows more.
 */
export function grow(make, n) {
  let rows = compare(make, n);
  const isOpen = () =>
    rows.some(({ isWrong }) => isWrong) && !rows.some(({ isWrong, time }) => isWrong && time > certainTime);
  for (let again = 1; again <= 3 && isOpen(); again++) rows = compare(make, n * 2 ** again, { isClean: true });
  return rows;
}
