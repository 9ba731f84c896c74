// Tensors as plain data: copies of results, and when two are equal.
import { isNan, product } from '../../differential/values.mjs';

/** A copy of a tensor of a runtime. */
export const copyOf = (tensor) => ({
  type: tensor.type,
  dims: [...tensor.dims],
  data: tensor.type === 'string' ? tensor.toArray() : tensor.data.slice(),
});

const bitsOf = ({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength);
const realTypes = ['float16', 'float32', 'float64', 'bfloat16'];
const nan = { bfloat16: (bits) => (bits & 0x7fff) > 0x7f80 };

/** The first difference of two tensors, in type, dims or bits. All NaNs are one value. */
export function differenceOf(found, wanted) {
  const heads = [found, wanted].map(({ type, dims }) => `${type} [${dims}]`);
  if (heads[0] !== heads[1]) return `${heads[0]}, wanted ${heads[1]}`;
  const { type } = found;
  const isSame =
    type === 'string'
      ? found.data.every((text, i) => text === wanted.data[i])
      : bitsOf(found.data).equals(bitsOf(wanted.data));
  if (isSame) return undefined;
  const isNotANumber = nan[type] ?? ((bits) => realTypes.includes(type) && isNan(type, bits));
  for (let i = 0; i < found.data.length; i++) {
    const [a, b] = [found.data[i], wanted.data[i]];
    if (!Object.is(a, b) && !(isNotANumber(a) && isNotANumber(b)))
      return `element ${i} of ${heads[0]} is ${write(a)}, wanted ${write(b)}`;
  }
  return undefined;
}
const write = (value) => (Object.is(value, -0) ? '-0' : value);

/** Whether an element is a finite number, or of a type that has no others. */
export function isOrdinary({ type, data }, limit) {
  if (type !== 'float32' && type !== 'float64') return true;
  return data.every((value) => Number.isFinite(value) && Math.abs(value) <= limit);
}

/** A tensor of other dims with the elements of `source` in another order: `draw(n)` gives an index below n. */
export function resampled(source, dims, draw) {
  const length = product(dims);
  const { type, data } = source;
  if (type === 'string') return { type, dims, data: Array.from({ length }, () => data[draw(data.length)] ?? '') };
  const result = new data.constructor(length);
  if (data.length > 0) for (let i = 0; i < length; i++) result[i] = data[draw(data.length)];
  return { type, dims, data: result };
}
