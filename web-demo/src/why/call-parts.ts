// Reads the parts of a call that reasons tell of, and makes the calls of mends.
import type { CallDraft, TensorDraft } from '../drafts.js';
import { operatorOf, typeRow, versionOf } from '../facts.js';
import { parameterName } from '../inputs.js';
import { valuesForAnyDims } from '../stage/calls.js';
import { parseIntegers } from '../values/parse.js';

export const productOf = (sizes: readonly number[]): number => sizes.reduce((product, size) => product * size, 1);

/** The whole numbers of a text; undefined when it has others. */
export function numbersOf(text: string | undefined): number[] | undefined {
  if (text === undefined) return undefined;
  try {
    return parseIntegers(text).map(Number);
  } catch {
    return undefined;
  }
}

export function dimsOf(draft: TensorDraft | null | undefined): number[] | undefined {
  return numbersOf(draft?.dims);
}

/** The whole numbers that a draft lists as its text. */
export function listOf(draft: TensorDraft | null | undefined): number[] | undefined {
  return draft?.values.kind === 'text' ? numbersOf(draft.values.text) : undefined;
}

/** The inputs that are given and whose dims can be read. */
export interface Given {
  readonly input: number;
  readonly name: string;
  readonly dims: readonly number[];
}

function rowsOf({ operator, opset }: CallDraft) {
  const known = operatorOf(operator);
  return (known && versionOf(known, opset)?.inputs) ?? [];
}

export function givenInputs(call: CallDraft): Given[] {
  const rows = rowsOf(call);
  return call.inputs.flatMap((draft, input) => {
    const dims = dimsOf(draft);
    return dims === undefined ? [] : [{ input, name: parameterName(rows, input), dims }];
  });
}

/** The number of the input with a name; -1 for none. */
export function inputNamed(call: CallDraft, name: string): number {
  return rowsOf(call).findIndex((row) => row.name === name);
}

/** The number that an attribute has, or else `absent`. */
export function integerOf({ attributes }: CallDraft, name: string, absent: number): number {
  const draft = attributes[name];
  return (draft?.kind === 'text' ? numbersOf(draft.text)?.[0] : undefined) ?? absent;
}

export function withAttribute(call: CallDraft, name: string, text: string | undefined): CallDraft {
  const { [name]: _, ...others } = call.attributes;
  return { ...call, attributes: text === undefined ? others : { ...others, [name]: { kind: 'text', text } } };
}

export function withDraft(call: CallDraft, input: number, draft: TensorDraft | null): CallDraft {
  return { ...call, inputs: call.inputs.map((one, i) => (i === input ? draft : one)) };
}

/** The call with another list as an input, which keeps its dims where it is as long as before. */
export function withNumbers(call: CallDraft, input: number, numbers: readonly number[]): CallDraft {
  const before = call.inputs[input];
  const dims = productOf(dimsOf(before) ?? []) === numbers.length ? before?.dims : undefined;
  const values = { kind: 'text', text: numbers.join(', ') } as const;
  return withDraft(call, input, { type: before?.type ?? 'int64', dims: dims ?? String(numbers.length), values });
}

/** The words of a draft's elements; undefined where they are not a plain list. */
function wordsOf({ type, dims, values }: TensorDraft): string[] | undefined {
  if (values.kind !== 'text' || typeRow(type).kind === 'string' || /[^\w\s,.+\-[\]]/.test(values.text))
    return undefined;
  const words = values.text
    .replace(/[[\]]/g, ' ')
    .split(/[\s,]+/)
    .filter(Boolean);
  return words.length === productOf(numbersOf(dims) ?? []) ? words : undefined;
}

/** The call with other dims of an input. Its elements are repeated, or the last ones go. */
export function withDims(call: CallDraft, input: number, dims: readonly number[]): CallDraft {
  const draft = call.inputs[input];
  if (!draft) return call;
  const words = wordsOf(draft) ?? [];
  const next = { ...draft, dims: dims.join(', ') };
  if (words.length === 0) return withDraft(call, input, { ...next, values: valuesForAnyDims(draft) });
  const text = Array.from({ length: productOf(dims) }, (_, i) => words[i % words.length]).join(', ');
  return withDraft(call, input, { ...next, values: { kind: 'text', text } });
}

/** The call with a matrix as an input transposed. */
export function withTransposed(call: CallDraft, input: number): CallDraft {
  const draft = call.inputs[input];
  const [rows = 0, columns = 0] = dimsOf(draft) ?? [];
  if (!draft) return call;
  const words = wordsOf(draft);
  if (words === undefined) return withDims(call, input, [columns, rows]);
  const text = words.map((_, i) => words[(i % rows) * columns + Math.floor(i / rows)]).join(', ');
  return withDraft(call, input, { ...draft, dims: `${columns}, ${rows}`, values: { kind: 'text', text } });
}
