// Measures contenders in turns. The contenders of a case take turns in each round, so that other load on the machine affects all
// of them. A ratio is made of two samples of one round, and the median of these ratios is reported. Libraries (tinybench, mitata)
// measure one contender after the other: on a busy or throttled machine the ratio of two such results is noise.
import { median } from './statistics.mjs';

let sink = 0;

/** Times a synchronous call: returns nanoseconds of `count` calls. Uses the call's results, so that no engine drops the call. */
export function timed(call) {
  return (count) => {
    let sum = 0;
    const start = performance.now();
    for (let i = 0; i < count; i++) sum += call(i);
    const elapsed = performance.now() - start;
    sink += sum;
    return elapsed * 1e6;
  };
}

/** Times an asynchronous call. */
export function timedAsync(call) {
  return async (count) => {
    let sum = 0;
    const start = performance.now();
    for (let i = 0; i < count; i++) sum += await call(i);
    const elapsed = performance.now() - start;
    sink += sum;
    return elapsed * 1e6;
  };
}

export const sunk = () => sink;

/** The effort: nanoseconds of a sample, of warming up, and of all samples of a contender; limits of the number of rounds. */
export const fullEffort = { sample: 4e5, warmUp: 2e7, budget: 1.5e8, leastRounds: 9, mostRounds: 101 };
export const tableEffort = { sample: 1e6, warmUp: 1e8, budget: 8e8, leastRounds: 15, mostRounds: 301 };
export const quickEffort = { sample: 2e5, warmUp: 2e7, budget: 4e7, leastRounds: 5, mostRounds: 51 };
const leastSamples = 3; // of a peer that uses up its budget earlier

/** Warms up, and returns the number of calls in a sample, so that the clock can resolve it. */
async function calibrate(time, { sample, warmUp }) {
  let count = 1;
  let spent = await time(1);
  for (let last = spent; spent < warmUp || last < sample; spent += last) {
    if (last < sample) count = Math.min(count * 2, Math.max(1, Math.ceil((count * sample) / Math.max(last, 1)) + 1));
    last = await time(count);
    if (last > warmUp && count === 1) break;
  }
  return count;
}

/** Nanoseconds of one call in one sample. An untimed call first brings code and data back into the caches. */
async function sampleOf({ time, count }) {
  await time(1);
  return (await time(count)) / count;
}

/**
 * Measures `subject` against `limit`, side by side, and `peers` in the same rounds.
 *
 * @param contenders - subject, limit and the list of peers: { name, time(count) -> nanoseconds or a promise of them }
 * @returns { time, limitTime, ratio, rounds, peers: [{ name, time, slower, samples }] }, all medians; times in
 * nanoseconds a call, `ratio` the limit's time over the subject's, `slower` a peer's time over the subject's
 */
export async function measure({ subject, limit, peers }, effort) {
  const runners = [];
  for (const { name, time } of [subject, limit, ...peers]) {
    runners.push({ name, time, count: await calibrate(time, effort), samples: [], slower: [], spent: 0 });
  }
  const [ours, bound, ...others] = runners;
  const ratios = [];
  const done = () => ratios.length >= effort.leastRounds && ours.spent >= effort.budget;
  while (ratios.length < effort.mostRounds && !done()) {
    const before = await sampleOf(bound);
    const time = await sampleOf(ours);
    const after = await sampleOf(bound);
    ours.samples.push(time);
    bound.samples.push(before, after);
    ours.spent += time * ours.count + ((before + after) / 2) * bound.count;
    ratios.push((before + after) / 2 / time);
    for (const peer of others) {
      if (peer.samples.length >= leastSamples && peer.spent >= effort.budget) continue;
      const theirs = await sampleOf(peer);
      peer.samples.push(theirs);
      peer.slower.push(theirs / time);
      peer.spent += theirs * (peer.count + 1);
    }
  }
  return {
    time: median(ours.samples),
    limitTime: median(bound.samples),
    ratio: median(ratios),
    rounds: ratios.length,
    peers: others.map(({ name, samples, slower }) => ({
      name,
      time: median(samples),
      slower: median(slower),
      samples: samples.length,
    })),
  };
}

/** Nanoseconds of one synchronous call without contenders: the median of many samples, after warming up. */
export async function measureAlone(call, effort) {
  const time = timed(call);
  const count = await calibrate(time, effort);
  return median(Array.from({ length: effort.leastRounds * 3 }, () => time(count) / count));
}
