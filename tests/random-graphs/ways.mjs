// A model runs in several ways on the same feeds: node by node, planned (twice, with other sizes in between), in part, bound, and
// simplified. All of them give the same bits as the nodes gave one by one while the graph grew.
import { Random } from '../differential/values.mjs';
import { write } from '../support/random-graphs/structure.mjs';
import { requiredWorlds, worldCount } from '../support/random-graphs/worlds.mjs';
import { checkInferred, compare, copies, Failure, opened, outcomeOf, using } from './runs.mjs';
import { checkSimplified, drawOptions } from './simplified.mjs';

function checkPlanned(ops, written, { feeds, choices: { order } }, plain) {
  using(opened(ops, written, {}), (model) => {
    for (const [i, world] of order.entries())
      compare(
        'planned',
        outcomeOf(ops, () => model.run(feeds[world])),
        plain[world],
        `world ${world}, run ${i}`,
      );
  });
}

/** Some values of the graph instead of its outputs. */
function checkParts(ops, written, { graph, values, feeds, choices: { parts } }) {
  const known = new Map(values.map((value) => [value.name, value]));
  using(opened(ops, written, {}), (model) => {
    for (const { world, outputs } of parts) {
      const wanted = { results: Object.fromEntries(outputs.map((name) => [name, known.get(name).worlds[world]])) };
      compare(
        'a part',
        outcomeOf(ops, () => model.run(feeds[world], { outputs })),
        wanted,
        `world ${world}, outputs ${outputs}`,
      );
      compare(
        'a whole after a part',
        outcomeOf(ops, () => model.run(feeds[world])),
        wholeOf(graph, values, world),
        `world ${world}`,
      );
    }
  });
}
const wholeOf = ({ outputs }, values, world) => {
  const known = new Map(values.map((value) => [value.name, value.worlds[world]]));
  return { results: Object.fromEntries(outputs.map(({ name }) => [name, known.get(name)])) };
};

/** An output can be an input of the next run of a bound model: of the same type and dims. */
function stateOf({ graph, feeds }, plain) {
  for (const { name } of graph.inputs) {
    const { type, dims } = feeds[0][name];
    const isLike = ([, one]) => one.type === type && `${one.dims}` === `${dims}`;
    const output = Object.entries(plain[0].results).find((entry) => isLike(entry) && entry[0] !== name);
    if (output !== undefined && type !== 'string') return [name, output[0]];
  }
  return undefined;
}
function checkStates(ops, written, subject, plain) {
  const pair = stateOf(subject, plain);
  if (pair === undefined) return;
  const [input, output] = pair;
  const [first] = subject.feeds;
  let state = first[input];
  const wanted = using(opened(ops, written, { optimize: false }), (model) =>
    [0, 1, 2].map(() => {
      const one = outcomeOf(ops, () => model.run({ ...first, [input]: state }));
      state = one.results?.[output] ?? state;
      return one;
    }),
  );
  const keepsDims = wanted.every(
    ({ results }) => results !== undefined && `${results[output].dims}` === `${state.dims}`,
  );
  const dimsOf = ({ results }) =>
    Object.values(results)
      .map(({ dims }) => `${dims}`)
      .join();
  if (!keepsDims || wanted.some((one) => dimsOf(one) !== dimsOf(wanted[0]))) return;
  using(opened(ops, written, {}), (model) => {
    const bound = model.bind(first, { states: { [input]: output } });
    try {
      for (const [i, one] of wanted.entries()) {
        bound.run();
        compare('bound with a state', { results: copies(bound.outputs) }, one, `run ${i}, ${input} from ${output}`);
      }
    } finally {
      bound.dispose();
    }
  });
}

/** A bound model reads what is written into its inputs. */
function checkBound(ops, written, { feeds, graph }, plain) {
  const isText = [...graph.inputs, ...Object.values(plain[0].results)].some(({ type }) => type === 'string');
  if (isText) return;
  checkStates(ops, written, { feeds, graph }, plain);
  using(opened(ops, written, {}), (model) => {
    const bound = model.bind(feeds[0]);
    try {
      for (const world of [0, 1, 0]) {
        const isSame = Object.entries(feeds[world]).every(
          ([name, { dims }]) => `${dims}` === `${feeds[0][name]?.dims}`,
        );
        const isComplete = Object.keys(feeds[world]).length === Object.keys(feeds[0]).length;
        const hasSameDims = Object.entries(plain[world].results).every(
          ([name, { dims }]) => `${dims}` === `${plain[0].results[name].dims}`,
        );
        if (!isSame || !isComplete || !hasSameDims) continue;
        for (const [name, tensor] of Object.entries(feeds[world])) bound.inputs[name].data.set(tensor.data);
        for (let i = 0; i < 2; i++) {
          bound.run();
          compare('bound', { results: copies(bound.outputs) }, plain[world], `world ${world}`);
        }
      }
    } catch (error) {
      if (error.name !== 'OnnxError') throw error;
      throw new Failure('bound fails', error.message);
    } finally {
      bound.dispose();
    }
  });
}

/** The choices of the checks of a model: the order of runs, the parts that are asked for, and options of simplify. */
export function drawChoices(subject) {
  const random = new Random(subject.seed ^ 0x5eed);
  const { graph } = subject.model;
  const made = subject.values.filter(({ overridden }) => overridden === undefined);
  const world = () => random.integer(0, requiredWorlds - 1);
  return {
    order: [0, 0, 1, 2, 0, 2, 3, ...(random.chance(0.3) ? [4] : []), 3, 1],
    parts: Array.from({ length: made.length > 0 ? 2 : 0 }, () => ({
      world: world(),
      outputs: random
        .shuffled(made)
        .slice(0, random.integer(1, 3))
        .map(({ name }) => name),
    })),
    simplifications: [0, 1].map(() => {
      const base = world();
      return { world: base, optimize: random.chance(0.5), options: drawOptions({ ...subject, random, graph }, base) };
    }),
  };
}

/** Checks a generated model in all ways but the oracle's. Throws a Failure. Gives the outcomes of the plain runs. */
export function checkWays(ops, subject) {
  const { model, feeds, choices } = subject;
  const { graph } = model;
  // A smaller graph has fewer.
  const defined = new Set([...graph.inputs, ...graph.weights].map(({ name }) => name));
  for (const { outputs } of graph.nodes) for (const name of outputs) defined.add(name);
  const values = subject.values.filter(({ name }) => defined.has(name));
  const written = write(model);
  const checked = { ...subject, values, graph };
  let plain;
  try {
    plain = using(opened(ops, written, { optimize: false }), (one) =>
      Array.from({ length: worldCount }, (_, world) => outcomeOf(ops, () => one.run(feeds[world]))),
    );
  } catch (error) {
    if (error.name !== 'OnnxError') throw error;
    throw new Failure('refused', error.message);
  }
  for (let world = 0; world < requiredWorlds; world++)
    compare('node by node', plain[world], wholeOf(graph, values, world), `world ${world}`);
  using(opened(ops, written, {}), (one) => checkInferred('model', one, checked));
  checkPlanned(ops, written, checked, plain);
  checkParts(ops, written, checked);
  checkBound(ops, written, checked, plain);
  const simplified = choices.simplifications.map((one) => checkSimplified(ops, written, checked, plain, one));
  return { plain, written, simplified };
}
