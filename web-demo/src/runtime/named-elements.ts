// Outputs that name elements of the inputs by their indices: no change of an input shows which, as one box suppresses others,
// and another number gives a list of another length.
import type { Tensor } from 'broadloom';
import type { CallDraft } from '../drafts.js';
import type { Trace } from './protocol.js';

type Names = (inputs: readonly (Tensor | null)[], outputs: readonly Tensor[], call: CallDraft) => Trace;

/** A row of the output of NonMaxSuppression names a box, and its score. */
const selected: Names = ([boxes, scores, ...others], [output]) => {
  const [, count = 0, corners = 0] = boxes?.dims ?? [];
  const [, classes = 0] = scores?.dims ?? [];
  const data = output?.data as BigInt64Array;
  const sources = Array.from(data, (_, position) => {
    const row = position - (position % 3);
    const [batch = 0, kind = 0, box = 0] = Array.from(data.slice(row, row + 3), Number);
    const first = (batch * count + box) * corners;
    return [
      Array.from({ length: corners }, (_, corner) => first + corner),
      [(batch * classes + kind) * count + box],
      ...others.map(() => []),
    ];
  });
  return [sources];
};

/** The third output of Unique names, for each element, or each slice along its axis, the one that stands for it. */
const distinct: Names = ([input], outputs, { attributes }) => {
  const own = Array.from((outputs[2]?.data ?? []) as BigInt64Array, Number);
  const { dims = [], size = 0 } = input ?? {};
  const text = attributes.axis?.kind === 'text' ? Number(attributes.axis.text) : undefined;
  const axis = text === undefined ? undefined : text < 0 ? text + dims.length : text;
  const inner = axis === undefined ? 1 : dims.slice(axis + 1).reduce((product, dim) => product * dim, 1);
  /** The element or slice of a list that a position is in, and what else there is of the position. */
  const sliceOf = (position: number, count: number): number => Math.floor(position / inner) % count;
  const restOf = (position: number, count: number): number =>
    axis === undefined ? 0 : Math.floor(position / (inner * count)) * inner + (position % inner);
  const all = Array.from({ length: size }, (_, i) => i);
  const inSlices = (slices: (slice: number) => boolean, rest?: number): number[] =>
    all.filter((i) => slices(sliceOf(i, own.length)) && (rest === undefined || restOf(i, own.length) === rest));
  const count = outputs[1]?.size ?? 0;
  return outputs.map((output, which) =>
    Array.from({ length: output.size }, (_, i) => {
      if (which === 0) return [inSlices((one) => own[one] === sliceOf(i, count), restOf(i, count))];
      return [inSlices((one) => (which === 2 ? one === i : own[one] === i))];
    }),
  );
};

/** A column of the output of NonZero is the index of an element. */
const nonZero: Names = ([input], outputs) =>
  outputs.map(({ data, dims: [rank = 0, count = 0] }) => {
    const indices = Array.from(data as BigInt64Array, Number);
    return indices.map((_, position) => {
      const column = position % count;
      const place = Array.from({ length: rank }, (_, axis) => indices[axis * count + column] ?? 0);
      return [[place.reduce((offset, at, axis) => offset * (input?.dims[axis] ?? 1) + at, 0)]];
    });
  });

const operators: { readonly [operator: string]: Names } = {
  NonMaxSuppression: selected,
  NonZero: nonZero,
  Unique: distinct,
};

/** The most elements that are traced so. */
const mostElements = 1024;

/** The trace of an operator whose output names elements; undefined for others. */
export function namedElements(
  operator: string,
  inputs: readonly (Tensor | null)[],
  outputs: readonly Tensor[],
  call: CallDraft,
): Trace | undefined {
  const names = Object.hasOwn(operators, operator) ? operators[operator] : undefined;
  if (names === undefined || [...inputs, ...outputs].some((one) => one && one.size > mostElements)) return undefined;
  return names(inputs, outputs, call);
}
