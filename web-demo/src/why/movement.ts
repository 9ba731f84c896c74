// Refused calls of operators that move elements: Concat, Transpose and Squeeze.
import type { CallDraft } from '../drafts.js';
import {
  givenInputs,
  integerOf,
  listOf,
  numbersOf,
  withAttribute,
  withDims,
  withDraft,
  withNumbers,
} from './call-parts.js';
import type { AxesReason, Mend } from './reason.js';

/** Concat: sizes of axes that are not concatenated. */
export function concatReason(call: CallDraft): AxesReason | undefined {
  const inputs = givenInputs(call);
  const [first] = inputs;
  if (first === undefined) return undefined;
  const rank = first.dims.length;
  const given = integerOf(call, 'axis', 1);
  const axis = given < 0 ? given + rank : given;
  const isOfRank = inputs.every(({ dims }) => dims.length === rank);
  const differing = first.dims.flatMap((size, i) => (inputs.some(({ dims }) => dims[i] !== size) ? [i] : []));
  const wrong = isOfRank ? differing.filter((one) => one !== axis) : [];
  const mends: Mend[] = [];
  const [only] = wrong;
  if (isOfRank && only !== undefined && differing.length === 1)
    mends.push({ name: (t) => t.set('axis', String(only)), call: withAttribute(call, 'axis', String(only)) });
  const changed = inputs.flatMap((one) => {
    const dims = first.dims.map((size, i) => (i === axis && isOfRank ? (one.dims[i] as number) : size));
    return String(dims) === String(one.dims) ? [] : [{ ...one, dims }];
  });
  mends.push({
    name: (t) => changed.map(({ name, dims }) => t.useDims(name, dims)).join(', '),
    call: changed.reduce((now, { input, dims }) => withDims(now, input, dims), call),
  });
  return {
    kind: 'axes',
    aligned: 'start',
    rows: inputs.map(({ name, dims }) => ({
      label: name,
      dims,
      lit: isOfRank ? wrong : dims.map((_, i) => i).slice(rank),
    })),
    says: (t) => (only === undefined ? t.ranks(inputs.map(({ dims }) => dims.length)) : t.concat(only, axis)),
    mends,
  };
}

/** Transpose: a list of axes that does not permute all of them. */
export function transposeReason(call: CallDraft): AxesReason | undefined {
  const [data] = givenInputs(call);
  const draft = call.attributes.perm;
  const perm = draft?.kind === 'text' ? numbersOf(draft.text) : undefined;
  if (data === undefined || perm === undefined) return undefined;
  const rank = data.dims.length;
  const isWrong = (axis: number, i: number): boolean => axis < 0 || axis >= rank || perm.indexOf(axis) !== i;
  const list = Array.from({ length: rank }, (_, i) => rank - 1 - i);
  const lit = perm.flatMap((axis, i) => (isWrong(axis, i) ? [i] : []));
  return {
    kind: 'axes',
    aligned: 'start',
    rows: [
      { label: data.name, dims: data.dims, lit: data.dims.flatMap((_, i) => (perm.includes(i) ? [] : [i])) },
      { label: 'perm', dims: perm, lit },
    ],
    says: (t) => t.perm(rank),
    mends: [{ name: (t) => t.use(list), call: withAttribute(call, 'perm', list.join(', ')) }],
  };
}

/** Squeeze: axes that are to go, and are longer than 1. */
export function squeezeReason(call: CallDraft): AxesReason | undefined {
  const [data] = givenInputs(call);
  const draft = call.attributes.axes;
  const isAttribute = draft?.kind === 'text';
  const axes = isAttribute ? numbersOf(draft.text) : listOf(call.inputs[1]);
  if (data === undefined || axes === undefined) return undefined;
  const { dims } = data;
  const places = axes.map((axis) => (axis < 0 ? axis + dims.length : axis));
  const wrong = places.filter((place) => dims[place] !== 1);
  const right = axes.filter((_, i) => dims[places[i] as number] === 1);
  const [first = 0] = wrong;
  const with1 = (list: readonly number[]): CallDraft =>
    isAttribute ? withAttribute(call, 'axes', list.join(', ')) : withNumbers(call, 1, list);
  const without = isAttribute ? withAttribute(call, 'axes', undefined) : withDraft(call, 1, null);
  const mend: Mend =
    right.length > 0
      ? { name: (t) => t.use(right), call: with1(right) }
      : { name: (t) => t.leaveOut('axes'), call: without };
  return {
    kind: 'axes',
    aligned: 'start',
    rows: [{ label: data.name, dims, lit: wrong }],
    says: (t) => t.squeeze(first, dims[first] ?? 0),
    mends: [mend],
  };
}
