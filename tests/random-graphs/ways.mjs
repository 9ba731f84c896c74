// A model runs in several ways on the same feeds: node by node, planned (twice, with other sizes in between), in part, bound, and
// simplified. All of them give the same bits as the nodes gave one by one while the graph grew.
import { Random } from '../differential/values.mjs';
import { contradictionOf } from './expressions.mjs';
import { write } from './structure.mjs';
import { copyOf, differenceOf } from './tensors.mjs';
import { requiredWorlds, worldCount } from './worlds.mjs';

/** A way that differs from another. `kind` says which, so that a smaller graph is known to fail in the same way. */
export class Failure extends Error {
  constructor(kind, message) {
    super(`${kind}: ${message}`);
    this.kind = kind;
  }
}

const copies = (results) => Object.fromEntries(Object.entries(results).map(([name, one]) => [name, copyOf(one)]));

/** Results, or the error: both can be compared. */
function outcomeOf(ops, work) {
  try {
    return { results: ops.scope(() => copies(work())) };
  } catch (error) {
    if (error.name !== 'OnnxError') throw error;
    if (error.code === 'DISPOSED') throw new Failure('trap', error.message);
    return { error };
  }
}

function compare(kind, found, wanted, where) {
  if (wanted.error !== undefined) {
    if (found.error === undefined) throw new Failure(`${kind} succeeds`, `${where}: wanted ${wanted.error.message}`);
    if (found.error.message !== wanted.error.message)
      throw new Failure(
        `${kind} has another error`,
        `${where}: ${found.error.message}, wanted ${wanted.error.message}`,
      );
    return;
  }
  if (found.error !== undefined) throw new Failure(`${kind} fails`, `${where}: ${found.error.message}`);
  for (const name of Object.keys(found.results)) {
    const difference = differenceOf(found.results[name], wanted.results[name]);
    if (difference !== undefined) throw new Failure(`${kind} differs`, `${where}: ${name}: ${difference}`);
  }
}

const opened = (ops, { file, external }, options) =>
  ops.loadModel(file, { ...options, ...(external && { external: () => external }) });

function using(model, work) {
  try {
    return work(model);
  } finally {
    model.dispose();
  }
}

/** Nodes that are seen before a run have the sizes that runs show. */
function checkInferred(kind, model, { values, sizes }) {
  const known = new Map(values.map((value) => [value.name, value]));
  for (const node of model.nodes)
    for (const { name, inferred } of node.outputs) {
      const value = known.get(name);
      if (value === undefined) continue;
      for (const [world, tensor] of value.worlds.entries()) {
        const wrong = tensor && contradictionOf(inferred, tensor, sizes[world]);
        if (wrong)
          throw new Failure(
            `${kind}: inferred sizes are wrong`,
            `${name} of ${node.operator}, world ${world}: ${wrong}`,
          );
      }
    }
}

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

/** A bound model reads what is written into its inputs. */
function checkBound(ops, written, { feeds, graph }, plain) {
  const isText = [...graph.inputs, ...Object.values(plain[0].results)].some(({ type }) => type === 'string');
  if (isText) return;
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

function drawOptions({ random, graph, sizes, feeds, passes }, world) {
  const declared = new Set(graph.inputs.flatMap(({ dims }) => dims ?? []).filter((dim) => typeof dim === 'string'));
  const fixed = [...declared].filter(() => random.chance(0.4));
  const given = graph.inputs.filter(() => random.chance(0.15));
  return {
    dims: Object.fromEntries(fixed.map((name) => [name, sizes[world][name]])),
    values: Object.fromEntries(given.map(({ name }) => [name, feeds[world][name]])),
    ...(random.chance(0.3) && { outputs: random.shuffled(graph.outputs.map(({ name }) => name)).slice(0, 2) }),
    ...(random.chance(0.3) && { unroll: 8 }),
    ...(random.chance(0.3) && { valueInfo: true }),
    ...(random.chance(0.2) && { maxGrowth: random.pick([0, 100, 2 ** 20]) }),
    ...(random.chance(0.2) && { skip: random.shuffled(passes).slice(0, random.integer(1, 6)) }),
  };
}

/** The choices of the checks of a model: the order of runs, the parts that are asked for, and options of simplify. */
export function drawChoices(subject) {
  const random = new Random(subject.seed ^ 0x5eed);
  const { graph } = subject.model;
  const made = subject.values.filter(({ name }) => graph.nodes.some(({ outputs }) => outputs.includes(name)));
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

/** The worlds for which the result of simplify is valid. */
function worldsOf({ world, options: { dims, values } }, { graph, sizes, feeds }) {
  // Values also fix the sizes of their axes, and with them all of those names.
  const valued = graph.inputs.filter(({ name }) => values[name] !== undefined).flatMap((one) => one.dims ?? []);
  const names = [...Object.keys(dims), ...valued.filter((dim) => typeof dim === 'string')];
  const fits = (other) =>
    names.every((name) => sizes[other][name] === sizes[world][name]) &&
    Object.keys(values).every((name) => differenceOf(feeds[other][name], feeds[world][name]) === undefined);
  return Array.from({ length: worldCount }, (_, i) => i).filter(
    (other) => feeds[other] !== undefined && (other === world || fits(other)),
  );
}

function checkSimplified(ops, written, subject, plain, simplification) {
  const { feeds, graph } = subject;
  const { options, optimize } = simplification;
  const worlds = worldsOf(simplification, subject);
  const files = written.external && { external: () => written.external };
  let simple;
  try {
    simple = ops.simplify(written.file, { ...options, ...files });
  } catch (error) {
    if (error.name !== 'OnnxError') throw error;
    if (error.code === 'DISPOSED') throw new Failure('trap', error.message);
    throw new Failure('simplify fails', `${error.message}, with ${textOfOptions(options)}`);
  }
  const again = { file: simple.bytes, external: written.external };
  const kind = 'simplified';
  const where = (world) => `world ${world}, ${textOfOptions(options)}`;
  let model;
  try {
    model = opened(ops, again, { optimize });
  } catch (error) {
    if (error.name !== 'OnnxError') throw error;
    throw new Failure(`${kind} is refused`, `${error.message}, with ${textOfOptions(options)}`);
  }
  using(model, () => {
    const wanted = options.outputs ?? graph.outputs.map(({ name }) => name);
    const given = model.outputs.map(({ name }) => name);
    if (`${[...given].sort()}` !== `${[...wanted].sort()}`)
      throw new Failure(`${kind}: other outputs`, `${given}, wanted ${wanted}`);
    for (const world of worlds) {
      // Nodes that failed may be gone.
      if (plain[world].error !== undefined) continue;
      const left = Object.fromEntries(
        Object.entries(feeds[world]).filter(([name]) => options.values[name] === undefined),
      );
      const found = outcomeOf(ops, () => model.run(left));
      compare(kind, found, plain[world], where(world));
    }
    // Other names may be those of values of graphs that were inlined.
    checkInferred(kind, model, {
      ...subject,
      values: subject.values
        .filter(({ name }) => given.includes(name))
        .map((value) => ({
          ...value,
          worlds: value.worlds.map((one, world) => (worlds.includes(world) ? one : undefined)),
        })),
    });
  });
  // Weights in files are read only where that is known to save something.
  if (written.external !== undefined) return;
  const { dims: _, values: __, ...rest } = options;
  const twice = ops.simplify(simple.bytes, { ...rest, ...files }).bytes;
  if (
    options.maxGrowth === undefined &&
    options.skip === undefined &&
    !Buffer.from(twice).equals(Buffer.from(simple.bytes))
  )
    throw new Failure(`${kind} twice`, `a second time changes the file, with ${textOfOptions(options)}`);
}
const textOfOptions = ({ values, ...options }) => JSON.stringify({ ...options, values: Object.keys(values) });

/** Checks a generated model in all ways but the oracle's. Throws a Failure. Gives the outcomes of the plain runs. */
export function checkWays(ops, subject) {
  const { model, feeds, values, choices } = subject;
  const { graph } = model;
  const written = write(model);
  const checked = { ...subject, graph };
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
  for (const one of choices.simplifications) checkSimplified(ops, written, checked, plain, one);
  return { plain, written };
}
