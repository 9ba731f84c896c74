// Statistics of all elements of a tensor, and the code that both ways to them share.
import type { Summary } from './protocol.js';

export type Statistics = Omit<Summary, 'plane'>;

/** Statistics before their ends are written as text; the ends as the tensor has them. */
export type Found = Omit<Statistics, 'leastText' | 'greatestText'> & {
  readonly ends: readonly [number | bigint, number | bigint];
};

/** Reads a tensor part by part; what else is asked of the worker is answered in between. */
export type EachPart = <T>(
  data: () => ArrayLike<T>,
  use: (part: ArrayLike<T>, start: number, end: number) => void,
) => Promise<void>;

export const bins = 64;

/** Bins in a unit of value. */
export function scaleOf(least: number, greatest: number): number {
  return greatest > least ? bins / (greatest - least) : 0;
}
