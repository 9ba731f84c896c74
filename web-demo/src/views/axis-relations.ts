// The relations between the axes of an input and the axes of an output, as a trace shows them.
import type { TensorReport, Trace } from '../runtime/protocol.js';
import { indexOf } from './mapping.js';

/** An axis of an input, and where its elements go. */
export interface AxisRelation {
  readonly axis: number;
  readonly dim: number;
  /** The axes of the output along which other indices of this axis are read. */
  readonly to: readonly number[];
  /** The most indices of this axis that one element of the output is computed from. */
  readonly together: number;
  /** How many of its indices are read at all. */
  readonly read: number;
}

/** The indices along an axis of the elements that each element of the output is computed from, as texts to compare. */
function indicesAlong(
  sources: Trace[number],
  input: number,
  dims: readonly number[],
  axis: number,
): readonly (readonly number[])[] {
  return sources.map((inputs) => {
    const indices = (inputs[input] ?? []).map((position) => indexOf(position, dims)[axis] as number);
    return [...new Set(indices)].sort((a, b) => a - b);
  });
}

/** Whether the indices change along an axis of the output, from one element that has any to the next one. */
function changesAlong(indices: readonly (readonly number[])[], dims: readonly number[], axis: number): boolean {
  const stride = dims.slice(axis + 1).reduce((product, dim) => product * dim, 1);
  const last = new Map<number, string>();
  return indices.some((one, place) => {
    if (one.length === 0) return false;
    const line = place - (Math.floor(place / stride) % (dims[axis] as number)) * stride;
    const before = last.get(line);
    last.set(line, String(one));
    return before !== undefined && before !== String(one);
  });
}

/** The relations of all axes of an input; undefined for an input whose elements no output is computed from. */
export function axisRelations(
  sources: Trace[number],
  input: number,
  { dims }: TensorReport,
  output: TensorReport,
): AxisRelation[] | undefined {
  if (!sources.some((inputs) => (inputs[input]?.length ?? 0) > 0)) return undefined;
  return dims.map((dim, axis) => {
    const indices = indicesAlong(sources, input, dims, axis);
    const to = output.dims.flatMap((_, other) => (changesAlong(indices, output.dims, other) ? [other] : []));
    return {
      ...{ axis, dim, to },
      together: Math.max(0, ...indices.map((one) => one.length)),
      read: new Set(indices.flat()).size,
    };
  });
}
