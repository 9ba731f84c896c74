/** Microseconds that one run of `work` takes: many runs of what is short, because clocks in browsers are coarse. */
export function timeOf(work: () => void): number {
  const enough = 4; // milliseconds
  for (let runs = 1; ; runs *= 4) {
    const start = performance.now();
    for (let i = 0; i < runs; i++) work();
    const took = performance.now() - start;
    if (took >= enough || runs > 1e6) return (took / runs) * 1000;
  }
}
