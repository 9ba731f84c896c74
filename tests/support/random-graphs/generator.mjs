// Whole valid models at random: { model: { graph, functions, opset }, sizes, feeds, values }. Each part of them runs in every world
// (worlds.mjs); `values` has what every value of the model's graph, and of graphs within, is in each.
import { Random } from '../../differential/values.mjs';
import { addCall, operatorsOf, pickOperator } from './calls.mjs';
import { addFlow } from './flows.mjs';
import { addFunction, addNested } from './nested.mjs';
import { addNetwork } from './networks.mjs';
import { axisOf, Scope } from './scope.mjs';
import { addShapes } from './shapes.mjs';
import { drawWorlds, Evaluator, isFixed, sizeNames, worldCount } from './worlds.mjs';

/** Old opsets are rarer: they have fewer operators. */
function drawOpset(random, newest) {
  const kind = random.next();
  if (kind < 0.08) return random.integer(1, 6);
  if (kind < 0.25) return random.integer(7, 12);
  return random.integer(13, newest);
}

class Builder {
  functions = [];
  innerNames = [];
  innerValues = [];
  calls = new Map(); // of functions: the types of operands, and attributes
  refused = [];
  counts = new Map();
  #count = 0;

  constructor(ops, random, newest) {
    Object.assign(this, { ops, random, newest });
    this.worlds = drawWorlds(random);
    this.evaluator = new Evaluator(ops);
    this.#setOpset(drawOpset(random, newest));
    this.plain = random.pick([0.2, 0.9, 0.9]); // how often a new operand has a common type
    this.rate = random.pick([
      { flow: 0.1, shapes: 0.1 },
      { flow: 0.05, shapes: 0.4 },
      { flow: 0.5, shapes: 0.05 },
      { flow: 0.02, shapes: 0.02 },
    ]);
  }
  #setOpset(opset) {
    this.opset = opset;
    this.evaluator.opset = opset;
    this.operators = operatorsOf(this.ops, opset);
  }
  /** Does `work` for the nodes of a function, which may be of another opset than the model's. */
  withOpset(opset, work) {
    const outer = this.opset;
    if (opset !== outer) this.#setOpset(opset);
    try {
      return work();
    } finally {
      if (opset !== outer) this.#setOpset(outer);
    }
  }
  fresh(hint) {
    return `${hint}${this.#count++}`;
  }
  /** Keeps the values of a graph within a node. The values of functions exist for each call, so their names are not unique. */
  note(scope) {
    this.innerValues.push(...scope.values);
    if (scope.isInFunction()) this.innerValues.push(...scope.values);
  }
  used(name) {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }

  /** Adds something to a graph. Nothing where that does not fit. */
  step(scope) {
    const { random } = this;
    const { flow, shapes } = this.rate;
    const kind = random.next();
    if (scope.visible().length === 0) return this.#first(scope);
    if (kind < flow) return random.chance(0.35) ? addNetwork(scope) : addFlow(scope);
    if (kind < flow + shapes) return addShapes(scope);
    if (kind < flow + shapes + 0.07) return addNested(scope);
    if (kind < flow + shapes + 0.1) return addFunction(scope);
    return addCall(scope, pickOperator(random, this.operators));
  }

  #first(scope) {
    const { random } = this;
    const axes = Array.from({ length: random.integer(1, 4) }, () =>
      random.chance(0.6) ? axisOf(this, random.pick(sizeNames)) : Array(worldCount).fill(random.integer(1, 4)),
    );
    const dims = axes.map(([size]) => size);
    const length = dims.reduce((a, b) => a * b, 1);
    const type = random.chance(0.8) ? 'float32' : 'int64';
    const one = () =>
      type === 'float32' ? random.integer(-16, 16) / 4 + random.next() * 0.1 : BigInt(random.integer(-4, 4));
    const data = (type === 'float32' ? Float32Array : BigInt64Array).from({ length }, one);
    return scope.input({ type, dims, data }, axes);
  }
}

/** The declaration of a value in the file: all of its sizes, some, its type alone, or nothing. */
function declared(builder, { name, type, dims }) {
  const { random } = builder;
  if (random.chance(0.1)) return { name };
  if (dims === undefined || random.chance(0.3)) return { name, type };
  const sizes = dims.map((axis) => {
    if (random.chance(0.2)) return null;
    if (isFixed(axis)) return axis[0];
    return sizeNames.find((size) => axis.every((one, world) => one === builder.worlds[world][size])) ?? null;
  });
  return { name, type, dims: sizes };
}

/** Chooses the outputs: what nobody reads, some of the rest, inputs and initializers, and one value twice. */
function finish(builder, scope) {
  const { random } = builder;
  const { graph, values } = scope;
  const read = new Set(graph.nodes.flatMap(({ inputs }) => inputs));
  const made = values.filter(({ name }) => graph.nodes.some(({ outputs }) => outputs.includes(name)));
  const free = made.filter(({ name }) => !read.has(name));
  let chosen = random.shuffled(free).slice(0, random.integer(1, 4));
  for (const value of made) if (random.chance(0.08)) chosen.push(value);
  const others = values.filter((value) => !made.includes(value) && value.overridden === undefined);
  if (others.length > 0 && random.chance(0.12)) chosen.push(random.pick(others));
  if (chosen.length > 0 && random.chance(0.1)) chosen.push(scope.op('Identity', [random.pick(chosen)]));
  if (chosen.length === 0) chosen = [random.pick(values)];
  const unique = random.shuffled([...new Set(chosen)]);
  graph.outputs = unique.map((value) => declared(builder, value));
  if (random.chance(0.3))
    graph.infos = made
      .filter((value) => !unique.includes(value) && random.chance(0.5))
      .map((value) => declared(builder, value))
      .filter(({ type }) => type !== undefined);
  if (random.chance(0.15)) graph.nodes = inAnyOrder(random, graph.nodes);
  return unique;
}

/** The nodes of the model's graph in another order: each node after the nodes whose values it reads, or any order. */
function inAnyOrder(random, nodes) {
  return random.shuffled(nodes);
}

/** The model of a seed. */
export function generate(ops, seed, newest) {
  const random = new Random(seed);
  const builder = new Builder(ops, random, newest);
  const scope = new Scope(builder);
  const steps = random.chance(0.4) ? random.integer(1, 5) : random.integer(4, 18);
  for (let i = 0; i < steps; i++) builder.step(scope);
  for (let i = 0; i < 50 && scope.graph.nodes.length === 0; i++) builder.step(scope);
  if (random.chance(0.15))
    scope.input({ type: 'float32', dims: [2], data: Float32Array.of(1, 2) }, [Array(worldCount).fill(2)]);
  finish(builder, scope);
  const { graph, values } = scope;
  const names = new Set(graph.inputs.map(({ name }) => name));
  const feeds = Array.from({ length: worldCount }, (_, world) =>
    Object.fromEntries(
      values
        .filter(
          ({ name, overridden, worlds }) => (names.has(name) || overridden === world) && worlds[world] !== undefined,
        )
        .map(({ name, worlds }) => [name, worlds[world]]),
    ),
  );
  const { functions, opset, worlds: sizes, counts, refused, innerValues } = builder;
  return { seed, model: { graph, functions, opset }, sizes, feeds, values, innerValues, counts, refused };
}
