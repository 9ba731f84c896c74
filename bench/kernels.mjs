// npm run bench:kernels [-- <part of a name>]
// The strided kernel in wasm, on layouts other than broadcasts: GB/s of results, and the ratio to memory.copy's speed over as
// many bytes. Results are compared with a plain walk. Both take turns, and the fastest round of each counts, since other programs
// may use the machine.
import { cases } from './strided-cases.mjs';
import { kernels } from './wasm-kernels.mjs';

const exports = await kernels();

const rounds = 60;
const roundBytes = 4e6;

function seconds(work) {
  const start = performance.now();
  work();
  return (performance.now() - start) / 1e3;
}

/** The index of the first byte that differs from the result of a walk over all elements; -1 if all are equal. */
function firstWrong(result, source, { dims, strides, first = 0, item }) {
  const index = dims.map(() => 0);
  let element = first;
  for (let at = 0; at < result.length; at += item) {
    for (let byte = 0; byte < item; byte++) if (result[at + byte] !== source[element * item + byte]) return at + byte;
    for (let axis = dims.length - 1; axis >= 0; axis--) {
      element += strides[axis];
      if (++index[axis] < dims[axis]) break;
      element -= dims[axis] * strides[axis];
      index[axis] = 0;
    }
  }
  return -1;
}

function measure(layout) {
  const { name, dims, strides, first = 0, item } = layout;
  const count = dims.reduce((product, dim) => product * dim, 1);
  const ends = dims.map((dim, axis) => (dim - 1) * strides[axis]);
  const reach = 1 + first + ends.reduce((sum, end) => sum + Math.max(end, 0), 0);
  const axes = exports.allocate(16 * dims.length);
  const from = exports.allocate(reach * item);
  const to = exports.allocate(count * item);
  const { buffer } = exports.memory;
  new BigInt64Array(buffer, axes, 2 * dims.length).set([...dims, ...strides].map(BigInt));
  const source = new Uint8Array(buffer, from, reach * item);
  for (let i = 0; i < source.length; i++) source[i] = i % 251;
  const times = Math.max(1, Math.round(roundBytes / (count * item)));
  const kernel = () => exports.materialize(to, from + first * item, axes, dims.length, item, times);
  const copy = () => exports.copyBytes(to, from, Math.min(count, reach) * item, times);
  kernel();
  const wrong = firstWrong(new Uint8Array(buffer, to, count * item), source, layout);
  if (wrong >= 0) throw new Error(`${name}: byte ${wrong} of the result is wrong`);
  copy();
  const samples = Array.from({ length: rounds }, () => [seconds(kernel), seconds(copy)]);
  for (const place of [axes, from, to]) exports.release(place);
  const written = count * item * times;
  const mine = Math.min(...samples.map(([own]) => own));
  const theirs = Math.min(...samples.map(([, other]) => other));
  return { speed: written / mine / 1e9, share: theirs / mine };
}

const part = process.argv[2] ?? '';
console.log(`${'layout'.padEnd(52)}  GB/s  of memory.copy`);
for (const one of cases.filter(({ name }) => name.includes(part))) {
  const { speed, share } = measure(one);
  console.log(`${one.name.padEnd(52)} ${speed.toFixed(1).padStart(5)}  ${share.toFixed(2)}`);
}
