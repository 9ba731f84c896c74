// Random models for `simplify`: arithmetic on shapes, branches, loops, functions, constants of every kind, dead nodes, and
// names that occur twice. Each is valid for all sizes N, M and K of its inputs. Constants are small
// integers, and only values that depend on feeds may be rounded. So a model and its simplified form agree in every bit.
import { GraphBuilder } from '../../tools/graph-builder.mjs';
import { functionOf, referenceAttribute } from '../../tools/model-writer.mjs';

export const sizeNames = ['N', 'M', 'K'];
const known = (size) => ({ key: `${size}`, at: () => size });
const named = (name) => ({ key: name, at: (sizes) => sizes[name] });
const computed = (key, at) => ({ key, at });
const isKnown = (dim) => /^\d+$/.test(dim.key);
const product = (dims) =>
  computed(dims.map(({ key }) => key).join('*'), (sizes) => dims.reduce((n, dim) => n * dim.at(sizes), 1));
const sameDims = (a, b) => a.length === b.length && a.every((dim, i) => dim.key === b[i].key);

/** A value of the graph. `fed`: its elements depend on those of x0, which no test makes a constant. */
const value = (name, type, dims, fed) => ({ name, type, dims, fed });

class RandomGraph {
  constructor(random, opset) {
    this.random = random;
    this.g = new GraphBuilder(opset);
    this.floats = [];
    this.integers = [];
    this.flags = [];
    this.opset = opset;
  }

  /** A constant as a node, as an initializer, or computed from another one. */
  constant(type, dims, data) {
    const { random, g } = this;
    if (random.chance(0.3)) return g.weight('init', dims, data, type);
    const made = g.constant(type, dims, data);
    return random.chance(0.15) ? g.op('Identity', [made]) : made;
  }
  ints(data) {
    return this.constant('int64', [data.length], data);
  }
  small(count) {
    return Array.from({ length: count }, () => this.random.integer(-3, 3));
  }
  float() {
    return this.random.pick(this.floats);
  }

  /** One size of x: a list of one element, or a scalar. */
  sizeOf(x, axis, scalar = false) {
    const { random, g } = this;
    const shape = this.opset >= 15 && random.chance(0.2) ? undefined : g.op('Shape', [x.name]);
    if (shape === undefined) {
      const one = g.op('Shape', [x.name], { start: axis, end: axis + 1 });
      return scalar ? g.squeeze(one, 0) : one;
    }
    if (random.chance(0.4)) {
      const one = g.slice(shape, [axis], [axis + 1], [0]);
      return scalar ? g.squeeze(one, 0) : one;
    }
    const index = random.chance(0.3) ? axis - x.dims.length : axis;
    if (scalar || random.chance(0.6)) {
      const one = g.op('Gather', [shape, this.constant('int64', [], [index])], { axis: 0 });
      return scalar ? one : g.unsqueeze(one, 0);
    }
    return g.op('Gather', [shape, this.ints([index])], { axis: 0 });
  }

  /** The dims of x, some of them through nodes and some as constants. */
  shapeOf(x, dims = x.dims) {
    const { random, g } = this;
    if (dims.length === 0) return this.ints([]);
    if (sameDims(dims, x.dims) && random.chance(0.3)) {
      const shape = g.op('Shape', [x.name]);
      if (random.chance(0.5)) return shape;
      return g.op('Cast', [g.op('Cast', [shape], { to: 6 })], { to: 7 });
    }
    const parts = dims.map((dim) => {
      if (isKnown(dim) && random.chance(0.7)) return this.ints([dim.at({})]);
      const axis = x.dims.findIndex(({ key }) => key === dim.key);
      if (axis >= 0) return this.sizeOf(x, axis);
      if (isKnown(dim)) return this.ints([dim.at({})]);
      throw new Error(`no axis is ${dim.key}`);
    });
    return parts.length === 1 && random.chance(0.5) ? parts[0] : g.op('Concat', parts, { axis: 0 });
  }

  // Nodes with one float input. Each function returns the new value, or undefined if the input does not fit.
  unary(x) {
    const { random, g } = this;
    const operator = random.pick([
      'Relu',
      'Neg',
      'Abs',
      'Identity',
      'Dropout',
      'Cast',
      'Sigmoid',
      'Tanh',
      'Exp',
      'Softmax',
    ]);
    const rounds = ['Sigmoid', 'Tanh', 'Exp', 'Softmax'].includes(operator);
    if (rounds && (!x.fed || x.dims.length === 0)) return undefined;
    const attributes = operator === 'Cast' ? { to: 1 } : operator === 'Softmax' ? { axis: x.dims.length - 1 } : {};
    const of = operator === 'Exp' ? g.op('Sigmoid', [x.name]) : x.name; // stays finite
    return value(g.op(operator, [of], attributes), 'float32', x.dims, x.fed);
  }
  binary(x) {
    const { random, g } = this;
    const operator = random.pick(this.opset < 8 ? ['Add', 'Sub', 'Mul'] : ['Add', 'Sub', 'Mul', 'Max', 'Min']);
    const twins = this.floats.filter((y) => sameDims(x.dims, y.dims));
    const last = x.dims.at(-1);
    let other;
    let fed = x.fed;
    if (random.chance(0.4)) {
      const y = random.pick(twins);
      other = y.name;
      fed ||= y.fed;
    } else if (last !== undefined && isKnown(last) && random.chance(0.5)) {
      other = this.constant('float32', [last.at({})], this.small(last.at({})));
    } else {
      other = this.constant('float32', [], [random.pick([0, 1, 1, 2, -1])]);
    }
    const operands = random.chance(0.5) ? [x.name, other] : [other, x.name];
    return this.bounded(g.op(operator, operands), x.dims, fed);
  }
  /** Keeps a value within a range: products of products would become infinite, and then NaN. */
  bounded(name, dims, fed) {
    const { g } = this;
    const clipped =
      this.opset < 11
        ? g.op('Clip', [name], { min: { float: -1024 }, max: { float: 1024 } })
        : g.op('Clip', [name, this.constant('float32', [], [-1024]), this.constant('float32', [], [1024])]);
    return value(clipped, 'float32', dims, fed);
  }
  transpose(x) {
    const { random, g } = this;
    const perm = random.shuffled(x.dims.map((_, i) => i));
    const attributes = random.chance(0.2) ? {} : { perm };
    const order = attributes.perm ?? perm.map((_, i) => perm.length - 1 - i);
    const turned = value(
      g.op('Transpose', [x.name], attributes),
      'float32',
      order.map((axis) => x.dims[axis]),
      x.fed,
    );
    if (!random.chance(0.3)) return turned;
    const back = order.map((_, axis) => order.indexOf(axis));
    return value(g.op('Transpose', [turned.name], { perm: back }), 'float32', x.dims, x.fed);
  }
  unsqueeze(x) {
    if (x.dims.length > 4) return undefined;
    const axis = this.random.integer(0, x.dims.length);
    return value(this.g.unsqueeze(x.name, axis), 'float32', x.dims.toSpliced(axis, 0, known(1)), x.fed);
  }
  squeeze(x) {
    const ones = x.dims.flatMap(({ key }, axis) => (key === '1' ? [axis] : []));
    if (ones.length === 0) return undefined;
    const axis = this.random.pick(ones);
    return value(this.g.squeeze(x.name, axis), 'float32', x.dims.toSpliced(axis, 1), x.fed);
  }
  reshape(x) {
    const { random, g } = this;
    if (x.dims.length === 0) return value(g.op('Reshape', [x.name, this.ints([1])]), 'float32', [known(1)], x.fed);
    const kind = random.pick(['same', 'merge', 'flatten', 'zeros', 'minus']);
    if (kind === 'same') return value(g.op('Reshape', [x.name, this.shapeOf(x)]), 'float32', x.dims, x.fed);
    if (kind === 'zeros')
      return value(g.op('Reshape', [x.name, this.ints(x.dims.map(() => 0))]), 'float32', x.dims, x.fed);
    if (kind === 'flatten') {
      const axis = random.integer(0, x.dims.length);
      const dims = [product(x.dims.slice(0, axis)), product(x.dims.slice(axis))];
      const plain = dims.map((dim, i) => {
        const part = i === 0 ? x.dims.slice(0, axis) : x.dims.slice(axis);
        return part.length === 0 ? known(1) : part.length === 1 ? part[0] : dim;
      });
      return value(g.op('Flatten', [x.name], { axis }), 'float32', plain, x.fed);
    }
    if (x.dims.length < 2) return undefined;
    const axis = random.integer(0, x.dims.length - 2);
    const [a, b] = x.dims.slice(axis, axis + 2);
    const merged = isKnown(a) && isKnown(b) ? known(a.at({}) * b.at({})) : product([a, b]);
    const dims = x.dims.toSpliced(axis, 2, merged);
    const parts = dims.map((_, i) => {
      if (i !== axis) return this.sizeOf(x, i < axis ? i : i + 1);
      if (kind === 'minus') return this.ints([-1]);
      return g.op('Mul', [this.sizeOf(x, axis), this.sizeOf(x, axis + 1)]);
    });
    return value(g.op('Reshape', [x.name, g.op('Concat', parts, { axis: 0 })]), 'float32', dims, x.fed);
  }
  concat(x) {
    if (x.dims.length === 0) return undefined;
    const axis = this.random.integer(0, x.dims.length - 1);
    const dim = x.dims[axis];
    const twice = isKnown(dim) ? known(2 * dim.at({})) : computed(`2*${dim.key}`, (sizes) => 2 * dim.at(sizes));
    return value(this.g.op('Concat', [x.name, x.name], { axis }), 'float32', x.dims.toSpliced(axis, 1, twice), x.fed);
  }
  slice(x) {
    const { random, g } = this;
    if (x.dims.length === 0) return undefined;
    const axis = random.integer(0, x.dims.length - 1);
    const dim = x.dims[axis];
    // The oracle assumes that Slice-10 keeps a symbolic size, and then overruns a buffer.
    const isWhole = random.chance(0.4) || (this.opset === 10 && !isKnown(dim));
    if (isWhole) return value(g.slice(x.name, [0], [2 ** 31 - 1], [axis]), 'float32', x.dims, x.fed);
    const end = random.integer(1, 4);
    const cut = computed(`min(${dim.key},${end})`, (sizes) => Math.min(dim.at(sizes), end));
    const size = isKnown(dim) ? known(Math.min(dim.at({}), end)) : cut;
    return value(g.slice(x.name, [0], [end], [axis]), 'float32', x.dims.toSpliced(axis, 1, size), x.fed);
  }
  expand(x) {
    const { random, g } = this;
    if (this.opset < 9 || x.dims.length > 4) return undefined;
    const like = this.float();
    const shape = this.shapeOf(like);
    const kind = random.pick(['zeros', 'expand', 'equal']);
    if (kind === 'zeros') {
      const fill = { value: { type: 'float32', dims: [1], data: [random.integer(-2, 2)] } };
      return value(g.op('ConstantOfShape', [shape], fill), 'float32', like.dims, false);
    }
    const one = this.constant('float32', Array(like.dims.length).fill(1), [random.integer(-2, 2)]);
    if (kind === 'expand') return value(g.op('Expand', [one, shape]), 'float32', like.dims, false);
    // As PyTorch exports expand(-1, ...): entries of -1 become 1.
    const ones = g.op('ConstantOfShape', [g.op('Shape', [shape])], { value: { type: 'int64', dims: [1], data: [1] } });
    const keeps = g.op('Equal', [shape, g.op('Mul', [ones, this.constant('int64', [], [-1])])]);
    const wanted = g.op('Where', [keeps, ones, shape]);
    return value(g.op('Expand', [like.name, wanted]), 'float32', like.dims, like.fed);
  }
  tile(x) {
    const { random, g } = this;
    if (x.dims.length === 0) return undefined;
    const axis = random.integer(0, x.dims.length - 1);
    const times = random.integer(1, 2);
    const repeats = x.dims.map((_, i) => (i === axis ? times : 1));
    const dim = x.dims[axis];
    const size =
      times === 1 ? dim : isKnown(dim) ? known(2 * dim.at({})) : computed(`2*${dim.key}`, (sizes) => 2 * dim.at(sizes));
    return value(g.op('Tile', [x.name, this.ints(repeats)]), 'float32', x.dims.toSpliced(axis, 1, size), x.fed);
  }
  reduce(x) {
    const { random, g } = this;
    if (x.dims.length === 0) return undefined;
    const axis = random.integer(0, x.dims.length - 1);
    const keepdims = random.integer(0, 1);
    const operator = random.pick(['ReduceSum', 'ReduceMax', 'ReduceMin']);
    const dims = keepdims ? x.dims.toSpliced(axis, 1, known(1)) : x.dims.toSpliced(axis, 1);
    return this.bounded(g.reduce(operator, x.name, [axis], keepdims), dims, x.fed);
  }
  matmul(x) {
    const { random, g } = this;
    const last = x.dims.at(-1);
    if (x.dims.length < 2 || last === undefined || !isKnown(last) || !x.fed) return undefined;
    const [rows, columns] = [last.at({}), random.integer(1, 4)];
    const matrix = this.constant('float32', [rows, columns], this.small(rows * columns));
    const y = g.op('MatMul', [x.name, matrix]);
    const biased = random.chance(0.5) ? g.op('Add', [y, this.constant('float32', [columns], this.small(columns))]) : y;
    return this.bounded(biased, x.dims.with(-1, known(columns)), x.fed);
  }
  where(x) {
    const { g } = this;
    if (this.opset < 9) return undefined;
    const flag = this.random.pick(this.flags);
    const twin = this.random.pick(this.floats.filter((y) => sameDims(x.dims, y.dims)));
    return value(g.op('Where', [flag, x.name, twin.name]), 'float32', x.dims, x.fed || twin.fed);
  }

  /** An integer scalar: a size, a constant or an input; and a flag that compares two of them. */
  integer() {
    const { random, g } = this;
    const x = random.pick(this.floats.filter(({ dims }) => dims.length > 0));
    const size = this.sizeOf(x, random.integer(0, x.dims.length - 1), true);
    const one = this.constant('int64', [], [random.integer(1, 4)]);
    const other = random.chance(0.5) ? one : random.pick(this.integers);
    const made = random.pick([
      () => g.op('Add', [size, other]),
      () => g.op('Mul', [size, one]),
      () => g.op('Div', [size, one]),
      () => g.op('Sub', [size, other]),
      () =>
        g.op(
          'Cast',
          [g.op('Floor', [g.op('Div', [g.op('Cast', [size], { to: 1 }), this.constant('float32', [], [2])])])],
          { to: 7 },
        ),
    ])();
    this.integers.push(made);
    const operator = this.opset < 9 ? 'Equal' : random.pick(['Equal', 'Less', 'Greater']);
    this.flags.push(g.op(operator, [made, random.chance(0.6) ? one : random.pick(this.integers)]));
  }

  branch(x) {
    const { random, g } = this;
    const inner = ['same', 'same'].map((hint, i) => {
      const h = g.inner();
      // Both branches use the same name for different values.
      const a = h.op(random.pick(['Neg', 'Relu', 'Abs']), [x.name], {}, [`${hint}_${this.opset}`]);
      const b = i === 0 ? h.op('Add', [a, h.number(1)]) : h.op('Sub', [a, h.number(2)]);
      const c = random.chance(0.5) ? h.op('Reshape', [b, h.op('Shape', [x.name])]) : b;
      h.output(random.chance(0.3) && i === 0 ? h.op('Identity', [x.name]) : c, 'float32', undefined);
      return h;
    });
    const condition = random.chance(0.3) ? this.constant('bool', [], [random.integer(0, 1)]) : random.pick(this.flags);
    // Two Ifs of one model must not define the same outer name.
    const y = g.op('If', [condition], { then_branch: inner[0], else_branch: inner[1] });
    return this.bounded(y, x.dims, x.fed);
  }
  loop(x) {
    const { random, g } = this;
    const h = g.inner();
    const [i, condition, state] = ['i', 'go', 'state'].map((name) => h.name(name));
    h.input(i, 'int64', []);
    h.input(condition, 'bool', []);
    h.input(state, 'float32', undefined);
    const more = random.chance(0.5) ? h.op('Add', [state, h.op('Cast', [i], { to: 1 })]) : h.op('Add', [state, x.name]);
    const goes = random.chance(0.5) ? h.op('Identity', [condition]) : h.op('Not', [h.op('Equal', [i, h.int(1)])]);
    h.output(goes, 'bool', []);
    h.output(more, 'float32', undefined);
    const trips = random.chance(0.6) ? this.constant('int64', [], [random.integer(0, 4)]) : random.pick(this.integers);
    const start = random.chance(0.5) ? this.constant('bool', [], [1]) : random.pick(this.flags);
    const few = g.op(
      'Cast',
      [g.op('Clip', [g.op('Cast', [trips], { to: 1 }), ...this.bounds(0, 5)], this.limits(0, 5))],
      { to: 7 },
    );
    return this.bounded(g.op('Loop', [few, start, x.name], { body: h }), x.dims, x.fed);
  }
  bounds(low, high) {
    return this.opset < 11 ? [] : [this.constant('float32', [], [low]), this.constant('float32', [], [high])];
  }
  limits(low, high) {
    return this.opset < 11 ? { min: { float: low }, max: { float: high } } : {};
  }
  call(x) {
    if (this.opset < 13 || !this.functions) return undefined;
    const alpha = { float: this.random.integer(0, 2) };
    return this.bounded(this.g.op('scaled', [x.name], { alpha }, 1, 'local'), x.dims, x.fed);
  }

  step() {
    const { random } = this;
    const makers = [
      'unary',
      'unary',
      'binary',
      'binary',
      'transpose',
      'unsqueeze',
      'squeeze',
      'reshape',
      'reshape',
      'reshape',
    ];
    const rare = ['concat', 'slice', 'expand', 'expand', 'tile', 'reduce', 'matmul', 'where', 'branch', 'loop', 'call'];
    if (random.chance(0.2)) return this.integer();
    const recent = random.chance(0.6) ? this.floats.at(-1) : this.float();
    const made = this[random.pick([...makers, ...rare])](recent);
    if (made !== undefined) this.floats.push(made);
  }
}

const scaled = (opset) =>
  functionOf('local', 'scaled', {
    inputs: ['x'],
    outputs: ['y'],
    attributes: ['alpha'],
    opset,
    nodes: [
      ['Constant', '', [], ['same'], [referenceAttribute('value_float', 'alpha', 1)]],
      ['Shape', '', ['x'], ['init_1']],
      ['Reshape', '', ['x', 'init_1'], ['x_1']],
      ['Mul', '', ['x_1', 'same'], ['y']],
    ],
  });

/**
 * A model and its inputs.
 * @returns bytes; inputs: [{ name, type, dims }], whose dims are numbers once sizes are given; the names of the outputs.
 */
export function randomModel(random, opset) {
  const graph = new RandomGraph(random, opset);
  const { g } = graph;
  graph.functions = random.chance(0.5);
  const inputs = [];
  const feed = (name, type, dims) => {
    g.input(
      name,
      type,
      dims.map((dim) => (isKnown(dim) ? dim.at({}) : dim.key)),
    );
    inputs.push({ name, type, dims });
    return name;
  };
  for (let i = 0, count = random.integer(1, 2); i < count; i++) {
    const dims = Array.from({ length: random.integer(1, 4) }, () =>
      random.chance(0.5) ? named(random.pick(sizeNames)) : known(random.integer(1, 4)),
    );
    graph.floats.push(value(feed(`x${i}`, 'float32', dims), 'float32', dims, i === 0));
  }
  graph.integers.push(feed('k', 'int64', []));
  graph.flags.push(feed('flag', 'bool', []));
  if (random.chance(0.3)) feed('unused', 'float32', [named('N')]);
  graph.integer();
  for (let i = 0, steps = random.integer(5, 30); i < steps; i++) graph.step();

  const outputs = [];
  const give = (name, type, dims) => {
    const output = `out${outputs.length}`;
    g.output(g.op('Identity', [name], {}, [output]), type, dims);
    outputs.push(output);
  };
  const declared = (dims) => (random.chance(0.5) ? undefined : dims.map((dim) => (isKnown(dim) ? dim.at({}) : null)));
  const last = graph.floats.at(-1);
  give(last.name, 'float32', declared(last.dims));
  for (let i = 0; i < 2; i++) {
    const x = graph.float();
    give(x.name, 'float32', declared(x.dims));
  }
  if (random.chance(0.5)) give(random.pick(graph.integers), 'int64', []);
  if (random.chance(0.3)) g.weight('nobody', [2], [1, 2]);
  if (random.chance(0.2)) g.reorder((nodes) => random.shuffled(nodes));
  const functions = graph.functions && opset >= 13 ? { functions: [scaled(opset)], domains: ['local'] } : {};
  return { bytes: g.model('random', functions), inputs, outputs };
}

const special = (random) => (random.chance(0.04) ? random.pick([Number.NaN, Infinity, -0]) : plain(random));
const plain = (random) => random.integer(-8, 8) / 2;
const drawers = {
  int64: [BigInt64Array, (random) => BigInt(random.integer(0, 5))],
  bool: [Uint8Array, (random) => random.integer(0, 1)],
  float32: [Float32Array, special],
};

/** Feeds for sizes { N, M, K }. Values that become constants have no NaN, because the oracle's Max, Min and Clip differ for NaN. */
export function feedsOf(random, inputs, sizes, isConstant = false) {
  return Object.fromEntries(
    inputs.map(({ name, type, dims }) => {
      const numbers = dims.map((dim) => dim.at(sizes));
      const [array, draw] = isConstant && type === 'float32' ? [Float32Array, plain] : drawers[type];
      const length = numbers.reduce((a, b) => a * b, 1);
      return [name, { type, dims: numbers, data: array.from({ length }, () => draw(random)) }];
    }),
  );
}
