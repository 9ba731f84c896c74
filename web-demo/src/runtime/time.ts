// Times of calls.
import type { Tensor } from 'broadloom';
import type { Times } from './protocol.js';

/** Microseconds that one run of `work` takes: many runs of what is short, because clocks in browsers are coarse. */
function timeOf(work: () => void): number {
  const enough = 12; // milliseconds
  for (let runs = 1; ; runs *= 4) {
    const start = performance.now();
    for (let i = 0; i < runs; i++) work();
    const took = performance.now() - start;
    if (took >= enough || runs > 1e6) return (took / runs) * 1000;
  }
}

export function free(tensors: readonly Tensor[]): void {
  for (const tensor of tensors) tensor.dispose();
}

/** Microseconds of a call, and of writing its results out after it. */
export function timesOf(run: () => Tensor[], isSmall: boolean): Times {
  const write = (): void => {
    const tensors = run();
    for (const tensor of tensors) void tensor.data;
    free(tensors);
  };
  const callTime = timeOf(() => free(run()));
  return { callTime, writeTime: isSmall ? Math.max(0, timeOf(write) - callTime) : 0 };
}
