export interface Tolerance {
  readonly rtol: number;
  readonly atol: number;
}

interface Comparable {
  readonly type: string;
  readonly dims: ArrayLike<number>;
  readonly data: ArrayLike<unknown>;
  /** Where `data` has bits: the elements as numbers. */
  unpack?(): ArrayLike<unknown>;
}

export const runnerTolerance: Tolerance;
export function roundingTolerance(type: string): Tolerance;
export function officialTolerance(wanted: Comparable, name?: string): Tolerance;
export function difference(found: Comparable, wanted: Comparable, tolerance?: Tolerance): string | undefined;
