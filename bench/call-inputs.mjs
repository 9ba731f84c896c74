// The parts of cases of single calls (call-cases.mjs, call-layers.mjs): inputs, constants and calls.
import { elementTypes } from './element-types.mjs';
import { countOf } from './numbers.mjs';

/** Random numbers from 0 to 1, without 1. Every run gets the same ones. */
let state = 1;
export function random() {
  state = (Math.imul(state, 1664525) + 1013904223) | 0;
  return (state >>> 0) / 2 ** 32;
}

const valueMakers = {
  float32: () => 4 * random() - 2,
  float64: () => 4 * random() - 2,
  float16: () => 0x3800 + Math.floor(1024 * random()) + (random() < 0.5 ? 0x8000 : 0), // 0.5 to 1, and negative
  int64: () => Math.floor(200 * random()) - 100,
  int32: () => Math.floor(200 * random()) - 100,
  int8: () => Math.floor(200 * random()) - 100,
  uint8: () => Math.floor(200 * random()),
  bool: () => Math.floor(2 * random()),
};

/** An input: its elements are made where the case is measured. */
export const input = (type, dims, value = valueMakers[type]) => ({
  type,
  dims,
  isConstant: false,
  make() {
    const { array } = elementTypes[type];
    const number = array === BigInt64Array ? (i) => BigInt(value(i)) : value;
    return array.from({ length: countOf(dims) }, (_, i) => number(i));
  },
});
export const constant = (it) => ({ ...it, isConstant: true });

export const f32 = (...dims) => input('float32', dims);
export const between = (low, high, dims, type = 'float32') => input(type, dims, () => low + (high - low) * random());
export const weight = (...dims) => constant(f32(...dims));
export const scale = (...dims) => constant(between(0.01, 0.02, dims));
export const zero = (type, value = 3) => constant(input(type, [], () => value));
export const ints = (...values) => constant(input('int64', [values.length], (i) => values[i]));
export const int = (value, type = 'int64') => constant(input(type, [], () => value));
export const number = (value) => constant(input('float32', [], () => value));
export const indices = (dims, size) => input('int64', dims, () => Math.floor(size * random()));

export const call = (op, inputs, attributes = {}, more = {}) => ({ op, inputs, attributes, ...more });
/** onnxruntime-web cuts fractions of averages off. */
export const averages = { tolerance: 1 };
export const microsoft = { domain: 'com.microsoft' };
