// How long is measured, which depends on the clock: browsers round it, so that nobody can spy with it.

/** Milliseconds between two ticks of the clock. */
export function clockStep(now: () => number = () => performance.now()): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 10; i++) {
    const start = now();
    let next = start;
    while (next === start) next = now();
    least = Math.min(least, next - start);
  }
  return least;
}

/** The effort of a case in the terms of bench/measure.mjs. A sample is at least ten ticks, so that its error is a tenth. */
export function effortFor(step: number) {
  const sample = Math.max(2e6, step * 1e7);
  return { sample, warmUp: Math.max(5e7, 2 * sample), budget: 40 * sample, leastRounds: 7, mostRounds: 31 };
}
