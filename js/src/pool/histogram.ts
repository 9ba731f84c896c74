import type { Histogram } from './pool-types.js';

/** The first bound, in milliseconds; each next one is twice as large. The last is more than a minute. */
const first = 2 ** -5;
const bounds = Array.from({ length: 23 }, (_, i) => first * 2 ** i);

/** Counts durations by their lengths. */
export class Durations {
  readonly #counts = new Float64Array(bounds.length + 1);
  #sum = 0;
  #max = 0;

  add(milliseconds: number): void {
    const i = Math.min(Math.max(Math.ceil(Math.log2(milliseconds / first)), 0), bounds.length);
    this.#counts[i] = (this.#counts[i] as number) + 1;
    this.#sum += milliseconds;
    this.#max = Math.max(this.#max, milliseconds);
  }

  read(): Histogram {
    let count = 0;
    const buckets = Array.from(this.#counts, (many, i) => {
      count += many;
      return { le: bounds[i] ?? Infinity, count };
    });
    return { count, sum: this.#sum, max: this.#max, buckets };
  }
}
