// Whether two tensors agree: for `verify` of the package, `broadloom test`, the demo and the tests. Consumers copy this file: it
// imports nothing.
//
// Types and dims must be equal, and so must integers, booleans and strings. Floats, and complex numbers as a whole, agree within a
// tolerance by NumPy's rule: |found - wanted| <= atol + rtol * |wanted|. NaN agrees with NaN, an infinity with itself alone.
// Without a tolerance, every bit counts, the sign of a zero included; NaNs are one value.

/** The tolerance of ONNX's own test runner, the default of `broadloom test`. */
export const runnerTolerance = { rtol: 1e-3, atol: 1e-7 };

/**
 * The tolerance for a model whose rounding changed (`fuseInexact`). Types of 16 bits have few digits: they get four units of the
 * last one.
 */
export function roundingTolerance(type) {
  const unit = { float16: 2 ** -10, bfloat16: 2 ** -7 }[type];
  return unit === undefined ? { rtol: 1e-4, atol: 1e-5 } : { rtol: 4 * unit, atol: unit };
}

const exact = { rtol: 0, atol: 0 };

/** An element of the data of test_Conv3d, a sum of 72 products, is 4.4 units away from the exact one. */
const unitsAllowed = 5;

/** ONNX computed the data of these with 3.1415 for pi, their models have it exactly: elements are up to 0.00008 apart. */
const ofRoughPi = /(blackman|hamming|hann)window/;

/** The data of these was rounded to 4 digits after the point. */
const ofFourDigits =
  /(gridsample_bicubic|roialign_aligned_(true|false)|averagepool_2d_ceil_last_window_starts_on_pad)$/;

/** Bits of the significand that are stored. */
const significandBits = { float16: 10, float32: 23, float64: 52 };

/**
 * The tolerance for ONNX's official test data: float16, float32 and float64 may differ by 5 units in the last place of the largest
 * element, because ONNX fixes no order of sums, and a difference is no more exact than its operands. float16 without `unpack`
 * must agree in every bit. `name` is the name of the test.
 */
export function officialTolerance(tensor, name = '') {
  const bits = significandBits[tensor.type];
  if (bits === undefined || (tensor.type === 'float16' && !tensor.unpack)) return exact;
  if (ofRoughPi.test(name) || ofFourDigits.test(name)) return { rtol: 0, atol: 1e-4 };
  let largest = 0;
  for (const value of valuesOf(tensor)) if (Number.isFinite(value)) largest = Math.max(largest, Math.abs(value));
  return largest === 0 ? exact : { rtol: 0, atol: unitsAllowed * 2 ** (Math.floor(Math.log2(largest)) - bits) };
}

/** As numbers, where `data` has bits of them. */
function valuesOf(tensor) {
  const isOfBits = /^(b?float(16|8|4)|u?int[24]$)/.test(tensor.type);
  return isOfBits && tensor.unpack ? tensor.unpack() : tensor.data;
}

const isSame = (found, wanted) =>
  // Examples are JSON: elements of int64 are numbers there.
  Object.is(found, wanted) || (typeof found === 'bigint' && found === BigInt(wanted));

const isWithin = (distance, size, tolerance) =>
  tolerance !== undefined && Number.isFinite(size) && distance <= tolerance.atol + tolerance.rtol * size;

/** Whether element `i` agrees. */
function agrees(found, wanted, i, type, tolerance) {
  if (type.startsWith('complex')) {
    const [re, im] = [2 * i, 2 * i + 1];
    if (isSame(found[re], wanted[re]) && isSame(found[im], wanted[im])) return true;
    const distance = Math.hypot(found[re] - wanted[re], found[im] - wanted[im]);
    return isWithin(distance, Math.hypot(wanted[re], wanted[im]), tolerance);
  }
  if (isSame(found[i], wanted[i])) return true;
  return type.includes('float') && isWithin(Math.abs(found[i] - wanted[i]), Math.abs(wanted[i]), tolerance);
}

function shown(values, i, type) {
  if (type.startsWith('complex')) return `${values[2 * i]}${values[2 * i + 1] < 0 ? '' : '+'}${values[2 * i + 1]}j`;
  const value = values[i];
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 80));
  return Object.is(value, -0) ? '-0' : String(value);
}

/** ` at [1, 0, 2]`, for the element that has number `i` in row-major order; nothing for a scalar. */
function placeOf(i, dims) {
  const index = [];
  let rest = i;
  for (const dim of Array.from(dims).reverse()) {
    index.unshift(rest % dim);
    rest = Math.floor(rest / dim);
  }
  return index.length === 0 ? '' : ` at [${index.join(', ')}]`;
}

/**
 * How `found` differs from `wanted`: its type and dims, or the first element that does not agree and how many do not. Undefined
 * where they agree.
 */
export function difference(found, wanted, tolerance) {
  const told = ({ type, dims }) => `${type} [${Array.from(dims).join(', ')}]`;
  if (told(found) !== told(wanted)) return `is ${told(found)}, wanted ${told(wanted)}`;
  const { type, dims } = wanted;
  const size = Array.from(dims).reduce((product, dim) => product * dim, 1);
  if (size === 0) return undefined;
  void [found.data, wanted.data]; // writes out lazy tensors: that may grow the memory, which ends views
  const values = valuesOf(found);
  const others = valuesOf(wanted);
  if (values.length !== others.length) return `has ${values.length} values, wanted ${others.length}`;
  let first = -1;
  let count = 0;
  for (let i = 0; i < size; i++) {
    if (agrees(values, others, i, type, tolerance)) continue;
    if (count++ === 0) first = i;
  }
  if (count === 0) return undefined;
  const place = placeOf(first, dims);
  return `is ${shown(values, first, type)}${place}, wanted ${shown(others, first, type)} (${count} of ${size} elements differ)`;
}
