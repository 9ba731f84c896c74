// The cases of the movements, as data. A case is
//   { name, nodes, feeds, constants, numpy, bytes }
// Its graph has nodes with one output each; the last node's output is the graph's. Feeds are { type, dims, make }, where `make`
// returns the elements. Constants are int64 initializers: a number for a scalar, a list for one axis. `numpy` is an equivalent
// Python expression; `bytes` is the size of the output.
import { elementTypes, sizeOf } from './element-types.mjs';

function elements({ array }, count, element) {
  const data = new array(count);
  const convert = array === BigInt64Array ? BigInt : Number;
  for (let i = 0; i < count; i++) data[i] = convert(element(i));
  return data;
}

/** Elements with a period of 251. Elements of float16 are bit patterns of numbers from 1 to 1.25. */
function tensor(type, dims) {
  const first = type === 'float16' ? 0x3c00 : 1;
  return { type, dims, make: () => elements(elementTypes[type], sizeOf(dims), (i) => (i % 251) + first) };
}

/** Unordered int64 numbers below `size`. */
const indices = (dims, size) => ({
  type: 'int64',
  dims,
  make: () => elements(elementTypes.int64, sizeOf(dims), (i) => (i * 7919) % size),
});

const node = (op, inputs, output, attributes = {}) => ({ op, inputs, output, attributes });
const cast = (input, output, type) => node('Cast', [input], output, { to: elementTypes[type].id });

const one = (op, inputs, attributes) => [node(op, inputs, 'y', attributes)];
const bytesOf = (type, dims) => sizeOf(dims) * elementTypes[type].itemSize;
const items = 524_288;

const transposes = ['uint8', 'float32'].flatMap((type) => [
  {
    name: `Transpose ${type} [2000,2000]`,
    nodes: one('Transpose', ['x'], { perm: [1, 0] }),
    feeds: { x: tensor(type, [2000, 2000]) },
    numpy: 'np.ascontiguousarray(x.T)',
    bytes: bytesOf(type, [2000, 2000]),
  },
  {
    name: `Transpose ${type} NHWC to NCHW [1,1080,1920,3]`,
    nodes: one('Transpose', ['x'], { perm: [0, 3, 1, 2] }),
    feeds: { x: tensor(type, [1, 1080, 1920, 3]) },
    numpy: 'np.ascontiguousarray(x.transpose(0, 3, 1, 2))',
    bytes: bytesOf(type, [1, 1080, 1920, 3]),
  },
  {
    name: `Transpose ${type} NCHW to NHWC [1,3,1080,1920]`,
    nodes: one('Transpose', ['x'], { perm: [0, 2, 3, 1] }),
    feeds: { x: tensor(type, [1, 3, 1080, 1920]) },
    numpy: 'np.ascontiguousarray(x.transpose(0, 2, 3, 1))',
    bytes: bytesOf(type, [1, 3, 1080, 1920]),
  },
]);

const casts = [
  ['float32', 'float16'],
  ['float16', 'float32'],
  ['uint8', 'float32'],
  ['float32', 'uint8'],
  ['float32', 'int32'],
  ['int64', 'int32'],
  ['int32', 'float32'],
  ['float32', 'float64'],
].map(([from, to]) => ({
  name: `Cast ${from} to ${to} [${items}]`,
  nodes: [cast('x', 'y', to)],
  feeds: { x: tensor(from, [items]) },
  numpy: `x.astype('${to}')`,
  bytes: bytesOf(to, [items]),
}));

/** Each link reads the one before: Shape, Gathers, arithmetic, Unsqueezes and Concat compute the dims of a Reshape. */
function chain(links) {
  const nodes = [];
  let last = 'x';
  for (let i = 0; i < links; i++) {
    const name = (part) => `${part}${i}`;
    nodes.push(
      node('Shape', [last], name('shape')),
      node('Gather', [name('shape'), 'first'], name('rows')),
      node('Gather', [name('shape'), 'second'], name('columns')),
      node('Add', [name('rows'), 'second'], name('more')),
      node('Sub', [name('more'), 'second'], name('less')),
      node('Mul', [name('columns'), 'second'], name('same')),
      node('Unsqueeze', [name('less'), 'axes'], name('row')),
      node('Unsqueeze', [name('same'), 'axes'], name('column')),
      node('Concat', [name('row'), name('column')], name('dims'), { axis: 0 }),
      node('Reshape', [last, name('dims')], name('y')),
    );
    last = name('y');
  }
  return nodes;
}

export const movementCases = [
  {
    name: 'Transpose and Cast uint8 [1080,1920,3] to float32 [3,1080,1920]',
    nodes: [node('Transpose', ['x'], 't', { perm: [2, 0, 1] }), cast('t', 'y', 'float32')],
    feeds: { x: tensor('uint8', [1080, 1920, 3]) },
    numpy: "x.transpose(2, 0, 1).astype('float32', order='C')",
    bytes: bytesOf('float32', [3, 1080, 1920]),
  },
  ...transposes,
  {
    name: 'Concat of two float32 [1000,500] on axis 1',
    nodes: one('Concat', ['a', 'b'], { axis: 1 }),
    feeds: { a: tensor('float32', [1000, 500]), b: tensor('float32', [1000, 500]) },
    numpy: 'np.concatenate([a, b], axis=1)',
    bytes: bytesOf('float32', [1000, 1000]),
  },
  {
    name: 'Slice float32 [1000,1000] by steps of 2',
    nodes: one('Slice', ['x', 'starts', 'ends', 'axes', 'steps']),
    feeds: { x: tensor('float32', [1000, 1000]) },
    constants: { starts: [0, 0], ends: [1000, 1000], axes: [0, 1], steps: [2, 2] },
    numpy: 'np.ascontiguousarray(x[::2, ::2])',
    bytes: bytesOf('float32', [500, 500]),
  },
  {
    name: 'Gather 2,048 rows of 256 float32',
    nodes: one('Gather', ['x', 'i'], { axis: 0 }),
    feeds: { x: tensor('float32', [4096, 256]), i: indices([2048], 4096) },
    numpy: 'x[i]',
    bytes: bytesOf('float32', [2048, 256]),
  },
  {
    name: `Gather ${items} float32`,
    nodes: one('Gather', ['x', 'i'], { axis: 0 }),
    feeds: { x: tensor('float32', [items]), i: indices([items], items) },
    numpy: 'x[i]',
    bytes: bytesOf('float32', [items]),
  },
  {
    name: 'Gather of columns float32 [1024,1024], 512 of them',
    nodes: one('Gather', ['x', 'i'], { axis: 1 }),
    feeds: { x: tensor('float32', [1024, 1024]), i: indices([512], 1024) },
    numpy: 'np.take(x, i, axis=1)',
    bytes: bytesOf('float32', [1024, 512]),
  },
  {
    name: 'GatherElements float32 [1024,512] on axis 1',
    nodes: one('GatherElements', ['x', 'i'], { axis: 1 }),
    feeds: { x: tensor('float32', [1024, 512]), i: indices([1024, 512], 512) },
    numpy: 'np.take_along_axis(x, i, axis=1)',
    bytes: bytesOf('float32', [1024, 512]),
  },
  {
    name: 'ScatterND 2,048 rows of 256 float32',
    nodes: one('ScatterND', ['x', 'i', 'u']),
    feeds: {
      x: tensor('float32', [4096, 256]),
      i: indices([2048, 1], 4096),
      u: tensor('float32', [2048, 256]),
    },
    numpy: '(lambda z: (z.__setitem__(i[:, 0], u), z)[1])(x.copy())',
    bytes: bytesOf('float32', [4096, 256]),
  },
  {
    name: `Where(Equal) int64 [${items}]`,
    nodes: [node('Equal', ['a', 'b'], 'c'), node('Where', ['c', 'a', 'd'], 'y')],
    feeds: { a: tensor('int64', [items]), b: indices([items], 251), d: indices([items], items) },
    numpy: 'np.where(a == b, a, d)',
    bytes: bytesOf('int64', [items]),
  },
  {
    name: 'Where float32 [1024,512], condition [1024,1], scalar',
    nodes: [node('Greater', ['c', 's'], 'm'), node('Where', ['m', 'x', 's'], 'y')],
    feeds: {
      c: tensor('float32', [1024, 1]),
      x: tensor('float32', [1024, 512]),
      s: { type: 'float32', dims: [], make: () => Float32Array.of(100) },
    },
    numpy: 'np.where(c > s, x, s)',
    bytes: bytesOf('float32', [1024, 512]),
  },
  ...casts,
  {
    name: 'Pad float32 [1,64,112,112] by 1',
    nodes: one('Pad', ['x', 'pads']),
    feeds: { x: tensor('float32', [1, 64, 112, 112]) },
    constants: { pads: [0, 0, 1, 1, 0, 0, 1, 1] },
    numpy: 'np.pad(x, [(0, 0), (0, 0), (1, 1), (1, 1)])',
    bytes: bytesOf('float32', [1, 64, 114, 114]),
  },
  {
    name: 'Tile float32 [256,256] by [4,2]',
    nodes: one('Tile', ['x', 'times']),
    feeds: { x: tensor('float32', [256, 256]) },
    constants: { times: [4, 2] },
    numpy: 'np.tile(x, (4, 2))',
    bytes: bytesOf('float32', [1024, 512]),
  },
  {
    name: 'Trilu float32 [1024,1024]',
    nodes: one('Trilu', ['x'], { upper: 1 }),
    feeds: { x: tensor('float32', [1024, 1024]) },
    numpy: 'np.triu(x)',
    bytes: bytesOf('float32', [1024, 1024]),
  },
  {
    name: 'a chain of 200 operators on shapes',
    nodes: chain(20),
    feeds: { x: tensor('float32', [2, 3]) },
    constants: { first: 0, second: 1, axes: [0] },
    bytes: bytesOf('float32', [2, 3]),
  },
];
