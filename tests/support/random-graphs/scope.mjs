// A graph that grows: the model's own, one within a node, or a function's. Nodes are added only where they run in every world.
import { emptyGraph, readsOf } from './structure.mjs';
import { resampled } from './tensors.mjs';
import { isFixed, knownValue, sizeNames, worldCount } from './worlds.mjs';

const kindOf = (value) => {
  if (typeof value === 'number') return ['INT', value];
  if (typeof value === 'string') return ['STRING', value];
  if (value.float !== undefined) return ['FLOAT', value.float];
  if (value.floats !== undefined) return ['FLOATS', value.floats];
  if (value.data !== undefined) return ['TENSOR', value];
  if (value.nodes !== undefined) return ['GRAPH', value];
  return [typeof value[0] === 'string' ? 'STRINGS' : 'INTS', value];
};
/** Attributes of an object: numbers are integers, { float } and { floats } are not; tensors and graphs are as they are. */
export const attributesOf = (object) =>
  Object.entries(object).map(([name, given]) => {
    const [kind, value] = kindOf(given);
    return { name, kind, value };
  });

export class Scope {
  values = [];
  graph = emptyGraph();
  #reads = new Set();

  /** `parent` is the graph around this one; a function's has none, but `root`, whose inputs it cannot read. */
  constructor(builder, parent, isFunction = false) {
    Object.assign(this, { builder, parent, isFunction });
    this.random = builder.random;
    this.root = parent === undefined ? this : parent.root;
    this.depth = parent === undefined ? (isFunction ? 1 : 0) : parent.depth + 1;
  }

  /** The values that nodes can read: of a hidden name, the inner one. */
  visible() {
    if (this.parent === undefined) return this.values;
    const own = new Set(this.values.map(({ name }) => name));
    return [...this.parent.visible().filter(({ name }) => !own.has(name)), ...this.values];
  }
  find(name) {
    return this.values.findLast((value) => value.name === name) ?? this.parent?.find(name);
  }

  /** A new name: now and then one that a graph beside this one has, or one that hides a value of a graph around it. */
  name(hint) {
    const { random, builder, parent } = this;
    if (this.isFunction && random.chance(0.3)) {
      const others = this.root.values.filter((value) => this.find(value.name) === undefined);
      if (others.length > 0) return random.pick(others).name;
    }
    if (parent !== undefined && random.chance(0.25)) {
      const isFree = (name) => this.find(name) === undefined && !this.#reads.has(name);
      const siblings = builder.innerNames.filter(isFree);
      if (siblings.length > 0) return random.pick(siblings);
    }
    if (parent !== undefined && random.chance(0.04)) {
      const own = new Set(this.values.map(({ name }) => name));
      const hidden = parent.visible().filter(({ name }) => !own.has(name) && !this.#reads.has(name));
      if (hidden.length > 0) return random.pick(hidden).name;
    }
    return builder.fresh(hint);
  }

  /** Adds a node and gives its outputs' values. Throws an OnnxError where it does not run. */
  addNode(node) {
    const { builder } = this;
    const results = builder.evaluator.run(node, (name) => this.find(name), builder.functions);
    const reads = readsOf(node);
    for (const name of reads) this.#reads.add(name);
    const isFed = reads.some((name) => this.find(name).isFed);
    const made = node.outputs
      .filter((name) => name !== '')
      .map((name) =>
        knownValue(
          name,
          results.map((one) => one?.[name]),
          isFed,
        ),
      );
    this.graph.nodes.push(node);
    this.values.push(...made);
    return made;
  }
  /** Adds a node for an operator and its inputs' values, with as many outputs as are asked for; null leaves an input out. */
  add(operator, inputs, attributes = {}, { outputs = 1, domain = '' } = {}) {
    const wanted = Array.isArray(outputs) ? outputs : Array(outputs).fill(true);
    const isHidden = inputs.some((one) => one?.worlds !== undefined && this.find(one.name) !== one);
    if (isHidden) throw new Unfit('a value that was made for the node has the name of another of its inputs');
    return this.addNode({
      operator,
      domain,
      label: this.builder.fresh(operator),
      inputs: inputs.map((one) => one?.name ?? ''),
      outputs: this.names(operator.toLowerCase(), wanted),
      attributes: Array.isArray(attributes) ? attributes : attributesOf(attributes),
    });
  }
  names(hint, wanted) {
    const names = [];
    for (const isWanted of wanted) {
      let name = isWanted ? this.name(hint) : '';
      while (name !== '' && names.includes(name)) name = this.builder.fresh(hint);
      names.push(name);
    }
    return names;
  }
  op(...given) {
    return this.add(...given)[0];
  }

  /** A constant: an initializer of some kind, an input with a default, or a node. No feed replaces one that is bound. */
  weight(tensor, isBound = false) {
    const { random, builder } = this;
    const isText = tensor.type === 'string';
    if (this.isInFunction() || random.chance(0.25)) return this.op('Constant', [], { value: tensor });
    const scope = random.chance(0.5) ? this : this.root;
    const isNumber = /^(float32|float64|int64|int32)$/.test(tensor.type);
    const canBeSparse = isNumber && builder.opset >= 11 && tensor.dims.length > 0 && tensor.data.length > 0;
    const how = random.chance(0.1) && canBeSparse ? 'sparse' : random.chance(0.1) && !isText ? 'external' : 'raw';
    const name = scope === this ? this.name('w') : builder.fresh('w');
    const isDefault = scope === this.root && how === 'raw' && random.chance(0.1);
    const weight = { ...tensor, name, how: isDefault ? 'default' : how };
    scope.graph.weights.push(weight);
    const overridden = isDefault && random.chance(0.5) ? random.integer(1, worldCount - 1) : undefined;
    const other = overridden === undefined || isBound ? tensor : this.resample(tensor, tensor.dims);
    const worlds = Array.from({ length: worldCount }, (_, world) => (world === overridden ? other : tensor));
    const value = { ...knownValue(name, worlds, isDefault), overridden };
    scope.values.push(value);
    return value;
  }
  ints(list) {
    return this.fixed('int64', [list.length], list.map(BigInt));
  }
  int(value) {
    return this.fixed('int64', [], [BigInt(value)]);
  }
  number(value) {
    return this.fixed('float32', [], [value]);
  }
  fixed(type, dims, list) {
    const arrays = { int64: BigInt64Array, float32: Float32Array, bool: Uint8Array };
    return this.weight({ type, dims, data: arrays[type].from(list) }, true);
  }
  isInFunction() {
    return this.isFunction || (this.parent?.isInFunction() ?? false);
  }

  resample(tensor, dims) {
    return resampled(tensor, dims, (count) => this.random.integer(0, count - 1));
  }

  /** An input of the model whose axes have these sizes by world. The first world has the tensor, others its elements anew. */
  input(tensor, axes, isBound = false) {
    const { random, builder, root } = this;
    const name = builder.fresh('x');
    const worlds = Array.from({ length: worldCount }, (_, world) => {
      const dims = axes.map((axis) => axis[world]);
      const isSame = `${dims}` === `${tensor.dims}`;
      return isSame && (world === 0 || isBound) ? tensor : this.resample(tensor, dims);
    });
    const dims = random.chance(0.05) ? undefined : axes.map((axis) => this.#declared(axis));
    root.graph.inputs.push({ name, type: tensor.type, dims });
    const value = knownValue(name, worlds);
    root.values.push(value);
    return value;
  }
  #declared(axis) {
    const { random, builder } = this;
    if (isFixed(axis)) return random.chance(0.9) ? axis[0] : null;
    const named = Object.keys(builder.worlds[0]).find((name) =>
      axis.every((size, world) => size === builder.worlds[world][name]),
    );
    if (named !== undefined) return random.chance(0.9) ? named : null;
    if (random.chance(0.2)) return null;
    const fresh = builder.fresh('S');
    for (const [world, sizes] of builder.worlds.entries()) sizes[fresh] = axis[world];
    return fresh;
  }

  /** Does `work`; where a node does not run, all that it added is gone, and the result is undefined. */
  attempt(work) {
    const scopes = [];
    for (let scope = this; scope !== undefined; scope = scope.parent) scopes.push(scope);
    if (!scopes.includes(this.root)) scopes.push(this.root);
    const kept = scopes.map(({ values, graph }) => [
      values.length,
      ...['inputs', 'weights', 'nodes', 'outputs'].map((key) => graph[key].length),
    ]);
    const functions = this.builder.functions.length;
    try {
      return work();
    } catch (error) {
      if (error.code === 'DISPOSED' || (error.name !== 'OnnxError' && !(error instanceof Unfit))) throw error;
      for (const [i, { values, graph }] of scopes.entries()) {
        const [count, ...counts] = kept[i];
        values.length = count;
        for (const [k, key] of ['inputs', 'weights', 'nodes', 'outputs'].entries()) graph[key].length = counts[k];
      }
      this.builder.functions.length = functions;
      return undefined;
    }
  }
}

/** Thrown where nothing in the graph fits. */
export class Unfit extends Error {}

/** The sizes of a name in each world. */
export const axisOf = (builder, name) => builder.worlds.map((sizes) => sizes[name]);
export { sizeNames };
