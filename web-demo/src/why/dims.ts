// Refused dims: those of an input that the other inputs and the attributes want otherwise.
import type { CallDraft } from '../drafts.js';
import { dimsOf, inputNamed, numbersOf, withDims } from './call-parts.js';
import type { AxesReason } from './reason.js';

export function dimsReason(call: CallDraft, message: string): AxesReason | undefined {
  const [, name = '', list] = /'?(\w+)'? has dims \[[\d, ]*\], wanted \[([\d, ]*)\]$/.exec(message) ?? [];
  const input = inputNamed(call, name);
  const [dims, wanted] = [dimsOf(call.inputs[input]), numbersOf(list)];
  if (dims === undefined || wanted === undefined) return undefined;
  const lit = (sizes: readonly number[]): number[] => sizes.flatMap((_, i) => (dims[i] === wanted[i] ? [] : [i]));
  return {
    kind: 'axes',
    aligned: 'start',
    rows: [
      { label: name, dims, lit: lit(dims) },
      { label: (t) => t.wanted, dims: wanted, lit: lit(wanted) },
    ],
    says: (t) => t.dims(name, wanted),
    mends: [{ name: (t) => t.useDims(name, wanted), call: withDims(call, input, wanted) }],
  };
}
