// The cases of arithmetic, as data, by section. A case is as in movement-cases.mjs. `tolerance` is the largest difference from a
// peer's elements, relative to the largest element: peers add in another order and approximate functions differently.
import { elementTypes, sizeOf } from './element-types.mjs';

const million = 1_000_000;
const rounding = 1e-5;

/** Numbers from -2 to 3, with a period of 251. */
const floats = (dims, element = (i) => (i % 251) / 50 - 2) => ({
  type: 'float32',
  dims,
  make: () => Float32Array.from({ length: sizeOf(dims) }, (_, i) => element(i)),
});
const bytes = (dims) => ({
  type: 'uint8',
  dims,
  make: () => Uint8Array.from({ length: sizeOf(dims) }, (_, i) => i % 251),
});
const number = (value) => floats([], () => value);

const node = (op, inputs, output, attributes = {}) => ({ op, inputs, output, attributes });
const one = (op, inputs, attributes) => [node(op, inputs, 'y', attributes)];
const float32Bytes = (dims) => sizeOf(dims) * elementTypes.float32.itemSize;

const image = [1, 3, 224, 224];
const table = [1000, 1000];

const elementwise = [
  {
    name: '(x - mean) / std float32 [1,3,224,224]',
    nodes: [node('Sub', ['x', 'mean'], 'd'), node('Div', ['d', 'std'], 'y')],
    feeds: { x: floats(image), mean: floats([3, 1, 1]), std: floats([3, 1, 1], () => 0.25) },
    numpy: '(x - mean) / std',
    bytes: float32Bytes(image),
  },
  {
    name: 'image uint8 [224,224,3] to float32 [1,3,224,224], normalised',
    nodes: [
      node('Cast', ['x'], 'f', { to: elementTypes.float32.id }),
      node('Sub', ['f', 'mean'], 'd'),
      node('Div', ['d', 'std'], 'n'),
      node('Transpose', ['n'], 't', { perm: [2, 0, 1] }),
      node('Unsqueeze', ['t', 'axes'], 'y'),
    ],
    feeds: { x: bytes([224, 224, 3]), mean: floats([3]), std: floats([3], () => 57.5) },
    constants: { axes: [0] },
    numpy: 'np.ascontiguousarray(((x.astype(np.float32) - mean) / std).transpose(2, 0, 1)[None])',
    bytes: float32Bytes(image),
  },
  {
    name: 'Gelu as exporters write it, a million float32',
    nodes: [
      node('Div', ['x', 'root'], 'a'),
      node('Erf', ['a'], 'e'),
      node('Add', ['e', 'one'], 'p'),
      node('Mul', ['x', 'p'], 'm'),
      node('Mul', ['m', 'half'], 'y'),
    ],
    feeds: { x: floats([million]), root: number(Math.SQRT2), one: number(1), half: number(0.5) },
    tolerance: rounding,
    bytes: float32Bytes([million]),
  },
  {
    name: 'Add float32 [1000,1000] + [1000]',
    nodes: one('Add', ['x', 'z']),
    feeds: { x: floats(table), z: floats([1000]) },
    numpy: 'x + z',
    bytes: float32Bytes(table),
  },
  {
    name: 'Add float32 [1000,1000] + [1000,1]',
    nodes: one('Add', ['x', 'z']),
    feeds: { x: floats(table), z: floats([1000, 1]) },
    numpy: 'x + z',
    bytes: float32Bytes(table),
  },
];

const expressions = {
  Abs: 'np.abs(x)',
  Floor: 'np.floor(x)',
  Sqrt: 'np.sqrt(x)',
  Relu: 'np.maximum(x, np.float32(0))',
  Exp: 'np.exp(x)',
  Log: 'np.log(x)',
  Sin: 'np.sin(x)',
  Tanh: 'np.tanh(x)',
  Sigmoid: '1 / (1 + np.exp(-x))',
  Erf: undefined,
};
const positive = ['Sqrt', 'Log'];
const exact = ['Abs', 'Floor', 'Sqrt', 'Relu'];

const functions = Object.entries(expressions).map(([op, numpy]) => ({
  name: `${op} of a million float32`,
  nodes: one(op, ['x']),
  feeds: { x: positive.includes(op) ? floats([million], (i) => ((i % 251) + 1) / 50) : floats([million]) },
  numpy,
  tolerance: exact.includes(op) ? undefined : rounding,
  bytes: float32Bytes([million]),
}));

const reductions = [
  {
    name: 'ReduceMean of the last axis, float32 [1000,1000]',
    nodes: one('ReduceMean', ['x', 'axes'], { keepdims: 0 }),
    constants: { axes: [1] },
    numpy: 'x.mean(axis=1)',
    bytes: float32Bytes([1000]),
  },
  {
    name: 'ReduceSum of the first axis, float32 [1000,1000]',
    nodes: one('ReduceSum', ['x', 'axes'], { keepdims: 0 }),
    constants: { axes: [0] },
    numpy: 'x.sum(axis=0)',
    bytes: float32Bytes([1000]),
  },
  {
    name: 'ReduceMax of all, float32 [1000,1000]',
    nodes: one('ReduceMax', ['x'], { keepdims: 0 }),
    numpy: 'x.max()',
    bytes: 4,
  },
  {
    name: 'ReduceL2 of the last axis, float32 [1000,1000]',
    nodes: one('ReduceL2', ['x', 'axes'], { keepdims: 0 }),
    constants: { axes: [1] },
    numpy: 'np.sqrt((x * x).sum(axis=1))',
    bytes: float32Bytes([1000]),
  },
  {
    name: 'ArgMax of the last axis, float32 [1000,1000]',
    nodes: one('ArgMax', ['x'], { axis: 1, keepdims: 0 }),
    numpy: 'x.argmax(axis=1)',
    bytes: 8000,
  },
  {
    name: 'CumSum along the last axis, float32 [1000,1000]',
    nodes: one('CumSum', ['x', 'axis']),
    constants: { axis: 1 },
    numpy: 'np.cumsum(x, axis=1)',
    bytes: float32Bytes(table),
  },
].map((item) => ({ feeds: { x: floats(table) }, tolerance: rounding, ...item }));

const tokens = [512, 768];
const scale = floats([768], (i) => 1 + (i % 7) / 10);
const bias = floats([768], (i) => (i % 5) / 10);

const normalisations = [
  {
    name: 'Softmax float32 [64,1000]',
    nodes: one('Softmax', ['x']),
    feeds: { x: floats([64, 1000]) },
    numpy: '(lambda e: e / e.sum(axis=1, keepdims=True))(np.exp(x - x.max(axis=1, keepdims=True)))',
    bytes: float32Bytes([64, 1000]),
  },
  {
    name: 'LayerNormalization float32 [512,768]',
    nodes: one('LayerNormalization', ['x', 'scale', 'bias']),
    feeds: { x: floats(tokens), scale, bias },
    bytes: float32Bytes(tokens),
  },
  {
    name: 'the same as exporters write it',
    nodes: [
      node('ReduceMean', ['x', 'last'], 'mean'),
      node('Sub', ['x', 'mean'], 'd'),
      node('Pow', ['d', 'two'], 'squares'),
      node('ReduceMean', ['squares', 'last'], 'variance'),
      node('Add', ['variance', 'epsilon'], 'v'),
      node('Sqrt', ['v'], 'deviation'),
      node('Div', ['d', 'deviation'], 'n'),
      node('Mul', ['n', 'scale'], 's'),
      node('Add', ['s', 'bias'], 'y'),
    ],
    feeds: { x: floats(tokens), two: number(2), epsilon: number(1e-5), scale, bias },
    constants: { last: [-1] },
    numpy:
      '(lambda d: d / np.sqrt((d * d).mean(axis=1, keepdims=True) + epsilon) * scale + bias)(x - x.mean(axis=1, keepdims=True))',
    bytes: float32Bytes(tokens),
  },
  {
    name: 'BatchNormalization float32 [1,64,112,112]',
    nodes: one('BatchNormalization', ['x', 'scale', 'bias', 'mean', 'variance']),
    feeds: {
      x: floats([1, 64, 112, 112]),
      ...Object.fromEntries(
        ['scale', 'bias', 'mean', 'variance'].map((name) => [name, floats([64], (i) => 1 + i / 64)]),
      ),
    },
    bytes: float32Bytes([1, 64, 112, 112]),
  },
].map((item) => ({ tolerance: 1e-4, ...item }));

const products = [
  [512, 512, 512],
  [128, 128, 128],
  [64, 64, 64],
  [32, 32, 32],
  [1, 1024, 1024],
  [1024, 1024, 1],
].map(([rows, depth, columns]) => ({
  name: `MatMul float32 [${rows},${depth}] x [${depth},${columns}]`,
  nodes: one('MatMul', ['a', 'b']),
  feeds: { a: floats([rows, depth]), b: floats([depth, columns], (i) => (i % 13) / 10 - 0.6) },
  numpy: 'a @ b',
  tolerance: 1e-4,
  bytes: float32Bytes([rows, columns]),
}));

const quantisation = [
  {
    name: 'QuantizeLinear a million float32 to uint8',
    nodes: one('QuantizeLinear', ['x', 'scale', 'zero']),
    feeds: { x: floats([million]), scale: number(0.25), zero: bytes([]) },
    bytes: million,
  },
  {
    name: 'DequantizeLinear a million uint8 to float32',
    nodes: one('DequantizeLinear', ['x', 'scale', 'zero']),
    feeds: { x: bytes([million]), scale: number(0.25), zero: bytes([]) },
    numpy: '(x.astype(np.int32) - zero).astype(np.float32) * scale',
    bytes: float32Bytes([million]),
  },
];

/** By section of the report. */
export const arithmeticCases = {
  Elementwise: elementwise,
  Functions: functions,
  Reductions: reductions,
  Normalisations: normalisations,
  Products: products,
  Quantisation: quantisation,
};
