// Parts of networks as exporters write them: attention with heads, layers of matrices, quantised layers with a pair of
// QuantizeLinear and DequantizeLinear after each node, and recurrent layers.
import { Unfit } from './scope.mjs';
import { sizeOf } from './shapes.mjs';
import { isFixed, worldCount } from './worlds.mjs';

const fixed = (size) => Array(worldCount).fill(size);

/** A constant of floats, eighths or with more digits. */
function floats(scope, dims) {
  const { random } = scope;
  const make = random.chance(0.5) ? () => random.integer(-8, 8) / 8 : () => random.next() - 0.5;
  return scope.weight({
    type: 'float32',
    dims,
    data: Float32Array.from({ length: dims.reduce((a, b) => a * b, 1) }, make),
  });
}

/** A sequence of rows: a value of the graph, or an input [N, length, width]. */
function rowsOf(scope) {
  const { random, builder } = scope;
  const isRows = ({ type, dims }) =>
    type === 'float32' && dims?.length === 3 && isFixed(dims[2]) && dims[2][0] % 2 === 0 && dims[2][0] > 0;
  const found = scope.visible().filter(isRows);
  if (found.length > 0 && random.chance(0.5)) return random.pick(found);
  if (scope.isInFunction()) throw new Unfit('no rows');
  const named = (name) => builder.worlds.map((sizes) => sizes[name]);
  const axes = [
    random.chance(0.5) ? named('N') : fixed(1),
    random.chance(0.7) ? named('M') : fixed(random.integer(1, 20)),
    fixed(random.pick([4, 8, 12, 32])),
  ];
  const dims = axes.map(([size]) => size);
  const data = Float32Array.from({ length: dims.reduce((a, b) => a * b, 1) }, () => random.next() * 4 - 2);
  return scope.input({ type: 'float32', dims, data }, axes);
}

function dense(scope, x, width, outputs) {
  const { random } = scope;
  const y = scope.op('MatMul', [x, floats(scope, [width, outputs])]);
  if (random.chance(0.3)) return y;
  return scope.op('Add', random.shuffled([y, floats(scope, [outputs])]));
}

/** LayerNormalization as one node, or as the nodes of old exporters. */
function normalised(scope, x, width) {
  const { random, builder } = scope;
  if (builder.opset >= 17 && random.chance(0.6))
    return scope.op('LayerNormalization', [x, floats(scope, [width]), floats(scope, [width])], { axis: -1 });
  const mean = (value) =>
    builder.opset < 18
      ? scope.op('ReduceMean', [value], { axes: [-1] })
      : scope.op('ReduceMean', [value, scope.ints([-1])]);
  const centred = scope.op('Sub', [x, mean(x)]);
  const variance = mean(
    random.chance(0.5) ? scope.op('Mul', [centred, centred]) : scope.op('Pow', [centred, scope.number(2)]),
  );
  const deviation = scope.op('Sqrt', [scope.op('Add', [variance, scope.number(1e-5)])]);
  const scaled = scope.op('Mul', [scope.op('Div', [centred, deviation]), floats(scope, [width])]);
  return scope.op('Add', [scaled, floats(scope, [width])]);
}

function activated(scope, x) {
  const { random } = scope;
  const kind = random.integer(0, 3);
  if (kind === 0) return scope.op('Relu', [x]);
  if (kind === 1) return scope.op('Mul', [x, scope.op('Sigmoid', [x])]);
  if (kind === 2) return scope.op('Tanh', [x]);
  const error = scope.op('Erf', [scope.op('Div', [x, scope.number(Math.SQRT2)])]);
  const half = scope.op('Mul', [x, scope.number(0.5)]);
  return scope.op('Mul', [half, scope.op('Add', [error, scope.number(1)])]);
}

function attended(scope, x, width) {
  const { random } = scope;
  const heads = random.pick([1, 2]);
  const list = (last) => {
    const parts = [
      random.chance(0.5) ? scope.ints([0]) : sizeOf(scope, x, 0),
      random.chance(0.5) ? scope.ints([0]) : sizeOf(scope, x, 1),
      ...last,
    ];
    return scope.op('Concat', parts, { axis: 0 });
  };
  const split = list([scope.ints([heads]), scope.ints([width / heads])]);
  const [q, k, v] = [0, 1, 2].map((i) => {
    const apart = scope.op('Reshape', [dense(scope, x, width, width), split]);
    return scope.op('Transpose', [apart], { perm: i === 1 && random.chance(0.7) ? [0, 2, 3, 1] : [0, 2, 1, 3] });
  });
  const isTurned = `${k.worlds[0].dims.slice(-2)}` !== `${q.worlds[0].dims.slice(-2)}` || k.dims[2] !== q.dims[2];
  const turned =
    isTurned && k.dims[2].every((size, i) => size === q.dims[3][i])
      ? k
      : scope.op('Transpose', [k], { perm: [0, 1, 3, 2] });
  const scores = scope.op(random.pick(['Div', 'Mul']), [scope.op('MatMul', [q, turned]), scope.number(2)]);
  const weights = scope.op('Softmax', [scores], { axis: scope.builder.opset < 13 ? 3 : -1 });
  const mixed = scope.op('Transpose', [scope.op('MatMul', [weights, v])], { perm: [0, 2, 1, 3] });
  const joined = scope.op('Reshape', [mixed, list([scope.ints([width])])]);
  return dense(scope, joined, width, width);
}

/** A layer of a transformer, or a part of it. */
function transformer(scope) {
  const { random } = scope;
  let x = rowsOf(scope);
  const width = x.dims[2][0];
  for (let i = random.integer(1, 3); i > 0; i--) {
    const kind = random.next();
    const y = random.chance(0.6) ? normalised(scope, x, width) : x;
    const wide = random.pick([width, 2 * width, 5]);
    const made =
      kind < 0.5
        ? attended(scope, y, width)
        : dense(scope, activated(scope, dense(scope, y, width, wide)), wide, width);
    x = random.chance(0.7) ? scope.op('Add', random.shuffled([x, made])) : made;
  }
  return x;
}

const bytes = (scope, type, dims, make) => {
  const array = { int8: Int8Array, uint8: Uint8Array, int32: Int32Array }[type];
  return scope.weight({ type, dims, data: array.from({ length: dims.reduce((a, b) => a * b, 1) }, make) }, true);
};
/** The pair after a value. */
function paired(scope, x) {
  const { random } = scope;
  const type = random.pick(['uint8', 'int8']);
  const parameters = [
    scope.number(random.pick([0.05, 0.0625, 0.02])),
    bytes(scope, type, [], () => (type === 'uint8' ? random.integer(100, 140) : random.integer(-5, 5))),
  ];
  const q = scope.op('QuantizeLinear', [x, ...parameters]);
  return scope.op('DequantizeLinear', [q, ...parameters]);
}
/** A weight of 8 bits with one scale, or one for each index of an axis. */
function weighted(scope, dims, axis) {
  const { random } = scope;
  const isEach = random.chance(0.5);
  const scales = scope.weight(
    {
      type: 'float32',
      dims: isEach ? [dims[axis]] : [],
      data: Float32Array.from({ length: isEach ? dims[axis] : 1 }, () => random.integer(1, 20) / 1024),
    },
    true,
  );
  return scope.op(
    'DequantizeLinear',
    [bytes(scope, 'int8', dims, () => random.integer(-127, 127)), scales],
    isEach ? { axis } : {},
  );
}

/** Convolutions or products with a pair after each node. */
function quantised(scope) {
  const { random, builder } = scope;
  if (builder.opset < 13) throw new Unfit('no axis of scales');
  const isImage = ({ type, dims }) => type === 'float32' && dims?.length === 4 && isFixed(dims[1]) && dims[1][0] > 0;
  const found = scope.visible().filter(isImage);
  let x = found.length > 0 && random.chance(0.5) ? random.pick(found) : undefined;
  if (x === undefined) {
    if (scope.isInFunction()) throw new Unfit('no image');
    const axes = [
      fixed(1),
      fixed(random.pick([3, 8, 16])),
      builder.worlds.map(({ M }) => M + 2),
      fixed(random.integer(3, 9)),
    ];
    const dims = axes.map(([size]) => size);
    const data = Float32Array.from({ length: dims.reduce((a, b) => a * b, 1) }, () => random.next() * 6 - 3);
    x = scope.input({ type: 'float32', dims, data }, axes);
  }
  x = paired(scope, x);
  for (let i = random.integer(1, 3); i > 0; i--) {
    const channels = x.dims[1][0];
    const isDeep = random.chance(0.3);
    const filters = isDeep ? channels : random.pick([4, 8, 20]);
    const size = random.pick([1, 3]);
    const pads = Array(4).fill(size >> 1);
    const w = weighted(scope, [filters, isDeep ? 1 : channels, size, size], 0);
    const bias = random.chance(0.6)
      ? [
          scope.op('DequantizeLinear', [
            bytes(scope, 'int32', [filters], () => random.integer(-900, 900)),
            scope.number(1e-3),
          ]),
        ]
      : [];
    let y = scope.op('Conv', [x, w, ...bias], { group: isDeep ? channels : 1, pads, kernel_shape: [size, size] });
    if (random.chance(0.5))
      y = scope.op(random.pick(['Relu', 'Sigmoid', 'HardSwish'].slice(0, builder.opset < 14 ? 2 : 3)), [y]);
    y = random.chance(0.85) ? paired(scope, y) : y;
    const isSame = `${y.dims}` === `${x.dims}`;
    x = isSame && random.chance(0.5) ? paired(scope, scope.op('Add', [x, y])) : y;
  }
  return random.chance(0.3) ? scope.op('GlobalAveragePool', [x]) : x;
}

export function addNetwork(scope) {
  return scope.attempt(() => scope.random.pick([transformer, quantised])(scope));
}
