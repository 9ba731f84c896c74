// What "gives the official outputs" means, for the demo, the tests, and the consumers, which copy this file: it imports nothing.

// The tolerance of ONNX's own tests: their data were computed in another order, or by formulas that lose digits.
const absolute = 1e-7;
const relative = 1e-3;

function agree(type, found, wanted) {
  if (Object.is(found, wanted)) return true;
  const isReal = type === 'float32' || type === 'float64';
  return isReal && Math.abs(found - wanted) <= absolute + relative * Math.abs(wanted);
}

/** In words, where a tensor is not the one that was wanted: { type, dims, data } both. Empty when the two agree. */
export function differences(found, wanted) {
  const kind = ({ type, dims, data }) => `${type} [${[...dims].join(', ')}] with ${data.length} values`;
  if (kind(found) !== kind(wanted)) return [`${kind(found)}, wanted ${kind(wanted)}`];
  // Examples are JSON: elements of int64 are numbers there.
  const wantedAt = (i) => (typeof found.data[i] === 'bigint' ? BigInt(wanted.data[i]) : wanted.data[i]);
  return Array.from(found.data, (value, i) => [i, value, wantedAt(i)])
    .filter(([, value, other]) => !agree(wanted.type, value, other))
    .map(([i, value, other]) => `element ${i} is ${value}, wanted ${other}`);
}
