// Refused broadcasts: two sizes of one axis that differ, neither of them 1.
import type { CallDraft } from '../drafts.js';
import { type Given, givenInputs, listOf, withDims, withNumbers } from './call-parts.js';
import type { AxesReason, Mend, SizesRow } from './reason.js';

interface Clash {
  /** The axis from the last one on, 0 for that. */
  readonly fromEnd: number;
  readonly sizes: readonly number[];
}

/** The axes on which lists of sizes, aligned at the right, differ. */
export function clashesOf(lists: readonly (readonly number[])[]): Clash[] {
  const rank = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: rank }, (_, fromEnd) => {
    const own = lists.map((dims) => dims[dims.length - 1 - fromEnd] ?? 1).filter((size) => size !== 1);
    return { fromEnd, sizes: [...new Set(own)] };
  }).filter(({ sizes }) => sizes.length > 1);
}

/** The list with another size on each axis where it clashes. */
function mended(dims: readonly number[], clashes: readonly Clash[], size: (clash: Clash) => number): number[] {
  return dims.map((dim, i) => {
    const clash = clashes.find(({ fromEnd }) => fromEnd === dims.length - 1 - i);
    return clash === undefined || dim === 1 ? dim : size(clash);
  });
}

function reasonOf(rows: readonly Omit<SizesRow, 'lit'>[], mends: readonly Mend[]): AxesReason | undefined {
  const clashes = clashesOf(rows.map(({ dims }) => dims));
  const [first] = clashes.toReversed();
  if (first === undefined) return undefined;
  const rank = Math.max(...rows.map(({ dims }) => dims.length));
  const lit = (dims: readonly number[]): number[] =>
    clashes.map(({ fromEnd }) => dims.length - 1 - fromEnd).filter((place) => place >= 0 && dims[place] !== 1);
  const [one = 0, other = 0] = first.sizes;
  return {
    kind: 'axes',
    aligned: 'end',
    rows: rows.map((row) => ({ ...row, lit: lit(row.dims) })),
    says: (t) => t.broadcast(rank - 1 - first.fromEnd, one, other),
    mends,
  };
}

/** Expand: the dims of the input, and the wanted shape as a list. */
export function expandReason(call: CallDraft): AxesReason | undefined {
  const [input] = givenInputs(call);
  const shape = listOf(call.inputs[1]);
  if (input === undefined || shape === undefined) return undefined;
  const clashes = clashesOf([input.dims, shape]);
  const own = (clash: Clash): number => clash.sizes[0] as number;
  const lists = [mended(shape, clashes, () => 1), mended(shape, clashes, own)];
  const mends = lists.map((list): Mend => ({ name: (t) => t.use(list), call: withNumbers(call, 1, list) }));
  const rows = [
    { label: input.name, dims: input.dims },
    { label: 'shape', dims: shape },
  ];
  return reasonOf(rows, mends);
}

/** Inputs that are all broadcast to each other. `leaves` counts axes at the end that are left as they are. */
export function broadcastReason(call: CallDraft, leaves = 0): AxesReason | undefined {
  const inputs = givenInputs(call);
  const part = ({ dims }: Given): readonly number[] => dims.slice(0, Math.max(0, dims.length - leaves));
  const clashes = clashesOf(inputs.map(part));
  if (leaves > 0 && clashes.length === 0) return undefined;
  const [first] = inputs;
  const lists = (size: (clash: Clash) => number): Mend => {
    const changed = inputs.slice(1).flatMap((one) => {
      const dims = [...mended(part(one), clashes, size), ...one.dims.slice(part(one).length)];
      return String(dims) === String(one.dims) ? [] : [{ ...one, dims }];
    });
    return {
      name: (t) => changed.map(({ name, dims }) => t.useDims(name, dims)).join(', '),
      call: changed.reduce((now, { input, dims }) => withDims(now, input, dims), call),
    };
  };
  const own = ({ fromEnd }: Clash): number => {
    const sizes = first === undefined ? [] : part(first);
    return sizes[sizes.length - 1 - fromEnd] ?? 1;
  };
  const mends = [lists(() => 1), lists(own)].filter((mend, i, all) => i === 0 || mend.call !== all[0]?.call);
  const isOne = clashes.every((clash) => own(clash) === 1);
  const rows = inputs.map((one) => ({ label: one.name, dims: part(one) }));
  return reasonOf(rows, isOne ? mends.slice(0, 1) : mends);
}
