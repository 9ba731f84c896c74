// Operators whose results JavaScript computes exactly, on shadows.
import { at, broadcastDims, countOf, expanded, shadow, strided, stridesOf, zeros } from './values.mjs';

/** Arithmetic of each type: results wrap, or round, as the type's results do. */
const fround = {
  add: (a, b) => Math.fround(a + b),
  sub: (a, b) => Math.fround(a - b),
  mul: (a, b) => Math.fround(a * b),
  neg: (a) => -a,
  abs: Math.abs,
};
const plain = { add: (a, b) => a + b, sub: (a, b) => a - b, mul: (a, b) => a * b, neg: (a) => -a, abs: Math.abs };
const int32 = {
  add: (a, b) => (a + b) | 0,
  sub: (a, b) => (a - b) | 0,
  mul: Math.imul,
  neg: (a) => -a | 0,
  abs: (a) => Math.abs(a) | 0,
};
const big = {
  add: (a, b) => BigInt.asIntN(64, a + b),
  sub: (a, b) => BigInt.asIntN(64, a - b),
  mul: (a, b) => BigInt.asIntN(64, a * b),
  neg: (a) => BigInt.asIntN(64, -a),
  abs: (a) => BigInt.asIntN(64, a < 0n ? -a : a),
};
// An array of 8 bits wraps by itself.
/** The largest of some numbers or bigints: Math.max does not take bigints. */
const largest = (a, b) => [a, b].sort((x, y) => Number(y > x) - Number(y < x))[0];
const smallest = (a, b) => [a, b].sort((x, y) => Number(x > y) - Number(x < y))[0];

export const arithmetic = { float32: fround, float64: plain, int32, int64: big, uint8: plain, int8: plain };
export const numberTypes = Object.keys(arithmetic);

export function elementwise(type, dims, inputs, compute) {
  const all = inputs.map((input) => expanded(input, dims));
  const items = zeros(type, countOf(dims));
  for (let i = 0; i < items.length; i++) items[i] = compute(...all.map((one) => one.items[i]));
  return shadow(type, dims, items);
}

/** Two operands, which broadcast. */
export const binary = (operator, a, b) => {
  const { add, sub, mul } = arithmetic[a.type];
  const compute = { Add: add, Sub: sub, Mul: mul, Max: largest, Min: smallest }[operator];
  return elementwise(a.type, broadcastDims(a.dims, b.dims), [a, b], compute);
};
export const unary = (operator, x) =>
  elementwise(
    x.type,
    x.dims,
    [x],
    { Neg: arithmetic[x.type].neg, Abs: arithmetic[x.type].abs, Identity: (one) => one }[operator],
  );

export const compare = (operator, a, b) =>
  elementwise(
    'bool',
    broadcastDims(a.dims, b.dims),
    [a, b],
    { Equal: (x, y) => Number(x === y), Less: (x, y) => Number(x < y), Greater: (x, y) => Number(x > y) }[operator],
  );

export const where = (condition, a, b) =>
  elementwise(a.type, broadcastDims(condition.dims, a.dims, b.dims), [condition, a, b], (c, x, y) => (c ? x : y));

const asNumber = (type) => (type === 'int64' ? BigInt : Number);
/** Between integers, which wrap, and to floating-point types. */
export const cast = (x, type) =>
  elementwise(type, x.dims, [x], (one) => {
    const value = asNumber(type)(one);
    return type === 'int64' ? BigInt.asIntN(64, value) : type === 'int32' ? value | 0 : value;
  });

export function reduce(operator, x, axis) {
  const { add } = arithmetic[x.type];
  const compute = operator === 'ReduceSum' ? add : largest;
  const own = stridesOf(x.dims);
  const dims = x.dims.with(axis, 1);
  const slices = Array.from({ length: x.dims[axis] }, (_, i) => strided(x, dims, i * own[axis], own));
  return slices.reduce((a, b) => elementwise(x.type, dims, [a, b], compute));
}

export function concat(inputs, axis) {
  const [{ type, dims }] = inputs;
  const size = inputs.reduce((sum, one) => sum + one.dims[axis], 0);
  const to = dims.with(axis, size);
  const inner = countOf(dims.slice(axis + 1));
  const outer = countOf(dims.slice(0, axis));
  const items = zeros(type, countOf(to));
  let done = 0;
  for (const one of inputs) {
    const run = one.dims[axis] * inner;
    for (let i = 0; i < outer; i++)
      for (let k = 0; k < run; k++) items[i * size * inner + done + k] = one.items[i * run + k];
    done += run;
  }
  return shadow(type, to, items);
}

export function gather(x, indices, axis) {
  const inner = countOf(x.dims.slice(axis + 1));
  const size = x.dims[axis];
  const outer = countOf(x.dims.slice(0, axis));
  const places = [];
  for (let i = 0; i < outer; i++)
    for (const index of indices)
      for (let k = 0; k < inner; k++) places.push((i * size + (index < 0 ? index + size : index)) * inner + k);
  return at(x, x.dims.with(axis, indices.length), places);
}

export function tile(x, repeats) {
  if (repeats.includes(0))
    return at(
      x,
      x.dims.map((size, axis) => size * repeats[axis]),
      [],
    );
  return x.dims.reduce((all, _, axis) => concat(new Array(repeats[axis]).fill(all), axis), x);
}

export function cumSum(x, axis) {
  const own = stridesOf(x.dims)[axis];
  const items = x.items.slice();
  for (let i = 0; i < items.length; i++)
    if (Math.floor(i / own) % x.dims[axis] > 0) items[i] = arithmetic[x.type].add(items[i - own], items[i]);
  return shadow(x.type, x.dims, items);
}

export function matMul(a, b) {
  const [rows, inner] = a.dims;
  const columns = b.dims[1];
  const { add, mul } = arithmetic[a.type];
  const items = zeros(a.type, rows * columns);
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < columns; j++)
      for (let k = 0; k < inner; k++)
        items[i * columns + j] = add(items[i * columns + j], mul(a.items[i * inner + k], b.items[k * columns + j]));
  return shadow(a.type, [rows, columns], items);
}

export function nonZero(x) {
  const own = stridesOf(x.dims);
  const places = [...x.items.keys()].filter((i) => Number(x.items[i]) !== 0);
  const items = x.dims.flatMap((size, axis) => places.map((place) => BigInt(Math.floor(place / own[axis]) % size)));
  return shadow('int64', [x.dims.length, places.length], BigInt64Array.from(items));
}
