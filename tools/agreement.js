// What "gives the official outputs" means, for the demo, the tests, and the consumers, which copy this file: it imports nothing.

/** A variance that was made as a difference of squares, in the expanded models of LayerNormalization, is 4 units away. */
const unitsAllowed = 4;

/** The distance from a number of so many bits of precision to the next. */
const unitOf = (number, bits) => 2 ** (Math.floor(Math.log2(number)) - bits);

/** ONNX computed the data of these with 3.1415 for pi, their models have it exactly: elements are up to 0.00008 apart. */
const ofRoughPi = /(blackman|hamming|hann)window/;
const roughness = 1e-4;

/**
 * By how much elements may differ: floats by up to 4 units in the last place of the largest of them, since ONNX fixes no order of
 * sums, and what is left of a difference is not more exact than what it was made of.
 */
function allowance({ type, data }, name) {
  if (type !== 'float32' && type !== 'float64') return 0;
  if (ofRoughPi.test(name)) return roughness;
  let largest = 0;
  for (const value of data) if (Number.isFinite(value)) largest = Math.max(largest, Math.abs(value));
  return largest === 0 ? 0 : unitsAllowed * unitOf(largest, type === 'float32' ? 23 : 52);
}

/**
 * In words, where a tensor is not the one that was wanted: { type, dims, data } both. Empty when the two agree. `name` is that of
 * the official case whose data they are.
 */
export function differences(found, wanted, name = '') {
  const kind = ({ type, dims, data }) => `${type} [${[...dims].join(', ')}] with ${data.length} values`;
  if (kind(found) !== kind(wanted)) return [`${kind(found)}, wanted ${kind(wanted)}`];
  // Examples are JSON: elements of int64 are numbers there.
  const wantedAt = (i) => (typeof found.data[i] === 'bigint' ? BigInt(wanted.data[i]) : wanted.data[i]);
  const most = allowance(wanted, name);
  const agree = (value, other) =>
    Object.is(value, other) || value === other || (most > 0 && Math.abs(value - other) <= most);
  return Array.from(found.data, (value, i) => [i, value, wantedAt(i)])
    .filter(([, value, other]) => !agree(value, other))
    .map(([i, value, other]) => `element ${i} is ${value}, wanted ${other}`);
}
