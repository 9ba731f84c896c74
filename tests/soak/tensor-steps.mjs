// Tensors are made, written as files, viewed, read, written to, and let go.
import { Wrong } from './machine.mjs';
import {
  allTypes,
  at,
  countOf,
  difference,
  expanded,
  isPacked,
  packed,
  partsOf,
  randomShadow,
  rows,
  shadow,
  strided,
  stridesOf,
  zeros,
} from './values.mjs';

export const randomDims = (random) => random.list(random.below(5), () => (random.oneIn(12) ? 0 : random.between(1, 5)));

function make(machine) {
  const { random, ops } = machine;
  const wanted = randomShadow(random, random.from(allTypes), randomDims(random));
  machine.keep(ops.tensor(wanted.type, packed(wanted), wanted.dims), wanted);
}

/** Elements as a list, where the values of a type are numbers or strings. */
function makeOfList(machine) {
  const wanted = randomShadow(
    machine.random,
    machine.random.from(['float32', 'int32', 'int64', 'string', 'uint8', 'float64']),
    randomDims(machine.random),
  );
  machine.keep(machine.ops.tensor(wanted.type, [...wanted.items], wanted.dims), wanted);
}

function makeEmpty(machine) {
  const type = machine.random.from(allTypes);
  const dims = randomDims(machine.random);
  machine.keep(machine.ops.empty(type, dims), shadow(type, dims, zeros(type, countOf(dims) * partsOf(type))));
}

function constantOfShape(machine) {
  const { random, ops } = machine;
  const dims = randomDims(random);
  const value = randomShadow(random, random.from(['float32', 'int64', 'bool', 'float16', 'int8']), [1]);
  const made = ops.constantOfShape(dims, { value: { ...value, data: value.items } });
  machine.keep(made, expanded(value, dims));
}

/** A large tensor, so that the heap grows, or what was free is used again. */
function makeLarge(machine) {
  const { random, ops } = machine;
  const wanted = randomShadow(random, random.from(['uint8', 'float32', 'int16']), [
    random.between(2, 40),
    2 ** random.between(10, 15),
  ]);
  machine.keep(ops.tensor(wanted.type, wanted.items, wanted.dims), wanted);
}

/** A lazy tensor that is large when it is written out. */
function writeOut(machine) {
  const { random, ops } = machine;
  const row = randomShadow(random, random.from(['uint8', 'float32', 'int64']), [1, 16]);
  const count = random.between(1, 4000);
  ops.scope(() => {
    const view = ops.expand(machine.make(row), [count, 16]);
    const found = difference(view, expanded(row, [count, 16]));
    if (found !== undefined) throw new Wrong(found);
  });
}

function file(machine) {
  const found = machine.pickSmall();
  if (found === undefined) return;
  const bytes = machine.ops.writeTensor(found.tensor);
  machine.keep(machine.ops.readTensor(bytes), found.shadow);
}

function message(machine) {
  const found = machine.pickSmall();
  if (found === undefined) return;
  machine.keep(machine.ops.fromMessage(structuredClone(found.tensor.toMessage())), found.shadow);
}

/** Factors of a count, in random order. */
function factors(random, count) {
  const dims = [];
  let rest = count;
  for (let factor = 2; factor <= rest && dims.length < 5; factor++)
    while (rest % factor === 0 && dims.length < 5 && !random.oneIn(4)) {
      dims.push(factor);
      rest /= factor;
    }
  if (rest !== 1 || random.oneIn(4)) dims.push(rest);
  return random.shuffled(dims);
}

// Each view: its operator's name and a function that makes the call's inputs and attributes, and the dims and strides that follow.
const views = {
  Reshape(random, { dims, items, type }) {
    const count = items.length / partsOf(type);
    if (count === 0) return undefined;
    const to = factors(random, count);
    const written = random.oneIn(2) && to.length > 0 ? to.with(random.below(to.length), -1) : to;
    return { inputs: [written], dims: to, strides: stridesOf(to), keeps: dims };
  },
  Transpose(random, { dims }) {
    const perm = random.shuffled(dims.keys());
    const own = stridesOf(dims);
    return { attributes: { perm }, dims: perm.map((axis) => dims[axis]), strides: perm.map((axis) => own[axis]) };
  },
  Slice(random, { dims }) {
    if (dims.length === 0) return undefined;
    const axis = random.below(dims.length);
    const size = dims[axis];
    if (size === 0) return undefined;
    const isBack = random.oneIn(3);
    const pace = random.between(1, 3);
    const [a, b] = [random.below(size), random.below(size)];
    const [least, most] = [Math.min(a, b), Math.max(a, b)];
    const length = Math.floor((most - least) / pace) + 1;
    const own = stridesOf(dims);
    const first = isBack ? most : least;
    // Backwards, the end after the first element lies before the axis: it has a number of its own.
    const end = isBack ? (least === 0 ? -size - 1 : least - 1) : most + 1;
    return {
      inputs: [[first], [end], [random.oneIn(2) ? axis : axis - dims.length], [isBack ? -pace : pace]],
      dims: dims.with(axis, length),
      strides: own.with(axis, own[axis] * (isBack ? -pace : pace)),
      first: first * own[axis],
    };
  },
  Expand(random, { dims }) {
    if (countOf(dims) > 512) return undefined;
    const to = [
      ...random.list(random.below(3), () => random.between(1, 3)),
      ...dims.map((size) => (size === 1 && random.oneIn(2) ? random.between(1, 4) : size)),
    ];
    const own = stridesOf(dims);
    const lead = to.length - dims.length;
    return {
      inputs: [to],
      dims: to,
      strides: to.map((size, axis) => (axis < lead || dims[axis - lead] !== size ? 0 : own[axis - lead])),
    };
  },
  Squeeze(random, { dims }) {
    const axes = [...dims.keys()].filter((axis) => dims[axis] === 1);
    if (axes.length === 0) return undefined;
    const own = stridesOf(dims);
    const left = [...dims.keys()].filter((axis) => dims[axis] !== 1);
    return {
      inputs: random.oneIn(2) ? [axes] : [],
      dims: left.map((axis) => dims[axis]),
      strides: left.map((axis) => own[axis]),
    };
  },
  Unsqueeze(random, { dims }) {
    const axis = random.below(dims.length + 1);
    const own = stridesOf(dims);
    return { inputs: [[axis]], dims: dims.toSpliced(axis, 0, 1), strides: own.toSpliced(axis, 0, 1) };
  },
  Identity: (_random, { dims }) => ({ dims, strides: stridesOf(dims) }),
  Flatten(random, { dims }) {
    const axis = random.below(dims.length + 1);
    const to = [countOf(dims.slice(0, axis)), countOf(dims.slice(axis))];
    return { attributes: { axis }, dims: to, strides: stridesOf(to) };
  },
};

/** A view of a live tensor. Types that an operator does not take are refused. */
function view(machine) {
  const { random, ops } = machine;
  const found = machine.pickSmall(({ dims }) => dims.length < 7);
  if (found === undefined) return;
  const name = random.from(Object.keys(views));
  const made = views[name](random, found.shadow);
  if (made === undefined) return;
  const { inputs = [], attributes = {}, dims, strides, first = 0 } = made;
  let tensor;
  try {
    [tensor] = ops.run(name, [found.tensor, ...inputs], attributes);
  } catch (error) {
    if (error.code === 'UNSUPPORTED_TYPE') return;
    throw error;
  }
  machine.keep(tensor, strided(found.shadow, dims, first, strides));
}

/** Elements that are written into `data` are the tensor's, and no other's. */
function write(machine) {
  const found = machine.pickSmall(({ type, items }) => items.length > 0 && !isPacked(type));
  if (found === undefined) return;
  const { shadow: old, tensor } = found;
  const items = old.items.slice();
  const place = machine.random.below(items.length);
  items[place] = randomShadow(machine.random, old.type, [1]).items[0];
  tensor.data[place] = items[place];
  found.shadow = shadow(old.type, old.dims, items);
}

function readOne(machine) {
  const found = machine.pick();
  if (found !== undefined) machine.check(found);
}

/** The other ways to read. */
function readOtherwise(machine) {
  const found = machine.pickSmall();
  if (found === undefined) return;
  const { tensor, shadow: wanted } = found;
  const again = tensor.toArray();
  const same = difference({ type: tensor.type, dims: tensor.dims, data: again }, wanted);
  if (same !== undefined) throw new Wrong(`toArray: ${same}`);
  if (!tensor.toString().startsWith(`${wanted.type} [`)) throw new Wrong(`toString gave ${tensor}`);
  const { kind } = rows.get(wanted.type);
  if (kind !== 'real_float' || wanted.type !== 'float32') return;
  const listed = Float32Array.from(tensor.unpack());
  if (difference({ type: 'float32', dims: wanted.dims, data: listed }, wanted)) throw new Wrong('unpack gave others');
}

/** The items of the first axis. Some live on. */
function items(machine) {
  const found = machine.pickSmall(({ dims }) => dims.length > 0 && dims[0] > 0);
  if (found === undefined) return;
  const { dims } = found.shadow;
  const rest = dims.slice(1);
  const count = countOf(rest);
  let i = 0;
  for (const item of found.tensor) {
    const places = Array.from({ length: count }, (_, k) => i * count + k);
    const entry = machine.keep(item, at(found.shadow, rest, places));
    if (machine.random.oneIn(2)) machine.letGo(machine.live.indexOf(entry));
    if (machine.random.oneIn(4)) break;
    i++;
  }
}

function letGo(machine) {
  for (let count = machine.random.between(1, 4); count > 0 && machine.live.length > 0; count--)
    machine.letGo(machine.random.below(machine.live.length));
}

export const tensorSteps = [
  [12, 'make', make],
  [5, 'make of a list', makeOfList],
  [3, 'make empty', makeEmpty],
  [4, 'ConstantOfShape', constantOfShape],
  [1, 'make large', makeLarge],
  [1, 'write out', writeOut],
  [6, 'file', file],
  [2, 'message', message],
  [40, 'view', view],
  [8, 'write', write],
  [8, 'read', readOne],
  [4, 'read otherwise', readOtherwise],
  [3, 'items', items],
  [14, 'let go', letGo],
];
