// What "gives the official outputs" means, for the demo, the tests, and the consumers, which copy this file: it imports nothing.

/** So much of the wanted value may be missing or too much: ONNX fixes no order of sums. */
const allowed = { float32: 1e-6, float64: 1e-14 };

/** Elements are the same bits of a value; of floats, there may be a little between them. */
function agree(type, found, wanted) {
  return Object.is(found, wanted) || Math.abs(found - wanted) <= (allowed[type] ?? 0) * Math.abs(wanted);
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
