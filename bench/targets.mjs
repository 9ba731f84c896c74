// The targets of the bench, computed from the rows of the table and the family.
import { geometricMean } from './statistics.mjs';

/** Outputs of at least this size are compared with the limit. For smaller ones, the time of the call counts. */
export const largeBytes = 65_000;
export const isLarge = ({ bytes }) => bytes >= largeBytes;

const ratios = (rows) => rows.filter(isLarge).map(({ ratio }) => ratio);
const lowest = (rows) => rows.filter(isLarge).reduce((low, row) => (row.ratio < low.ratio ? row : low));
const two = (value) => value.toFixed(2);

/** Skips rows without the peer, which is not installed or refuses the case. */
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

/** The targets of the two sections that are not about the limit. Either may be missing. */
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

/** @returns [{ name, value, met }], without the parts that were not measured */
export function targetsOf({ table, family, laziness, allocation }) {
  return [
    ...(table.some(isLarge) && table.some((row) => !isLarge(row)) ? tableTargets(table) : []),
    ...(family.some(isLarge) ? familyTargets(family) : []),
    ...otherTargets(laziness, allocation),
  ];
}

/** Whether the output repeats the whole input: a fill, or a broadcast along leading axes only. */
function isRepeatedBlock({ inputDims, outputDims }) {
  if (inputDims === undefined) return true;
  const aligned = outputDims.slice(outputDims.length - inputDims.length);
  const first = inputDims.findIndex((dim) => dim !== 1);
  return inputDims.every((dim, axis) => first < 0 || axis < first || dim === aligned[axis]);
}

/** How often a byte of the output is written, if each level of repeats is first written to a buffer, except the outermost. */
function writesOf({ inputDims, outputDims }) {
  const aligned = outputDims.slice(outputDims.length - inputDims.length);
  const outermost = inputDims.findIndex((dim) => dim !== 1);
  let written = 0;
  let share = 1;
  aligned.forEach((dim, axis) => {
    if (axis < outermost || dim === inputDims[axis]) return;
    written += share;
    share /= dim;
  });
  return written;
}

/**
 * The shares of a case's time: the call; the limit (or, if the output cannot be copied in blocks, vector stores at their speed
 * for this size); the inner levels of repeats; and the rest, for loads, shuffles and loops.
 *
 * @param overhead - nanoseconds of a call that do not depend on the size
 * @param stores - the rows of `measureStores`
 */
export function reasonFor(row, overhead, stores) {
  const { bytes, time, limitTime } = row;
  const distance = (other) => Math.abs(Math.log(other.bytes / bytes));
  const nearest = stores.reduce((best, other) => (distance(other) < distance(best) ? other : best));
  const storing = limitTime / nearest.ratio;
  const isCopied = isRepeatedBlock(row);
  const parts = isCopied
    ? [
        ['call', overhead],
        ['memory.fill', limitTime],
      ]
    : [
        ['call', overhead],
        ['v128.store', storing],
        ['inner levels', storing * (writesOf(row) - 1)],
      ];
  const rest = time - parts.reduce((sum, [, part]) => sum + part, 0);
  const percent = (part) => Math.round((100 * part) / time);
  return [...parts, [isCopied ? 'reading the block that is copied' : 'loads, shuffles, loops', rest]]
    .filter(([, part]) => percent(part) > 0)
    .map(([name, part]) => `${name} ${percent(part)} %`)
    .join(', ');
}
