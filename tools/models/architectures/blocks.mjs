// Parts that many architectures share, node by node as exporters write them.
import { float } from '../graph-builder.mjs';

/** LayerNormalization, or before opset 17 its nodes: the mean, Sub, Pow, the mean, Add, Sqrt, Div, Mul, Add. */
export function layerNorm(n, x, hidden, { epsilon = 1e-5, hasBias = true } = {}) {
  const scale = n.vector('LayerNorm.weight', hidden, 0.2, 1);
  const shift = hasBias ? [n.vector('LayerNorm.bias', hidden)] : [];
  if (n.opset >= 17) return n.op('LayerNormalization', [x, scale, ...shift], { axis: -1, epsilon: float(epsilon) });
  const centred = n.op('Sub', [x, n.reduce('ReduceMean', x, [-1])]);
  const variance = n.reduce('ReduceMean', n.op('Pow', [centred, n.number(2)]), [-1]);
  const normal = n.op('Div', [centred, n.op('Sqrt', [n.op('Add', [variance, n.number(epsilon)])])]);
  const scaled = n.op('Mul', [normal, scale]);
  return hasBias ? n.op('Add', [scaled, ...shift]) : scaled;
}

/** RMSNorm of Llama: in float32, then of the network's type. */
export function rmsNorm(n, x, hidden, epsilon = 1e-5) {
  const unit = n.wide(x, (y, number) => {
    const square = n.reduce('ReduceMean', n.op('Pow', [y, number(2)]), [-1]);
    const root = n.op('Sqrt', [n.op('Add', [square, number(epsilon)])]);
    return n.op('Mul', [y, n.op('Div', [number(1), root])]);
  });
  return n.op('Mul', [n.vector('norm.weight', hidden, 0.2, 1), unit]);
}

/** Gelu by Erf, as torch.nn.functional.gelu is exported before opset 20. */
export function gelu(n, x) {
  if (n.opset >= 20) return n.op('Gelu', [x]);
  const erf = n.op('Erf', [n.op('Div', [x, n.number(Math.SQRT2)])]);
  return n.op('Mul', [n.op('Mul', [x, n.op('Add', [erf, n.number(1)])]), n.number(0.5)]);
}

/** GPT-2's gelu_new: by Tanh. */
export function geluNew(n, x) {
  const cube = n.op('Mul', [n.op('Pow', [x, n.number(3)]), n.number(0.044715)]);
  const inner = n.op('Mul', [n.op('Add', [x, cube]), n.number(Math.sqrt(2 / Math.PI))]);
  return n.op('Mul', [n.op('Mul', [x, n.number(0.5)]), n.op('Add', [n.op('Tanh', [inner]), n.number(1)])]);
}

/** CLIP's quick Gelu. */
export const quickGelu = (n, x) => n.op('Mul', [x, n.op('Sigmoid', [n.op('Mul', [n.number(1.702), x])])]);

/** x times its Sigmoid. */
export const silu = (n, x) => n.op('Mul', [x, n.op('Sigmoid', [x])]);

/** [batch, length, heads * size] as [batch, heads, length, size]. */
export const splitHeads = (n, x, heads, size) => n.transpose(n.view(x, heads, size), 0, 2, 1, 3);

/** The context of all heads as one row. */
export const joinHeads = (n, x, hidden) => n.view(n.transpose(x, 0, 2, 1, 3), hidden);

/** Softmax over the last axis, in float32 as models of float16 ask for. */
export const softmax = (n, x) => n.wide(x, (y) => n.op('Softmax', [y], { axis: -1 }));

/** Attention in the eager form: the transposed keys, MatMul, Div by the root, Add of the mask, Softmax, MatMul. */
export function eagerAttention(n, query, key, value, { size, mask, axes = [0, 1, 3, 2], scale = 'Div' }) {
  const { values } = n;
  const turned = n.transpose(values.of(key), ...axes);
  const products = values.after(n.op('MatMul', [values.of(query), turned]), 8);
  const factor = n.number(scale === 'Div' ? Math.sqrt(size) : 1 / Math.sqrt(size));
  let scores = scale === 'none' ? products : n.op(scale, [products, factor]);
  if (mask !== undefined) scores = n.op('Add', [scores, mask]);
  const shares = values.after(softmax(n, scores), 1, true);
  return values.after(n.op('MatMul', [shares, values.of(value)]), 4);
}

/**
 * torch.nn.functional.scaled_dot_product_attention at opset 14: the root of the scale, which comes from the last size of query,
 * multiplies queries and keys.
 */
export function sdpa(n, query, key, value, { mask } = {}) {
  const last = n.op('Slice', [n.op('Shape', [query]), n.ints([-1]), n.ints([2 ** 53 - 1])]);
  const root = n.op('Sqrt', [n.cast(last, n.type)]);
  const scale = n.op('Sqrt', [n.cast(n.op('Div', [n.numbers([1], [1]), root]), n.type)]);
  const turned = n.op('Mul', [n.transpose(key, 0, 1, 3, 2), scale]);
  let scores = n.op('MatMul', [n.op('Mul', [query, scale]), turned]);
  if (mask !== undefined) scores = n.op('Add', [scores, mask]);
  return n.op('MatMul', [n.op('Softmax', [scores], { axis: -1 }), value]);
}

/**
 * The attention of the dynamo exporter (torch.export): scales as numbers, heads merged to three axes for MatMul and split again.
 */
export function dynamoAttention(n, query, key, value, { size, mask }) {
  const scale = n.number(size ** -0.25);
  const scaled = n.op('Mul', [query, scale]);
  const shape = n.op('Shape', [key]);
  const rows = n.op('Concat', [n.ints([-1]), n.slice(shape, [-2], [-1], [0]), n.ints([size])], { axis: 0 });
  const flat = n.op('Reshape', [key, rows]);
  const turned = n.transpose(flat, 0, 2, 1);
  const four = n.op('Concat', [n.slice(shape, [0], [-2], [0]), n.ints([size]), n.slice(shape, [-2], [-1], [0])], {
    axis: 0,
  });
  const keys = n.op('Mul', [n.op('Reshape', [turned, four]), scale]);
  let scores = n.op('MatMul', [scaled, keys]);
  if (mask !== undefined) scores = n.op('Add', [scores, mask]);
  return n.op('MatMul', [n.op('Softmax', [scores], { axis: -1 }), value]);
}

/** The additive mask of an encoder of two axes: 0 where a token counts, the lowest number elsewhere; [batch, 1, 1, length]. */
export function simpleMask(n, mask) {
  const inverted = n.op('Sub', [n.number(1), n.cast(n.unsqueeze(n.unsqueeze(mask, 1), 2), n.type)]);
  return n.op('Mul', [inverted, n.number(n.type === 'float16' ? -65504 : -3.4028234663852886e38)]);
}

/** The mask as wide as the scores, as transformers makes it for scaled_dot_product_attention: Expand, Sub, Cast, Where. */
export function wideMask(n, mask, batch, length) {
  const wide = n.expand(n.unsqueeze(n.unsqueeze(mask, 1), 2), n.sizes([batch, 1, length, length]));
  const inverted = n.op('Sub', [n.number(1), n.cast(wide, n.type)]);
  const lowest = n.number(n.type === 'float16' ? -65504 : -3.4028234663852886e38);
  return n.op('Where', [n.cast(inverted, 'bool'), lowest, inverted]);
}

/** Positions from 0 to the length: the buffer position_ids, sliced. */
export function positionIds(n, length, most) {
  const all = n.list(
    'position_ids',
    'int64',
    BigInt64Array.from({ length: most }, (_, i) => BigInt(i)),
    [1, most],
  );
  return n.op('Slice', [all, n.ints([0]), n.unsqueeze(length, 0), n.ints([1]), n.ints([1])]);
}

/** Feeds of a model: integers, floats and masks by a seed. */
export class Feeds {
  #weights;
  #list = [];
  constructor(weights) {
    this.#weights = weights;
  }
  ids(name, dims, limit) {
    return this.give(name, 'int64', dims, this.#weights.integers(count(dims), limit));
  }
  same(name, type, dims, value) {
    return this.give(
      name,
      type,
      dims,
      type === 'bool' ? Uint8Array.of(value) : new BigInt64Array(count(dims)).fill(BigInt(value)),
    );
  }
  floats(name, type, dims, scale = 1) {
    const draw = type === 'float16' ? 'halves' : 'floats';
    return this.give(name, type, dims, this.#weights[draw](count(dims), scale));
  }
  give(name, type, dims, elements) {
    this.#list.push({ name, type, dims, elements });
    return this;
  }
  get list() {
    return this.#list;
  }
}
const count = (dims) => dims.reduce((product, size) => product * size, 1);
