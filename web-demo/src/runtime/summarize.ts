// Tensors at a glance: statistics, a histogram, a plane. Every element is read, so the loops are over typed arrays alone:
// elements of at most 16 bits are counted by bit pattern, and only the patterns are converted to values.
import type { Runtime, Tensor } from 'broadloom';
import { type TypeRow, typeRow } from '../facts.js';
import { formatElement } from '../values/format.js';
import { valuesOfPatterns, wordsOf } from './patterns.js';
import { planeOf } from './plane.js';
import type { Summary } from './protocol.js';
import { bins, type EachPart, type Found, type Statistics, scaleOf } from './statistics.js';
import { ofElements } from './wide-elements.js';

/** Statistics do not change with the plane that is shown; tensors are values. */
const known = new WeakMap<Tensor, Statistics>();

/** Says that nobody waits for an answer any more. */
class Unwanted extends Error {}

/** Elements that are read at a time: about ten milliseconds. */
const partSize = 2 ** 20;

function inParts(isWanted: () => boolean): EachPart {
  return async (data, use) => {
    let { length } = data();
    for (let start = 0; start < length; start += partSize) {
      if (start > 0) await new Promise((done) => setTimeout(done));
      if (!isWanted()) throw new Unwanted();
      const now = data(); // memory may have moved
      length = now.length;
      use(now, start, Math.min(start + partSize, length));
    }
  };
}

/**
 * Statistics of all elements, and the plane of the last two axes at `outer`. There are no statistics for strings and complex
 * numbers. The work stops when the tensor is not wanted any more.
 */
export async function summarize(
  ops: Runtime,
  tensor: Tensor,
  outer: readonly number[],
  isWanted: () => boolean,
): Promise<Summary | undefined> {
  const row = typeRow(tensor.type);
  if (row.kind === 'string' || row.kind === 'complex') return undefined;
  try {
    const statistics = known.get(tensor) ?? (await statisticsOf(ops, tensor, row, inParts(isWanted)));
    known.set(tensor, statistics);
    return isWanted() ? { ...statistics, plane: planeOf(ops, tensor, outer) } : undefined;
  } catch (error) {
    if (error instanceof Unwanted) return undefined;
    throw error;
  }
}

async function statisticsOf(ops: Runtime, tensor: Tensor, row: TypeRow, eachPart: EachPart): Promise<Statistics> {
  const { ends, ...found } =
    row.bits > 16
      ? await ofElements(() => tensor.data as ArrayLike<number | bigint>, eachPart)
      : ofCounts(valuesOfPatterns(ops, row), await countPatterns(tensor, row, eachPart), tensor.size);
  const [leastText, greatestText] = ends.map((end) => formatElement(end, row)) as [string, string];
  return { ...found, leastText, greatestText };
}

/** How often every bit pattern occurs. */
async function countPatterns(tensor: Tensor, { bits }: TypeRow, eachPart: EachPart): Promise<Float64Array> {
  const counts = new Float64Array(2 ** Math.max(8, bits));
  await eachPart<number>(
    () => wordsOf(tensor),
    (words, start, end) => {
      for (let i = start; i < end; i++) (counts[words[i] as number] as number)++;
    },
  );
  return bits < 8 ? splitBytes(counts, bits, tensor.size) : counts;
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

/** Values that occur `counts` times: all patterns of a narrow type. */
function ofCounts(values: ArrayLike<number>, counts: Float64Array, size: number): Found {
  let [least, greatest, sum, finite, zeros] = [Infinity, -Infinity, 0, 0, 0];
  const present = [...counts.keys()].filter((i) => (counts[i] as number) > 0 && Number.isFinite(values[i]));
  for (const i of present) {
    const [value, count] = [values[i] as number, counts[i] as number];
    least = Math.min(least, value);
    greatest = Math.max(greatest, value);
    sum += value * count;
    finite += count;
    if (value === 0) zeros += count;
  }
  const histogram = new Float64Array(bins);
  const scale = scaleOf(least, greatest);
  for (const i of present) {
    const bin = Math.floor(((values[i] as number) - least) * scale);
    (histogram[Math.min(bin, bins - 1)] as number) += counts[i] as number;
  }
  return {
    ...{ least, greatest, mean: sum / finite, notFinite: size - finite, zeros },
    ...{ histogram: [...histogram], ends: [least, greatest] },
  };
}
