// Mathematical functions and functions of networks, in float64 by the engine's Math: an independent judge between two
// results.
import { numberOf } from './values.mjs';

/** A series up to 2, whose terms all have the same sign; above, a continued fraction, because 1 - erf has too few digits there. */
function erfc(x) {
  if (x < 0) return 2 - erfc(-x);
  if (x < 2) return 1 - erfOfSmall(x);
  let fraction = 0;
  for (let k = 60; k > 0; k--) fraction = k / 2 / (x + fraction);
  return Math.exp(-x * x) / (x + fraction) / Math.sqrt(Math.PI);
}
function erfOfSmall(x) {
  let term = x;
  let sum = x;
  for (let k = 1; k < 100; k++) {
    term *= (2 * x * x) / (2 * k + 1);
    sum += term;
  }
  return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum;
}
function erf(x) {
  if (Math.abs(x) > 7) return Math.sign(x);
  return Math.abs(x) < 3 ? erfOfSmall(x) : Math.sign(x) * (1 - erfc(Math.abs(x)));
}

const sigmoid = (x) => (x < 0 ? Math.exp(x) / (1 + Math.exp(x)) : 1 / (1 + Math.exp(-x)));
const softplus = (x) => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));
const normalDistribution = (x) => erfc(-x * Math.SQRT1_2) / 2;
const clamped = (x) => Math.min(Math.max(x, 0), 1);

/** pow by C's Annex F: JavaScript returns NaN for 1 to the NaN and for -1 to an infinity. */
function power(x, y) {
  if (x === 1 || (x === -1 && Math.abs(y) === Infinity)) return 1;
  return x ** y;
}

const given = (attributes, name, default_) => Math.fround(attributes[name] ?? default_);
const elu = (x, attributes) => (x < 0 ? given(attributes, 'alpha', 1) * Math.expm1(x) : x);
const seluNumbers = ({ gamma, alpha }, since) => ({
  gamma: Math.fround(gamma ?? (since < 6 ? 1.0507 : 1.0507010221481323)),
  alpha: Math.fround(alpha ?? (since < 6 ? 1.6732 : 1.6732631921768188)),
});
/** The lost precision of exponentials whose argument is below a limit: x multiplies their error. */
const lostBelow = (limit, x) => (x < limit ? -x : 0);
const tanhArgument = (x) => 2 * Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3);

/**
 * By operator: the function, and the allowed error in units in the last place. Single functions are within
 * 2 (src/kernels/elementwise/functions.h), and each further step adds half a unit. If a step subtracts, `scale` is the magnitude of
 * its operand. With float64, the engine's error is added.
 */
const functions = {
  Acos: { of: Math.acos, ulps: 2 },
  Acosh: { of: Math.acosh, ulps: 2 },
  Asin: { of: Math.asin, ulps: 2 },
  Asinh: { of: Math.asinh, ulps: 2 },
  Atan: { of: Math.atan, ulps: 2 },
  Atanh: { of: Math.atanh, ulps: 2 },
  Celu: {
    of(x, attributes) {
      const alpha = given(attributes, 'alpha', 1);
      return Math.max(x, 0) + Math.min(alpha * Math.expm1(x / alpha), 0);
    },
    ulps: 4,
  },
  Cos: { of: Math.cos, ulps: 2 },
  Cosh: { of: Math.cosh, ulps: 2 },
  Elu: { of: elu, ulps: 3 },
  Erf: { of: erf, ulps: 2, leastOfDoubles: 64 }, // exp(-x * x) multiplies the error of its argument
  Exp: { of: Math.exp, ulps: 2 },
  Gelu: {
    of: (x, { approximate }) => x * (approximate === 'tanh' ? sigmoid(tanhArgument(x)) : normalDistribution(x)),
    // The logistic function multiplies the error of a negative argument by that argument.
    ulps: (x, { approximate }) =>
      approximate === 'tanh' ? 4 + 3 * Math.max(-tanhArgument(x), 0) : 3 + lostBelow(-12, x),
    leastOfDoubles: 4096, // the precision of erfc above
  },
  HardSigmoid: {
    of: (x, attributes) => clamped(given(attributes, 'alpha', 0.2) * x + given(attributes, 'beta', 0.5)),
    ulps: 1.5,
    scale: (x, attributes) => Math.max(Math.abs(given(attributes, 'beta', 0.5)), Math.abs(x)),
  },
  HardSwish: { of: (x) => x * clamped(x / 6 + 0.5), ulps: 2, scale: Math.abs },
  Log: { of: Math.log, ulps: 2 },
  Mish: { of: (x) => x * Math.tanh(softplus(x)), ulps: (x) => 5 + lostBelow(-87, x) },
  Pow: { of: (x, _, y) => power(x, y), ulps: 2 },
  Selu: {
    of(x, attributes, _, since) {
      const { gamma, alpha } = seluNumbers(attributes, since);
      return gamma * (x < 0 ? alpha * Math.expm1(x) : x);
    },
    ulps: 4,
  },
  Sigmoid: { of: sigmoid, ulps: 2 },
  Sin: { of: Math.sin, ulps: 2 },
  Sinh: { of: Math.sinh, ulps: 2 },
  Softplus: { of: softplus, ulps: 2 },
  Softsign: { of: (x) => x / (1 + Math.abs(x)), ulps: 1.5 },
  Swish: {
    of: (x, attributes) => x * sigmoid(given(attributes, 'alpha', 1) * x),
    ulps: (x, attributes) => 4 + Math.max(-given(attributes, 'alpha', 1) * x, 0),
  },
  Tan: { of: Math.tan, ulps: 2 },
  Tanh: { of: Math.tanh, ulps: 2 },
};

const formats = {
  float16: { digits: 11, least: -14, most: 16 },
  float32: { digits: 24, least: -126, most: 128 },
  float64: { digits: 53, least: -1022, most: 1024 },
};

/** The distance between neighbouring numbers of a type at a value. */
function ulpOf(type, value) {
  const { digits, least } = formats[type];
  if (value === 0 || !Number.isFinite(value)) return 2 ** (least + 1 - digits);
  let exponent = Math.floor(Math.log2(Math.abs(value)));
  if (2 ** exponent > Math.abs(value)) exponent--;
  return 2 ** (Math.max(exponent, least) + 1 - digits);
}

/** Replaces an infinity by the power of two above the largest number. */
const finite = (type, value) =>
  Math.abs(value) === Infinity && type !== 'float64' ? Math.sign(value) * 2 ** formats[type].most : value;

function isNear(type, ours, wanted, ulps, scale) {
  if (Number.isNaN(wanted) || Number.isNaN(ours)) return Number.isNaN(wanted) === Number.isNaN(ours);
  if (wanted === 0 && ours === 0) return Object.is(ours, wanted);
  if (finite(type, ours) === finite(type, wanted)) return true;
  const size = Math.max(Math.abs(finite(type, wanted)), scale);
  const { most } = formats[type];
  if (size >= 2 ** most && Math.abs(ours) === Infinity) return true;
  // Half precision is computed in float32 and rounded once.
  const allowed =
    type === 'float16'
      ? ulpOf(type, wanted) / 2 + ulps * ulpOf('float32', size)
      : (type === 'float64' ? 2 * ulps + 4 : ulps) * ulpOf(type, size) + ulpOf(type, wanted) / 2;
  return Math.abs(finite(type, ours) - finite(type, wanted)) <= allowed;
}

/** The index of an operand's element that broadcasts to element `i` of `dims`. */
function placeOf(i, dims, own) {
  let place = 0;
  let step = 1;
  for (let axis = dims.length - 1; axis >= 0; axis--) {
    const size = own[axis - dims.length + own.length] ?? 1;
    if (size > 1) place += (i % dims[axis]) * step;
    step *= size;
    i = Math.floor(i / dims[axis]);
  }
  return place;
}

/** Whether a result is within the table's error of the operator's function; undefined if the table lacks the operator. */
export function isOfFunction({ name, since, attributes, operands, ours }) {
  const row = functions[name];
  const [{ type, dims, data }] = ours;
  if (row === undefined || formats[type] === undefined) return undefined;
  return [...data].every((element, i) => {
    const [x, y] = operands.map((input) => Number(numberOf(input.type, input.data[placeOf(i, dims, input.dims)])));
    const ulps = typeof row.ulps === 'number' ? row.ulps : row.ulps(x, attributes);
    const wanted = row.of(x, attributes, y, since);
    const least = type === 'float64' ? (row.leastOfDoubles ?? 0) : 0;
    return isNear(type, numberOf(type, element), wanted, Math.max(ulps, least), row.scale?.(x, attributes) ?? 0);
  });
}
