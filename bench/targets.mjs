// What the bench has to show, from the rows of the table and the family.
import { geometricMean } from './statistics.mjs';

/** From here on an output counts against the limit; below, the call itself does. */
export const largeBytes = 65_000;
export const isLarge = ({ bytes }) => bytes >= largeBytes;

const ratios = (rows) => rows.filter(isLarge).map(({ ratio }) => ratio);
const lowest = (rows) => rows.filter(isLarge).reduce((low, row) => (row.ratio < low.ratio ? row : low));
const two = (value) => value.toFixed(2);

/** `rows` without the peer are passed over: it is not there, or refuses the case. */
const slowdowns = (rows, peer) =>
  rows.filter(({ peers }) => peers[peer]).map((row) => [row.name, row.peers[peer].slower]);

function tableTargets(rows) {
  const mean = geometricMean(ratios(rows));
  const low = lowest(rows);
  const small = rows.filter((row) => !isLarge(row));
  const slowest = Math.max(...small.map(({ time }) => time));
  const targets = [
    { name: 'table, 65 kB and larger: geometric mean of the limit, at least 0.90', value: two(mean), met: mean >= 0.9 },
    {
      name: 'table, 65 kB and larger: none below 0.75',
      value: `${two(low.ratio)}, ${low.name}`,
      met: low.ratio >= 0.75,
    },
    {
      name: 'tiny calls: each under 0.6 us',
      value: small.map(({ time }) => `${two(time / 1000)} us`).join(', '),
      met: slowest < 600,
    },
  ];
  const numpy = slowdowns(rows, 'NumPy');
  if (numpy.length > 0) {
    const slower = numpy.filter(([, ratio]) => ratio < 1);
    const value = slower.length === 0 ? 'in none' : slower.map(([name, ratio]) => `${name} (${two(ratio)})`).join('; ');
    targets.push({ name: 'table: slower than native NumPy in no case', value, met: slower.length === 0 });
  }
  const web = slowdowns(rows, 'onnxruntime-web').map(([, ratio]) => ratio);
  if (web.length > 0) {
    const faster = geometricMean(web);
    targets.push({
      name: 'table: at least 15 times onnxruntime-web, geometric mean',
      value: faster.toFixed(1),
      met: faster >= 15,
    });
  }
  return targets;
}

function familyTargets(rows) {
  const mean = geometricMean(ratios(rows));
  const low = lowest(rows);
  return [
    {
      name: 'family, 65 kB and larger: geometric mean of the limit, at least 0.80',
      value: two(mean),
      met: mean >= 0.8,
    },
    {
      name: 'family, 65 kB and larger: none below 0.50',
      value: `${two(low.ratio)}, ${low.name}`,
      met: low.ratio >= 0.5,
    },
  ];
}

/** Of the two sections that are not about the limit. Either may be missing. */
function otherTargets(laziness, allocation) {
  const targets = [];
  if (laziness !== undefined) {
    const { name, time } = laziness.rows[1];
    targets.push({
      name: `${name} without reading data: under 1 us`,
      value: `${two(time / 1000)} us`,
      met: time < 1000,
    });
    const { code } = laziness.reading ?? {};
    targets.push({ name: 'reading it: an error', value: String(code), met: code === 'OUT_OF_MEMORY' });
  }
  if (allocation !== undefined) {
    const [, first, last] = allocation.rows;
    const met = first.heapBytes === last.heapBytes && first.bytesInUse === last.bytesInUse;
    const name = `${allocation.rounds} rounds of ${allocation.bytes} bytes leave the heap where it was`;
    targets.push({ name, value: `${first.heapBytes}, then ${last.heapBytes}`, met });
  }
  return targets;
}

/** @returns [{ name, value, met }]; none for a part that was not measured */
export function targetsOf({ table, family, laziness, allocation }) {
  return [
    ...(table.some(isLarge) && table.some((row) => !isLarge(row)) ? tableTargets(table) : []),
    ...(family.some(isLarge) ? familyTargets(family) : []),
    ...otherTargets(laziness, allocation),
  ];
}

/** Whether the output is the input over and over: a fill, or one whose stretched axes are all leading. */
function isRepeatedBlock({ inputDims, outputDims }) {
  if (inputDims === undefined) return true;
  const aligned = outputDims.slice(outputDims.length - inputDims.length);
  const first = inputDims.findIndex((dim) => dim !== 1);
  return inputDims.every((dim, axis) => first < 0 || axis < first || dim === aligned[axis]);
}

/**
 * Why a case is far from the limit, by simple rules. A call takes `overhead` nanoseconds whatever the size: when the rest
 * would reach 0.75, the call it is. When a loop of vector stores is itself that far from the limit at this size, and the
 * case reaches 0.75 of the loop, it is the stores; not so for one block repeated, which memory.copy can write faster.
 * Otherwise it is the kernel.
 *
 * @param stores - the rows of `measureStores`
 */
export function reasonFor(row, overhead, stores) {
  const { bytes, time, ratio } = row;
  const us = (nanoseconds) => (nanoseconds / 1000).toFixed(2);
  if ((ratio * time) / (time - overhead) >= 0.75) return `call overhead is ${us(overhead)} us of ${us(time)} us`;
  if (isRepeatedBlock(row)) return 'kernel';
  const distance = (other) => Math.abs(Math.log(other.bytes / bytes));
  const nearest = stores.reduce((best, other) => (distance(other) < distance(best) ? other : best));
  if (ratio >= 0.75 * nearest.ratio) return `v128.store alone reaches ${two(nearest.ratio)}`;
  return 'kernel';
}
