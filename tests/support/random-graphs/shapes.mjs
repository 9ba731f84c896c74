// Sizes computed by nodes, as exporters write them, and what they lead to: Reshape, Expand, fills, ranges and slices.
import { Unfit } from './scope.mjs';
import { cast, reshape, slice, squeeze, unsqueeze } from './views.mjs';
import { isFixed, isSameAxis } from './worlds.mjs';

const ranked = (scope, least = 0) => {
  const list = scope.visible().filter(({ dims }) => dims !== undefined && dims.length >= least && dims.length <= 5);
  if (list.length === 0) throw new Unfit('no value of this rank');
  return scope.random.chance(0.5) ? list.at(-1) : scope.random.pick(list);
};

/** One size of a value: a list of one element, or a scalar. */
export function sizeOf(scope, value, axis, isScalar = false) {
  const { random, builder } = scope;
  if (builder.opset >= 15 && random.chance(0.3)) {
    const one = scope.op('Shape', [value], { start: axis, end: axis + 1 });
    return isScalar ? squeeze(scope, one, [0]) : one;
  }
  const shape = scope.op('Shape', [value]);
  if (random.chance(0.4)) {
    const one = slice(scope, shape, [axis], [axis + 1], [0]);
    return isScalar ? squeeze(scope, one, [0]) : one;
  }
  const index = random.chance(0.3) && builder.opset >= 11 ? axis - value.dims.length : axis;
  if (isScalar || random.chance(0.5)) {
    const one = scope.op('Gather', [shape, scope.int(index)], { axis: 0 });
    return isScalar ? one : unsqueeze(scope, one, [0]);
  }
  return scope.op('Gather', [shape, scope.ints([index])], { axis: 0 });
}

/** A node's size for an axis: a constant, or the size of a value that has the same axis. */
function sizeFor(scope, axis) {
  const { random } = scope;
  if (isFixed(axis) && random.chance(0.7)) return scope.ints([axis[0]]);
  const owners = scope
    .visible()
    .flatMap((value) => (value.dims ?? []).flatMap((own, i) => (isSameAxis(own, axis) ? [[value, i]] : [])));
  if (owners.length === 0) throw new Unfit('nobody has this axis');
  return sizeOf(scope, ...random.pick(owners));
}

/** The list of these axes' sizes, computed. */
function listFor(scope, axes) {
  const { random, builder } = scope;
  if (axes.length === 0) return scope.ints([]);
  const parts = axes.map((axis) => sizeFor(scope, axis));
  const list = parts.length === 1 && random.chance(0.5) ? parts[0] : scope.op('Concat', parts, { axis: 0 });
  if (builder.opset < 6 || random.chance(0.85)) return list;
  return cast(scope, cast(scope, list, 'int32'), 'int64');
}

/** A Reshape that merges neighbours, splits off ones, copies, or leaves one size to be found. */
function reshaped(scope) {
  const { random, builder } = scope;
  const value = ranked(scope, 1);
  const { dims } = value;
  const kind = random.pick(['same', 'merge', 'zeros', 'minus', 'ones', 'flatten']);
  if (builder.opset < 5) throw new Unfit('Reshape has an attribute');
  if (kind === 'same') return scope.op('Reshape', [value, listFor(scope, dims)]);
  if (kind === 'zeros')
    return reshape(
      scope,
      value,
      dims.map(() => 0),
    );
  if (kind === 'flatten') return scope.op('Flatten', [value], { axis: random.integer(0, dims.length) });
  if (kind === 'ones') {
    const one = Array(dims[0].length).fill(1);
    return scope.op('Reshape', [value, listFor(scope, dims.toSpliced(random.integer(0, dims.length), 0, one))]);
  }
  if (kind === 'minus') {
    const open = random.integer(0, dims.length - 1);
    const parts = dims.map((axis, i) =>
      i === open ? scope.ints([-1]) : random.chance(0.3) ? scope.ints([0]) : sizeFor(scope, axis),
    );
    return scope.op('Reshape', [value, scope.op('Concat', parts, { axis: 0 })]);
  }
  if (dims.length < 2) throw new Unfit('one axis');
  const at = random.integer(0, dims.length - 2);
  const product = scope.op('Mul', [sizeFor(scope, dims[at]), sizeFor(scope, dims[at + 1])]);
  const parts = dims.toSpliced(at, 2, null).map((axis) => (axis === null ? product : sizeFor(scope, axis)));
  return scope.op('Reshape', [value, scope.op('Concat', parts, { axis: 0 })]);
}

function expanded(scope) {
  const { random, builder } = scope;
  const like = ranked(scope);
  if (builder.opset < 9) throw new Unfit('no Expand');
  const shape = random.chance(0.4) ? scope.op('Shape', [like]) : listFor(scope, like.dims);
  if (random.chance(0.4)) {
    const type = random.pick(['float32', 'int64', 'float32', 'bool']);
    const arrays = { float32: Float32Array, int64: BigInt64Array, bool: Uint8Array };
    const one =
      type === 'int64'
        ? BigInt(random.integer(-2, 2))
        : random.integer(type === 'bool' ? 0 : -2, type === 'bool' ? 1 : 2);
    return scope.op('ConstantOfShape', [shape], { value: { type, dims: [1], data: arrays[type].of(one) } });
  }
  const { dims } = like;
  const fits = scope
    .visible()
    .filter((value) => value.dims !== undefined && value.dims.length <= dims.length)
    .filter((value) =>
      value.dims.every((axis, i) => {
        const to = dims[dims.length - value.dims.length + i];
        return isSameAxis(axis, to) || (isFixed(axis) && axis[0] === 1);
      }),
    );
  const from = random.chance(0.6)
    ? random.pick(fits)
    : scope.weight({ type: 'float32', dims: [1], data: Float32Array.of(1.5) });
  if (random.chance(0.6)) return scope.op('Expand', [from, shape]);
  // As PyTorch exports expand(-1, ...): entries of -1 become 1.
  const ones = scope.op('ConstantOfShape', [scope.op('Shape', [shape])], {
    value: { type: 'int64', dims: [1], data: BigInt64Array.of(1n) },
  });
  const keeps = scope.op('Equal', [shape, scope.op('Mul', [ones, scope.int(-1)])]);
  return scope.op('Expand', [from, scope.op('Where', [keeps, ones, shape])]);
}

/** Arithmetic on sizes, and what integers decide. */
function arithmetic(scope) {
  const { random, builder } = scope;
  const value = ranked(scope, 1);
  const size = sizeOf(scope, value, random.integer(0, value.dims.length - 1), true);
  if (builder.opset < 7) throw new Unfit('arithmetic of old versions');
  const other = scope.int(random.integer(1, 4));
  const made = scope.op(random.pick(['Add', 'Mul', 'Div', 'Sub']), random.chance(0.7) ? [size, other] : [size, size]);
  if (random.chance(0.2)) {
    const half = scope.op('Div', [cast(scope, size, 'float32'), scope.number(2)]);
    return cast(scope, scope.op(random.pick(['Floor', 'Ceil']), [half]), 'int64');
  }
  if (random.chance(0.3)) {
    const operator = builder.opset < 9 ? 'Equal' : random.pick(['Equal', 'Less', 'Greater']);
    return scope.op(operator, [made, scope.int(random.integer(1, 4))]);
  }
  if (random.chance(0.3) && builder.opset >= 11)
    return scope.op('Range', [scope.int(0), size, scope.int(random.integer(1, 2))]);
  return made;
}

/** A number that follows from sizes, as a scalar: no world has a negative or large one. */
function count(scope) {
  const { random, builder } = scope;
  const one = () => {
    const value = ranked(scope, 1);
    return sizeOf(scope, value, random.integer(0, value.dims.length - 1), true);
  };
  let result = one();
  for (let i = random.integer(0, 2); i > 0; i--) {
    const other = random.chance(0.3) ? one() : scope.int(random.integer(1, 4));
    const operators = ['Add', 'Mul', 'Div', 'Div', 'Sub', ...(builder.opset >= 12 ? ['Max', 'Min', 'Mod'] : [])];
    const operator = random.pick(operators);
    if ((operator === 'Div' || operator === 'Mod') && other.worlds.some((world) => world?.data[0] === 0n)) continue;
    result = scope.op(operator, [result, other]);
  }
  if (random.chance(0.15)) {
    const scaled = scope.op('Mul', [cast(scope, result, 'float32'), scope.number(random.pick([0.5, 1.5, 2]))]);
    result = cast(scope, scope.op('Floor', [scaled]), 'int64');
  }
  if (result.worlds.some((world) => world !== undefined && (world.data[0] < 0n || world.data[0] > 40n)))
    throw new Unfit('no size');
  return result;
}

/** A value with computed sizes: a fill, a range, a stretched constant or a part. */
function sized(scope) {
  const { random, builder } = scope;
  if (builder.opset < 9) throw new Unfit('arithmetic of old versions');
  const kind = random.pick(['fill', 'fill', 'range', 'stretched', 'part', 'pad', 'tile']);
  if (kind === 'range' && builder.opset >= 11)
    return scope.op('Range', [scope.int(random.integer(-1, 1)), count(scope), scope.int(random.integer(1, 2))]);
  const list = () => {
    const parts = Array.from({ length: random.integer(1, 2) }, () => unsqueeze(scope, count(scope), [0]));
    return parts.length === 1 ? parts[0] : scope.op('Concat', parts, { axis: 0 });
  };
  const fill = { value: { type: 'float32', dims: [1], data: Float32Array.of(random.integer(-2, 2)) } };
  if (kind === 'fill') return scope.op('ConstantOfShape', [list()], fill);
  const value = ranked(scope, 1);
  const axis = random.integer(0, value.dims.length - 1);
  const one = unsqueeze(scope, count(scope), [0]);
  if (kind === 'part' && builder.opset >= 10)
    return scope.op('Slice', [
      value,
      random.chance(0.5) ? scope.ints([0]) : one,
      random.chance(0.5) ? scope.ints([1000]) : one,
      scope.ints([axis]),
    ]);
  if (kind === 'pad' && builder.opset >= 13) {
    const zeros = scope.ints(Array(2 * value.dims.length - 1).fill(0));
    return scope.op('Pad', [value, scope.op('Concat', random.shuffled([zeros, one]), { axis: 0 })]);
  }
  const ones = scope.ints(Array(value.dims.length - 1).fill(1));
  const times = value.dims.length === 1 ? one : scope.op('Concat', random.shuffled([ones, one]), { axis: 0 });
  if (kind === 'tile') return scope.op('Tile', [value, times]);
  return scope.op('Expand', [scope.weight({ type: 'float32', dims: [1], data: Float32Array.of(1.5) }), list()]);
}

/** A part whose bounds are sizes. */
function cut(scope) {
  const { random, builder } = scope;
  if (builder.opset < 10) throw new Unfit('Slice has attributes');
  const value = ranked(scope, 1);
  const axis = random.integer(0, value.dims.length - 1);
  const size = sizeOf(scope, value, axis);
  const end = random.chance(0.5)
    ? scope.op(random.pick(['Sub', 'Div']), [size, scope.ints([random.integer(1, 2)])])
    : size;
  const isBack = random.chance(0.3);
  const bounds = isBack ? [end, scope.ints([-(2 ** 31)])] : [scope.ints([random.integer(0, 1)]), end];
  return scope.op('Slice', [value, ...bounds, scope.ints([axis]), scope.ints([isBack ? -1 : random.integer(1, 2)])]);
}

/** Copies along an axis, as often as a size says, or once more. */
function repeated(scope) {
  const { random, builder } = scope;
  if (builder.opset < 6) throw new Unfit('Tile of old versions');
  const value = ranked(scope, 1);
  const axis = random.integer(0, value.dims.length - 1);
  if (random.chance(0.5)) return scope.op('Concat', [value, value], { axis });
  const counts = value.dims.map((_, i) =>
    i === axis && random.chance(0.5) ? sizeOf(scope, value, i) : scope.ints([i === axis ? 2 : 1]),
  );
  return scope.op('Tile', [value, scope.op('Concat', counts, { axis: 0 })]);
}

export function addShapes(scope) {
  return scope.attempt(() =>
    scope.random.pick([reshaped, reshaped, expanded, expanded, arithmetic, sized, sized, cut, repeated])(scope),
  );
}
