// Tensors at a glance: statistics, a histogram, a plane. Every element is read, so the loops are over typed arrays alone:
// types of at most 16 bits are counted by bit pattern, and only the patterns are looked at as values.
import type { Runtime, Tensor } from 'broadloom';
import { type TypeRow, typeRow } from '../facts.js';
import { numberReader, valuesOfPatterns, wordsOf } from './patterns.js';
import type { Summary } from './protocol.js';

type Statistics = Omit<Summary, 'plane'>;

const bins = 64;
const largestPlane = 256;

/** Statistics do not change with the plane that is shown; tensors are values. */
const known = new WeakMap<Tensor, Statistics>();

/** Statistics of all elements, and the plane of the last two axes at `outer`; none for strings and complex numbers. */
export function summarize(ops: Runtime, tensor: Tensor, outer: readonly number[]): Summary | undefined {
  const row = typeRow(tensor.type);
  if (row.kind === 'string' || row.kind === 'complex') return undefined;
  let statistics = known.get(tensor);
  if (statistics === undefined) {
    statistics = row.bits <= 16 ? ofNarrow(ops, tensor, row) : ofWide(tensor);
    known.set(tensor, statistics);
  }
  return { ...statistics, plane: planeOf(ops, tensor, outer) };
}

/** How often every bit pattern occurs. */
function countPatterns(tensor: Tensor, { bits }: TypeRow): Float64Array {
  const words = wordsOf(tensor);
  const counts = new Float64Array(2 ** Math.max(8, bits));
  // Four counters for bytes: a counter that is asked for twice in a row would wait for itself.
  if (bits >= 16) for (let i = 0; i < words.length; i++) (counts[words[i] as number] as number)++;
  else countBytes(words as Uint8Array, counts);
  return bits < 8 ? splitBytes(counts, bits, tensor.size) : counts;
}

function countBytes(bytes: Uint8Array, counts: Float64Array): void {
  const lanes = [0, 1, 2, 3].map(() => new Uint32Array(256)) as [Uint32Array, Uint32Array, Uint32Array, Uint32Array];
  const [a, b, c, d] = lanes;
  const whole = bytes.length - (bytes.length % 4);
  for (let i = 0; i < whole; i += 4) {
    (a[bytes[i] as number] as number)++;
    (b[bytes[i + 1] as number] as number)++;
    (c[bytes[i + 2] as number] as number)++;
    (d[bytes[i + 3] as number] as number)++;
  }
  for (let i = whole; i < bytes.length; i++) (a[bytes[i] as number] as number)++;
  for (const lane of lanes)
    lane.forEach((count, byte) => {
      (counts[byte] as number) += count;
    });
}

/** Counts of the elements that bytes hold; padding, which is zero, is taken off. */
function splitBytes(bytes: Float64Array, bits: number, size: number): Float64Array {
  const perByte = 8 / bits;
  const counts = new Float64Array(2 ** bits);
  bytes.forEach((count, byte) => {
    for (let i = 0; i < perByte; i++) (counts[(byte >> (i * bits)) & (2 ** bits - 1)] as number) += count;
  });
  const padding = Math.ceil(size / perByte) * perByte - size;
  (counts[0] as number) -= padding;
  return counts;
}

function binsOf(least: number, greatest: number): { histogram: number[]; binOf: (value: number) => number } {
  const scale = greatest > least ? bins / (greatest - least) : 0;
  return {
    histogram: new Array<number>(bins).fill(0),
    binOf: (value) => Math.min(bins - 1, Math.floor((value - least) * scale)),
  };
}

function ofNarrow(ops: Runtime, tensor: Tensor, row: TypeRow): Statistics {
  const values = valuesOfPatterns(ops, row);
  const counts = countPatterns(tensor, row);
  let [least, greatest, sum, finite] = [Infinity, -Infinity, 0, 0];
  counts.forEach((count, pattern) => {
    const value = values[pattern] as number;
    if (count === 0 || !Number.isFinite(value)) return;
    least = Math.min(least, value);
    greatest = Math.max(greatest, value);
    sum += value * count;
    finite += count;
  });
  const { histogram, binOf } = binsOf(least, greatest);
  counts.forEach((count, pattern) => {
    const value = values[pattern] as number;
    if (count > 0 && Number.isFinite(value)) (histogram[binOf(value)] as number) += count;
  });
  return { least, greatest, mean: sum / finite, notFinite: tensor.size - finite, histogram };
}

/** Types of 32 and 64 bits, in two passes. What is not finite makes `value - value` NaN. */
function ofWide(tensor: Tensor): Statistics {
  const data = tensor.data as unknown as ArrayLike<number>;
  const isBig = typeof data[0] === 'bigint';
  let [least, greatest, sum, finite] = [Infinity, -Infinity, 0, 0];
  for (let i = 0; i < data.length; i++) {
    const value = isBig ? Number(data[i]) : (data[i] as number);
    if (value - value !== 0) continue;
    if (value < least) least = value;
    if (value > greatest) greatest = value;
    sum += value;
    finite++;
  }
  const { histogram } = binsOf(least, greatest);
  const counts = new Float64Array(bins);
  const scale = greatest > least ? bins / (greatest - least) : 0;
  for (let i = 0; i < data.length; i++) {
    const value = isBig ? Number(data[i]) : (data[i] as number);
    if (value - value !== 0) continue;
    const bin = ((value - least) * scale) | 0;
    (counts[bin < bins ? bin : bins - 1] as number)++;
  }
  counts.forEach((count, bin) => {
    histogram[bin] = count;
  });
  return { least, greatest, mean: sum / finite, notFinite: tensor.size - finite, histogram };
}

/** The plane at `outer`, of which no more elements are read than are shown. */
function planeOf(ops: Runtime, tensor: Tensor, outer: readonly number[]): Summary['plane'] {
  const { dims } = tensor;
  const [rows, columns] = [dims.at(-2) ?? 1, dims.at(-1) ?? 1];
  const start = dims.slice(0, -2).reduce((place, dim, i) => place * dim + (outer[i] ?? 0), 0) * rows * columns;
  const [shownRows, shownColumns] = [Math.min(rows, largestPlane), Math.min(columns, largestPlane)];
  const valueAt = numberReader(ops, tensor);
  const values = new Float32Array(shownRows * shownColumns);
  for (let r = 0; r < shownRows; r++) {
    const row = start + Math.floor((r * rows) / shownRows) * columns;
    for (let c = 0; c < shownColumns; c++) {
      values[r * shownColumns + c] = valueAt(row + Math.floor((c * columns) / shownColumns));
    }
  }
  return { rows: shownRows, columns: shownColumns, values };
}
