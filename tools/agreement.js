// What "gives the official outputs" means, for the demo, the tests, and the consumers, which copy this file: it imports nothing.

const unitsAllowed = 3;
const float = new Float32Array(1);
const bits = new Int32Array(float.buffer);

/** The place of a float32 among all of them, in order; 0 and -0 have one. */
function placeOf(number) {
  float[0] = number;
  return bits[0] < 0 ? -(bits[0] & 0x7fffffff) : bits[0];
}

/** Elements are the same bits of a value; of float32, up to 3 units in the last place lie between them: ONNX fixes no order of sums. */
function agree(type, found, wanted) {
  if (Object.is(found, wanted)) return true;
  return type === 'float32' && Math.abs(placeOf(found) - placeOf(wanted)) <= unitsAllowed;
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
