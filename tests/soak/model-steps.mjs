// Models are read, run, bound, simplified, described and let go.
import { Wrong } from './machine.mjs';
import { fits, randomFeeds, randomModel, stateModel } from './random-model.mjs';
import { countOf, difference, randomShadow, shadow } from './values.mjs';

const mostModels = 12;

function disposeAll(tensors) {
  for (const tensor of tensors) tensor.dispose();
}

function load(machine) {
  const { random, ops } = machine;
  const spec = randomModel(random);
  const model = ops.loadModel(spec.file, { external: spec.external, optimize: !random.oneIn(5) });
  if (machine.models.length >= mostModels) letGo(machine, 'models', 'model');
  machine.models.push({ model, spec });
}

/** Ends the life of a model, a bound model or a resampler: by dispose, or by forgetting it. */
function letGo(machine, list, key) {
  const all = machine[list];
  if (all.length === 0) return;
  const [one] = all.splice(machine.random.below(all.length), 1);
  if (machine.random.oneIn(3)) return;
  one[key].dispose();
  const use = { model: () => one.model.run({}), bound: () => one.bound.run(), resampler: () => one.resampler.flush() };
  machine.refuses('DISPOSED', use[key]);
}

/** The feeds of a run, as tensors or as plain objects; x is at times a view of a live tensor. */
function feed(machine, spec) {
  const { random, ops } = machine;
  const feeds = randomFeeds(random, spec, random.from([1, 1, 2, 3, 5, 8, 200]));
  const made = [];
  const tensors = {};
  for (const [name, one] of Object.entries(feeds)) {
    if (random.oneIn(3)) {
      tensors[name] = { type: one.type, dims: one.dims, data: one.items };
    } else {
      tensors[name] = machine.make(one);
      made.push(tensors[name]);
    }
  }
  const found = random.oneIn(2) ? machine.pick((one) => fits(one, spec) && countOf(one.dims) <= 1024) : undefined;
  if (found !== undefined) {
    const dims = [countOf(found.shadow.dims) / 3, 3];
    feeds.x = shadow(spec.type, dims, found.shadow.items);
    tensors.x = ops.reshape(found.tensor, [-1, 3]);
    made.push(tensors.x);
    feeds.index = shadow('int64', [1], BigInt64Array.of(BigInt(random.below(dims[0]))));
    tensors.index = { type: 'int64', dims: [1], data: feeds.index.items };
  }
  return { feeds, tensors, free: () => disposeAll(made) };
}

function run(machine) {
  const { random } = machine;
  if (machine.models.length === 0) return load(machine);
  const { model, spec } = random.from(machine.models);
  const { feeds, tensors, free } = feed(machine, spec);
  const wanted = random.oneIn(3) ? random.shuffled(spec.values.keys()).slice(0, random.between(1, 3)) : undefined;
  const results = model.run(tensors, wanted && { outputs: wanted });
  free();
  if (`${Object.keys(results)}` !== `${wanted ?? spec.outputs}`) throw new Wrong(`gave ${Object.keys(results)}`);
  for (const [name, tensor] of Object.entries(results)) {
    try {
      machine.keep(tensor, spec.values.get(name)(feeds));
    } catch (error) {
      throw new Wrong(`'${name}': ${error.message}`, { cause: error });
    }
  }
}

/** Runs that fail: an input that is missing or of another type, and an index that is too large, in the middle of the run. */
function runWrongly(machine) {
  const { random, ops } = machine;
  if (machine.models.length === 0) return;
  const { model, spec } = random.from(machine.models);
  const { tensors, free } = feed(machine, spec);
  const outputs = [...spec.values.keys()];
  const before = ops.memory().liveTensors;
  const wrong = random.from([
    () => model.run({ ...tensors, x: undefined }, { outputs }),
    () => model.run({ ...tensors, x: { type: 'float64', dims: [1, 3], data: new Float64Array(3) } }, { outputs }),
    () =>
      model.run({
        ...tensors,
        x: { type: spec.type, dims: [1, 4], data: spec.type === 'int32' ? new Int32Array(4) : new Float32Array(4) },
      }),
    () => model.run(tensors, { outputs: ['no such value'] }),
    () => model.run({ ...tensors, other: tensors.x }),
  ]);
  machine.refuses('INVALID_ARGUMENT', wrong);
  const gathers = model.nodes.some(({ operator }) => operator === 'Gather');
  if (gathers) {
    const index = { type: 'int64', dims: [1], data: BigInt64Array.of(1000n) };
    const error = machine.refuses('INVALID_ARGUMENT', () => model.run({ ...tensors, index }, { outputs }));
    if (error.operator !== 'Gather') throw new Wrong(`the error is of ${error.operator}: ${error.message}`);
  }
  if (ops.memory().liveTensors > before) throw new Wrong('a run that failed left tensors');
  free();
}

function describe(machine) {
  if (machine.models.length === 0) return;
  const { model, spec } = machine.random.from(machine.models);
  const { nodes, metadata, initializers } = model;
  if (nodes.length === 0 || metadata.opsets.length === 0) throw new Wrong('the model is empty');
  const [name, wanted] = spec.weights.length === 0 ? [] : machine.random.from(spec.weights);
  const found = initializers.find((one) => one.name === name);
  if (found !== undefined) machine.keep(found.read(), wanted);
}

function profile(machine) {
  if (machine.models.length === 0) return;
  const { model, spec } = machine.random.from(machine.models);
  const { tensors, free } = feed(machine, spec);
  const rows = model.profile(tensors);
  free();
  if (!rows.some(({ calls }) => calls > 0) && spec.outputs.length > 1) throw new Wrong('no node was called');
}

/** The simplified file takes the model's place: it has the same outputs. */
function simplify(machine) {
  const { random, ops } = machine;
  if (machine.models.length === 0) return;
  const { spec } = random.from(machine.models);
  const options = { external: spec.external, unroll: random.below(4), valueInfo: random.oneIn(2) };
  const { bytes } = ops.simplify(spec.file, options);
  const model = ops.loadModel(bytes, { external: spec.external });
  const { feeds, tensors, free } = feed(machine, spec);
  const names = new Set(model.inputs.map(({ name }) => name));
  const given = Object.fromEntries(Object.entries(tensors).filter(([name]) => names.has(name)));
  const results = model.run(given);
  free();
  model.dispose();
  for (const [name, tensor] of Object.entries(results)) machine.keep(tensor, spec.values.get(name)(feeds));
}

const stateModels = ['float32', 'int32'].map((type) => [type, stateModel(type)]);

function bind(machine) {
  const { random, ops } = machine;
  if (machine.bounds.length >= 6) letGo(machine, 'bounds', 'bound');
  const [type, spec] = random.from(stateModels);
  const count = random.between(1, 9);
  const [x, state] = [randomShadow(random, type, [count]), randomShadow(random, type, [count])];
  const [given, first] = [machine.make(x), machine.make(state)];
  const model = ops.loadModel(spec.file);
  const bound = model.bind({ x: given, state: first }, { states: { state: 'next' } });
  given.dispose();
  first.dispose();
  // Binding runs the model once; the first run has the states that were fed.
  machine.bounds.push({ bound, model, spec, type, x, state, first: state });
}

function runBound(machine) {
  const { random } = machine;
  if (machine.bounds.length === 0) return bind(machine);
  const one = random.from(machine.bounds);
  if (random.oneIn(10)) {
    one.bound.reset();
    one.state = one.first;
  }
  if (random.oneIn(2)) {
    one.x = randomShadow(random, one.type, one.x.dims);
    one.bound.inputs.x.data.set(one.x.items);
  }
  one.bound.run();
  const { y, next } = one.spec.step(one.x, one.state);
  const found = difference(one.bound.outputs.y, y);
  if (found !== undefined) throw new Wrong(found);
  one.state = next;
}

export const modelSteps = [
  [4, 'load', load],
  [16, 'run', run],
  [3, 'run wrongly', runWrongly],
  [2, 'describe', describe],
  [1, 'profile', profile],
  [2, 'simplify', simplify],
  [1, 'bind', bind],
  [6, 'run bound', runBound],
  [1, 'let a model go', (machine) => letGo(machine, 'models', 'model')],
  [1, 'let a bound model go', (machine) => letGo(machine, 'bounds', 'bound')],
];
export { letGo };
