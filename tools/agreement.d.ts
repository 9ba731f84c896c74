import type { DataType } from 'broadloom';

interface Comparable {
  type: DataType;
  dims: readonly number[];
  data: ArrayLike<unknown>;
}

export function differences(found: Comparable, wanted: Comparable, name?: string): string[];
