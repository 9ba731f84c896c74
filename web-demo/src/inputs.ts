// The inputs of a call as far as its version has places for them: optional ones that may be left out, and any number of the
// last one where it is variadic.
import type { OperatorVersion, ParameterRow } from 'broadloom';
import type { CallDraft, TensorDraft } from './drafts.js';
import { typesOf } from './facts.js';

export function isVariadic({ inputs }: OperatorVersion): boolean {
  return inputs.at(-1)?.option === 'Variadic';
}

/** The row of each input of a call: a variadic one stands for all that are given, at least one. */
export function inputRows(version: OperatorVersion, call: CallDraft): ParameterRow[] {
  const { inputs } = version;
  const last = inputs.at(-1);
  if (last === undefined || last.option !== 'Variadic') return [...inputs];
  const more = Math.max(0, call.inputs.length - inputs.length);
  return [...inputs, ...Array.from({ length: more }, () => last)];
}

/** The schema's name of an input or output; those that a variadic one stands for are numbered from 0 on. */
export function parameterName(rows: readonly ParameterRow[], index: number): string {
  const row = rows[index] ?? rows.at(-1);
  return row?.option === 'Variadic' ? `${row.name} ${index - rows.length + 1}` : (row?.name ?? String(index));
}

/** Optional inputs at the end that are left out need not be spoken of. */
function withoutTail(rows: readonly ParameterRow[], inputs: readonly (TensorDraft | null)[]): (TensorDraft | null)[] {
  const kept = inputs.findLastIndex((input, i) => input !== null || rows[i]?.option !== 'Optional');
  return inputs.slice(0, kept + 1);
}

/** The call with another input. Inputs that share a type constraint have one type. */
export function withInput(
  call: CallDraft,
  version: OperatorVersion,
  index: number,
  draft: TensorDraft | null,
): CallDraft {
  const rows = inputRows(version, call);
  const inputs = rows.map((row, i) => {
    const input = call.inputs[i] ?? null;
    if (i === index) return draft;
    return input && draft && row.type === rows[index]?.type ? { ...input, type: draft.type } : input;
  });
  return { ...call, inputs: withoutTail(rows, inputs) };
}

/** The call with one more of a variadic input, which is like the one before it. */
export function withOneMore(call: CallDraft, version: OperatorVersion): CallDraft {
  const rows = inputRows(version, call);
  const inputs = rows.map((_, i) => call.inputs[i] ?? null);
  return { ...call, inputs: [...inputs, inputs.at(-1) ?? firstInput(call, version, rows.length - 1)] };
}

/** The call without one of a variadic input. */
export function withoutOne(call: CallDraft, index: number): CallDraft {
  return { ...call, inputs: call.inputs.filter((_, i) => i !== index) };
}

/** The first value of an input that is given. */
export function firstInput(call: CallDraft, version: OperatorVersion, index: number): TensorDraft {
  const rows = inputRows(version, call);
  const row = rows[index];
  const types = row === undefined ? [] : typesOf(version, row.type);
  // An input that must be integers with one axis lists sizes or axes.
  if (types.includes('int64') && types.every((name) => /^int(32|64)$/.test(name))) {
    const isNeeded = row?.option === 'Single';
    return { type: 'int64', dims: isNeeded ? '2' : '1', values: { kind: 'text', text: isNeeded ? '3, 2' : '1' } };
  }
  const same = call.inputs.find((input, i) => input && i !== index && rows[i]?.type === row?.type);
  const type = same?.type ?? (types.includes('float32') ? 'float32' : (types[0] ?? 'float32'));
  if (row?.option === 'Optional') return { type, dims: '', values: { kind: 'range', start: 0, step: 0 } };
  return { type, dims: '2, 3', values: { kind: 'range', start: 0, step: 1 } };
}
