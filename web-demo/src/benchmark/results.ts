// The measured times, and their texts.
import type { Case } from './cases.js';

export const contestants = ['limit', 'broadloom', 'loops', 'onnxruntime'] as const;
export type Contestant = (typeof contestants)[number];

export type Result =
  /** Nanoseconds of one call; the limit's time divided by them. */
  | { readonly time: number; readonly ratio: number }
  /** The first byte that is not Broadloom's: nothing was timed. */
  | { readonly differsAt: number }
  /** The reason why the contestant could not be run. */
  | { readonly failure: string };

export interface Row {
  readonly item: Case;
  /** Only of those that took part. */
  readonly results: { readonly [name in Contestant]?: Result | undefined };
}

/** The place of the first difference; undefined when all bytes and their number are equal. */
export function firstDifference(expected: Uint8Array, actual: Uint8Array): number | undefined {
  const both = Math.min(expected.length, actual.length);
  for (let i = 0; i < both; i++) if (expected[i] !== actual[i]) return i;
  return expected.length === actual.length ? undefined : both;
}

/** GB/s of a result; undefined when there is none. */
export function speedOf({ item, results }: Row, name: Contestant): number | undefined {
  const result = results[name];
  return result && 'time' in result ? item.bytes / result.time : undefined;
}

/** Three digits, without an exponent. */
export function numberText(value: number): string {
  return value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2);
}

/** A part of the limit, in percent; what is below ten with one more digit. */
export function shareText(ratio: number): string {
  const percent = ratio * 100;
  return percent.toFixed(percent >= 10 ? 0 : 1);
}

export function sizeText(bytes: number): string {
  return bytes >= 2 ** 20 ? `${bytes / 2 ** 20} MiB` : `${bytes / 2 ** 10} KiB`;
}
