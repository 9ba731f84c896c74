/** Milliseconds of a call that is not repeated to be timed. */
const longest = 30;

/** The tensor that a call makes, and the microseconds of the shortest of a few calls: engines compile what runs often. */
export function timed<T extends { dispose(): void }>(work: () => T, rounds: number): [tensor: T, time: number] {
  let shortest = Infinity;
  for (let round = 1; ; round++) {
    const start = performance.now();
    const tensor = work();
    shortest = Math.min(shortest, performance.now() - start);
    if (round >= rounds || shortest > longest) return [tensor, shortest * 1000];
    tensor.dispose();
  }
}
