// Calls whose first input is a range of numbers: their outputs are the curve of a function of one variable.
import type { DataType } from 'broadloom';
import { defaultDraft } from '../default-draft.js';
import type { CallDraft } from '../drafts.js';
import { type Curve, newestOpset, operatorOf, playOf, typeRow, versionOf } from '../facts.js';
import { withInput } from '../inputs.js';

/** Steps of a curve. Integers have one for each number where there are not too many. */
const steps = 256;
const mostIntegers = 1024;

const isInteger = (type: DataType): boolean => typeRow(type).kind.endsWith('integer');

/** A range within the numbers of an integer type. */
function within(type: DataType, { from, to }: Curve): Curve {
  const { kind, bits } = typeRow(type);
  const isSigned = kind === 'signed_integer';
  const least = isSigned ? -(2 ** (bits - 1)) : 0;
  const greatest = 2 ** (isSigned ? bits - 1 : bits) - 1;
  const start = Math.min(Math.max(Math.ceil(from), least), greatest);
  return { from: start, to: Math.min(Math.max(Math.floor(to), start), greatest) };
}

/** The call with a range of numbers of a type as its first input. */
export function withRange(call: CallDraft, type: DataType, range: Curve): CallDraft {
  const operator = operatorOf(call.operator);
  const version = operator && versionOf(operator, call.opset);
  if (version === undefined) return call;
  const { from, to } = isInteger(type) ? within(type, range) : range;
  const step = isInteger(type) ? Math.ceil((to - from + 1) / mostIntegers) : (to - from) / steps;
  const count = isInteger(type) ? Math.floor((to - from) / step) + 1 : steps + 1;
  return withInput(call, version, 0, { type, dims: String(count), values: { kind: 'range', start: from, step } });
}

/** The range of a call that has one; undefined for others. */
export function rangeOf({ operator, inputs }: CallDraft): (Curve & { readonly type: DataType }) | undefined {
  const [first] = inputs;
  if (playOf(operator).curve === undefined || !first || first.values.kind !== 'range') return undefined;
  const count = /^[1-9]\d*$/.test(first.dims.trim()) ? Number(first.dims) : 0;
  if (count < 2) return undefined;
  const { start, step } = first.values;
  return { type: first.type, from: start, to: start + (count - 1) * step };
}

/** The call that the page of an operator opens with: a curve where it has one. */
export function openingCall(operator: string): CallDraft {
  const call = defaultDraft(operator, newestOpset);
  const { curve } = playOf(operator);
  const [first] = call.inputs;
  return curve && first ? withRange(call, first.type, curve) : call;
}
