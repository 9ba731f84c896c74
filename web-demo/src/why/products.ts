// Refused products of matrices and convolutions: sizes that are summed over, and differ.
import type { CallDraft } from '../drafts.js';
import { broadcastReason, clashesOf } from './broadcast.js';
import { dimsOf, givenInputs, integerOf, withAttribute, withDims, withTransposed } from './call-parts.js';
import type { AxesReason, Mend } from './reason.js';

/** MatMul: the columns of the first matrix, and the rows of the second one. */
export function matMulReason(call: CallDraft): AxesReason | undefined {
  const [a, b] = givenInputs(call);
  if (a === undefined || b === undefined || a.dims.length === 0 || b.dims.length === 0) return undefined;
  const [columns, at] = [a.dims.at(-1) as number, Math.max(0, b.dims.length - 2)];
  if (b.dims[at] === columns) return broadcastReason(call, 2);
  const mends: Mend[] = [];
  const isBatchFine = clashesOf([a.dims.slice(0, -2), b.dims.slice(0, -2)]).length === 0;
  if (b.dims.length === 2 && b.dims[1] === columns)
    mends.push({ name: (t) => t.transpose(b.name), call: withTransposed(call, b.input) });
  const dims = b.dims.with(at, columns);
  if (isBatchFine) mends.push({ name: (t) => t.useDims(b.name, dims), call: withDims(call, b.input, dims) });
  return {
    kind: 'axes',
    aligned: 'end',
    rows: [
      { label: a.name, dims: a.dims, lit: [a.dims.length - 1] },
      { label: b.name, dims: b.dims, lit: [at] },
    ],
    says: (t) => t.inner(a.name, columns, b.name, b.dims[at] as number),
    mends,
  };
}

/** Whether a list of sizes can be added to a matrix. */
function canBeAdded(bias: readonly number[] | undefined, dims: readonly number[]): boolean {
  return (
    bias === undefined ||
    (bias.length <= 2 && bias.every((size, i) => size === 1 || size === dims[i + 2 - bias.length]))
  );
}

/** Gemm: as MatMul, with `transA` and `transB`. */
export function gemmReason(call: CallDraft): AxesReason | undefined {
  const [a, b] = givenInputs(call);
  if (a === undefined || b === undefined || a.dims.length !== 2 || b.dims.length !== 2) return undefined;
  const [flipsA, flipsB] = [integerOf(call, 'transA', 0) !== 0, integerOf(call, 'transB', 0) !== 0];
  const [atA, atB] = [flipsA ? 0 : 1, flipsB ? 1 : 0];
  const [columns, rows] = [a.dims[atA] as number, b.dims[atB] as number];
  if (columns === rows) return undefined;
  const bias = dimsOf(call.inputs[2]);
  const [height, width] = [a.dims[1 - atA] as number, b.dims[1 - atB] as number];
  const mends: Mend[] = [];
  if (width === columns && canBeAdded(bias, [height, rows])) {
    const text = flipsB ? '0' : '1';
    mends.push({ name: (t) => t.set('transB', text), call: withAttribute(call, 'transB', text) });
  }
  if (height === rows && canBeAdded(bias, [columns, width])) {
    const text = flipsA ? '0' : '1';
    mends.push({ name: (t) => t.set('transA', text), call: withAttribute(call, 'transA', text) });
  }
  const dims = b.dims.with(atB, columns);
  if (canBeAdded(bias, [height, width]))
    mends.push({ name: (t) => t.useDims(b.name, dims), call: withDims(call, b.input, dims) });
  return {
    kind: 'axes',
    aligned: 'end',
    rows: [
      { label: flipsA ? `${a.name}ᵀ` : a.name, dims: flipsA ? a.dims.toReversed() : a.dims, lit: [1] },
      { label: flipsB ? `${b.name}ᵀ` : b.name, dims: flipsB ? b.dims.toReversed() : b.dims, lit: [0] },
    ],
    says: (t) => t.inner(a.name, columns, b.name, rows),
    mends,
  };
}

/** Convolutions: the channels of the image, and those of the weights times the groups. */
export function convReason(call: CallDraft): AxesReason | undefined {
  const [x, w] = givenInputs(call);
  const [channels, own, filters] = [x?.dims[1], w?.dims[1], w?.dims[0]];
  if (x === undefined || w === undefined || !channels || !own || !filters) return undefined;
  const group = integerOf(call, 'group', 1);
  const isTransposed = call.operator === 'ConvTranspose';
  const at = isTransposed ? 0 : 1;
  const mends: Mend[] = [];
  const groups = channels / own;
  if (!isTransposed && Number.isInteger(groups) && filters % groups === 0)
    mends.push({ name: (t) => t.set('group', String(groups)), call: withAttribute(call, 'group', String(groups)) });
  const wanted = isTransposed ? channels : channels / group;
  const dims = w.dims.with(at, wanted);
  if (channels % group === 0) mends.push({ name: (t) => t.useDims(w.name, dims), call: withDims(call, w.input, dims) });
  return {
    kind: 'axes',
    aligned: 'start',
    rows: [
      { label: x.name, dims: x.dims, lit: [1] },
      { label: w.name, dims: w.dims, lit: [at] },
    ],
    says: (t) =>
      isTransposed ? t.filters(x.name, channels, w.name, filters) : t.channels(x.name, channels, w.name, own, group),
    mends,
  };
}
