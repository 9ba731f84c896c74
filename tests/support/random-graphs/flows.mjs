// Parts that kernels and fusion have forms of their own for: images whose channels are innermost in memory, and views before chains of
// elementwise operators.
import { Unfit } from './scope.mjs';
import { cast, slice, squeeze, unsqueeze } from './views.mjs';
import { isFixed, requiredWorlds, worldCount } from './worlds.mjs';

const floats = (scope, dims, make) => {
  const count = dims.reduce((a, b) => a * b, 1);
  return scope.weight({ type: 'float32', dims, data: Float32Array.from({ length: count }, make) });
};
const small = (random) => () => random.integer(-8, 8) / 8;

function imageOf(scope) {
  const { random } = scope;
  const isImage = ({ type, dims }) => type === 'float32' && dims?.length === 4 && isFixed(dims[1]);
  const images = scope.visible().filter(isImage);
  if (images.length > 0 && random.chance(0.6)) return random.pick(images);
  if (scope.isInFunction()) throw new Unfit('no image');
  const fixed = (size) => Array(worldCount).fill(size);
  const named = (name) => scope.builder.worlds.map((sizes) => sizes[name]);
  const side = () =>
    random.chance(0.4) ? named(random.pick(['M', 'K'])) : fixed(random.integer(1, random.pick([9, 9, 20])));
  const axes = [
    random.chance(0.5) ? named('N') : fixed(random.integer(1, 2)),
    fixed(random.pick([1, 3, 4, 8, 17, 33])),
    side(),
    side(),
  ];
  const dims = axes.map(([size]) => size);
  const data = Float32Array.from({ length: dims.reduce((a, b) => a * b, 1) }, () => random.integer(-16, 16) / 8);
  const image = scope.input({ type: 'float32', dims, data }, axes);
  if (random.chance(0.7)) return image;
  // As an image comes that has its channels last.
  return scope.op('Transpose', [scope.op('Transpose', [image], { perm: [0, 2, 3, 1] })], { perm: [0, 3, 1, 2] });
}

function convolved(scope, x) {
  const { random } = scope;
  const channels = x.dims[1][0];
  if (channels === 0) throw new Unfit('no channels');
  const isDeep = random.chance(0.4);
  const group = isDeep ? channels : 1;
  const filters = isDeep ? channels * random.integer(1, 2) : random.pick([1, 3, 4, 8, 16, 36]);
  const size = random.pick([1, 3]);
  const pad = size >> 1;
  const w = floats(scope, [filters, channels / group, size, size], small(random));
  const bias = random.chance(0.5) ? [floats(scope, [filters], small(random))] : [];
  const stride = random.integer(1, 2);
  return scope.op('Conv', [x, w, ...bias], {
    group,
    pads: [pad, pad, pad, pad],
    strides: [stride, stride],
    kernel_shape: [size, size],
  });
}

function normalised(scope, x) {
  const { random } = scope;
  const channels = x.dims[1][0];
  const list = [0, 1, 2].map(() => floats(scope, [channels], small(random)));
  const variance = floats(scope, [channels], () => random.integer(1, 16) / 8);
  if (scope.builder.opset < 7) throw new Unfit('old BatchNormalization');
  return scope.op('BatchNormalization', [x, ...list, variance]);
}

const plainSteps = {
  activation: (scope, x) =>
    scope.op(scope.random.pick(['Relu', 'Sigmoid', 'Tanh', 'LeakyRelu', 'Elu', 'HardSigmoid']), [x]),
  gated: (scope, x) => scope.op('Mul', [x, scope.op(scope.random.pick(['Sigmoid', 'HardSigmoid', 'Tanh']), [x])]),
  pooled(scope, x) {
    const { random } = scope;
    const size = random.integer(1, 3);
    const stride = random.integer(1, 2);
    const attributes = { kernel_shape: [size, size], strides: [stride, stride], pads: Array(4).fill(size >> 1) };
    return scope.op(random.pick(['MaxPool', 'AveragePool']), [x], attributes);
  },
  whole: (scope, x) => scope.op('Mul', [x, scope.op(scope.random.pick(['GlobalAveragePool', 'GlobalMaxPool']), [x])]),
  added: (scope, x) =>
    scope.op(scope.random.pick(['Add', 'Sub', 'Mul']), [x, floats(scope, [x.dims[1][0], 1, 1], small(scope.random))]),
  joined: (scope, x) => scope.op('Concat', [x, scope.op('Relu', [x])], { axis: 1 }),
  turned: (scope, x) =>
    scope.op('Transpose', [scope.op('Abs', [scope.op('Transpose', [x], { perm: [0, 2, 3, 1] })])], {
      perm: [0, 3, 1, 2],
    }),
  averaged(scope, x) {
    const { random, builder } = scope;
    const axes = random.pick([[2, 3], [1], [3], [0, 2, 3]]);
    const operator = random.pick(['ReduceMean', 'ReduceSum', 'ReduceMax', 'ReduceL2']);
    const since = operator === 'ReduceSum' ? 13 : 18;
    const y = builder.opset < since ? scope.op(operator, [x], { axes }) : scope.op(operator, [x, scope.ints(axes)]);
    return scope.op('Sub', [x, y]);
  },
};

/** A chain of convolutions, normalisations, activations and pools. */
function channelsLast(scope) {
  const { random } = scope;
  if (scope.builder.opset < 7) throw new Unfit('broadcasts of old versions');
  let x = imageOf(scope);
  const steps = [convolved, normalised, ...Object.values(plainSteps)];
  for (let i = random.integer(2, 5); i > 0; i--) {
    const step = i === random.integer(2, 5) || random.chance(0.25) ? convolved : random.pick(steps);
    const next = scope.attempt(() => step(scope, x));
    if (next !== undefined && next.dims?.length === 4 && isFixed(next.dims[1])) x = next;
  }
  return x;
}

/** A view: turned, reversed, cut or stretched. */
export function view(scope, x) {
  const { random, builder } = scope;
  const rank = x.dims.length;
  const kinds = ['turned', 'turned', 'stretched', 'cut', ...(builder.opset >= 10 ? ['reversed', 'reversed'] : [])];
  const kind = rank === 0 ? 'stretched' : random.pick(kinds);
  if (kind === 'turned') return scope.op('Transpose', [x], { perm: random.shuffled(x.dims.map((_, i) => i)) });
  const axis = random.integer(0, Math.max(rank - 1, 0));
  if (kind === 'cut') return slice(scope, x, [0], [random.integer(1, 4)], [axis]);
  if (kind === 'reversed') {
    const lists = [[-1], [-(2 ** 31)], [axis], [random.chance(0.7) ? -1 : -2]];
    return scope.op('Slice', [x, ...lists.map((list) => scope.ints(list))]);
  }
  if (builder.opset < 8) throw new Unfit('no Expand');
  const at = random.integer(0, rank);
  const wide = unsqueeze(scope, x, [at]);
  const shape = Array(rank + 1)
    .fill(1)
    .with(at, random.integer(1, 3));
  return scope.op('Expand', [wide, scope.ints(shape)]);
}

const unaries = ['Relu', 'Neg', 'Abs', 'Sigmoid', 'Tanh', 'Exp', 'Sqrt', 'Floor', 'Softsign', 'Erf', 'Sign'];
/** Views, then elementwise operators over them. */
function chain(scope) {
  const { random, builder } = scope;
  if (builder.opset < 9) throw new Unfit('broadcasts of old versions');
  const isFloat = ({ type, dims }) =>
    dims !== undefined && dims.length <= 4 && (type === 'float32' || type === 'float64');
  const candidates = scope.visible().filter(isFloat);
  if (candidates.length === 0) throw new Unfit('no floats');
  let x = random.chance(0.5) ? candidates.at(-1) : random.pick(candidates);
  for (let i = random.integer(1, 3); i > 0; i--) x = scope.attempt(() => view(scope, x)) ?? x;
  for (let i = random.integer(1, 4); i > 0; i--) {
    const kind = random.next();
    const like = scope.visible().filter(({ type, dims }) => type === x.type && `${dims}` === `${x.dims}`);
    if (kind < 0.45) x = scope.op(random.pick(unaries), [x]);
    else if (kind < 0.8)
      x = scope.op(random.pick(['Add', 'Sub', 'Mul', 'Max', 'Min']), random.shuffled([x, random.pick(like)]));
    else if (kind < 0.9 && builder.opset >= 11)
      x = scope.op('Where', [scope.op('Less', [x, random.pick(like)]), x, random.pick(like)]);
    else x = cast(scope, cast(scope, x, x.type === 'float32' ? 'float64' : 'float32'), x.type);
  }
  return x;
}

/** A value through a type that few operators take, moved around in between. */
function exotic(scope) {
  const { random, builder } = scope;
  const types = [
    ...(builder.opset >= 13 ? ['bfloat16'] : []),
    ...(builder.opset >= 19 ? ['float8e4m3fn', 'float8e5m2'] : []),
    ...(builder.opset >= 21 ? ['int4', 'uint4', 'int4'] : []),
  ];
  if (types.length === 0) throw new Unfit('no such type');
  const sources = scope
    .visible()
    .filter(({ type, dims }) => dims !== undefined && ['float32', 'int8', 'uint8', 'int32'].includes(type));
  const isOf = (tensor) => tensor === undefined || tensor.data.every((one) => Math.abs(one) < 448);
  const fits = sources.filter(({ worlds }) => worlds.every(isOf));
  if (fits.length === 0) throw new Unfit('no value');
  let x = cast(scope, random.pick(fits), random.pick(types));
  for (let i = random.integer(0, 2); i > 0; i--) {
    const moves = [
      () => view(scope, x),
      () => scope.op('Identity', [x]),
      () => squeeze(scope, unsqueeze(scope, x, [0]), [0]),
      () => scope.op('Reshape', [x, scope.ints([-1])]),
      () => scope.op('Concat', [x, x], { axis: 0 }),
    ];
    x = scope.attempt(random.pick(moves)) ?? x;
  }
  return random.chance(0.8) ? cast(scope, x, 'float32') : x;
}

export function addFlow(scope) {
  return scope.attempt(() => scope.random.pick([channelsLast, chain, chain, exotic])(scope));
}
export { requiredWorlds };
