// Further calls that a drawing asks the module for.
import type { DataType } from 'broadloom';
import type { AttributeDraft, CallDraft, TensorDraft } from '../drafts.js';
import { newestOpset } from '../facts.js';
import type { ComputedTensor, TensorReport } from '../runtime/protocol.js';

/** Makes a call; undefined where it is refused. */
export type Compute = (draft: CallDraft) => Promise<readonly ComputedTensor[] | undefined>;

/** The draft of a tensor with these elements. */
export function tensorDraft(
  type: DataType,
  dims: readonly number[],
  values: readonly (number | string)[],
): TensorDraft {
  return { type, dims: dims.join(', '), values: { kind: 'text', text: values.join(', ') } };
}

/** The draft of a tensor that the call has. */
export function sameTensor({ type, dims, elements }: TensorReport): TensorDraft {
  return tensorDraft(type, dims, elements?.text ?? []);
}

/** Elements that count from a number on. */
export function ramp(type: DataType, dims: readonly number[], start = 0, step = 1): TensorDraft {
  return { type, dims: dims.join(', '), values: { kind: 'range', start, step } };
}

/** A call of another operator. */
export function callOf(
  operator: string,
  inputs: readonly (TensorDraft | null)[],
  attributes: { readonly [name: string]: number | string } = {},
): CallDraft {
  const drafts = Object.entries(attributes).map(([name, value]): [string, AttributeDraft] => [
    name,
    { kind: 'text', text: String(value) },
  ]);
  return { operator, opset: newestOpset, inputs, attributes: Object.fromEntries(drafts) };
}
