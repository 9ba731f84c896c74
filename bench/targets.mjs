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

/** How many times an output's bytes are written when each level of repeats below the outermost is written before it. */
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
 * Where the time of a case goes, as shares: the call, whatever the size; the limit, or, for what cannot be copied in
 * blocks, vector stores at their own speed for this size; the levels of repeats that are written before the last one;
 * and what is left for loads, shuffles and loops.
 *
 * @param overhead - nanoseconds that a call takes whatever the size
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
