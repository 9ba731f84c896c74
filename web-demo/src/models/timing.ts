// Times of runs of a model, and of its nodes. Clocks in browsers are coarse, so that what is short is repeated.
import type { NodeProfile, Tensor } from 'broadloom';
import { isWritten } from '../runtime/inspect.js';
import { free, timesOf } from '../runtime/time.js';
import type { Repeated } from './protocol.js';

/** Microseconds: a run that takes longer is not repeated only to be timed. */
const slow = 1_500_000;
/** Microseconds: of shorter runs, many are timed together. */
const short = 2000;
/** Microseconds that repeated runs may take in all. */
const enough = 600_000;
const mostRuns = 15;
const mostProfiles = 50;

/** Microseconds of writing tensors out, once. */
function timeOfWriting(tensors: readonly Tensor[]): number {
  const start = performance.now();
  for (const tensor of tensors) if (isWritten(tensor)) void tensor.data;
  return (performance.now() - start) * 1000;
}

/**
 * The median of some runs, or the mean of many short ones.
 *
 * @param once - runs the model
 * @param outputs - the outputs of the first run
 * @param firstTime - what the first run took, in microseconds
 * @param isRepeated - false for a run that is only wanted for its values
 */
export function timesOfRuns(
  once: () => Tensor[],
  outputs: readonly Tensor[],
  firstTime: number,
  isRepeated: boolean,
): Repeated {
  if (!isRepeated || firstTime > slow) {
    return { callTime: firstTime, writeTime: timeOfWriting(outputs), runs: 1, firstTime };
  }
  const times: number[] = [];
  for (let all = 0; times.length < mostRuns && (times.length < 3 || all < enough); ) {
    const start = performance.now();
    free(once());
    const time = (performance.now() - start) * 1000;
    times.push(time);
    all += time;
  }
  const median = times.sort((a, b) => a - b)[times.length >> 1] as number;
  if (median < short) return { ...timesOf(once, outputs.every(isWritten)), runs: 0, firstTime };
  return { callTime: median, writeTime: timeOfWriting(outputs), runs: times.length, firstTime };
}

/** The rows of several profiles with their mean times. */
export function averageOf(once: () => NodeProfile[]): { nodes: NodeProfile[]; runs: number } {
  const start = performance.now();
  const rows = once();
  const sums = rows.map(({ microseconds }) => microseconds);
  let runs = 1;
  for (; runs < mostProfiles && (performance.now() - start) * 1000 < enough; runs++) {
    for (const [i, { microseconds }] of once().entries()) (sums[i] as number) += microseconds;
  }
  return { nodes: rows.map((row, i) => ({ ...row, microseconds: (sums[i] as number) / runs })), runs };
}
