// A draft as programs need it: values that were read, not texts. Drafts that cannot be read throw a ListError.
import type { AttributeRow, DataType } from 'broadloom';
import { numbersText } from '../attributes.js';
import { type AttributeDraft, type CallDraft, lieOutside, type TensorDraft } from '../drafts.js';
import { operatorOf, type TypeRow, typeRow, versionOf } from '../facts.js';
import { ListError, quote } from '../values/list-error.js';
import { parseIntegers, parseStrings, parseValues } from '../values/parse.js';

/** The most values that are written into a program. */
export const mostInline = 1000;

/** Where the elements of a tensor come from. */
export type Elements =
  /** Values as `Runtime.tensor` takes them: two numbers for each complex one. */
  | { readonly kind: 'list'; readonly list: readonly unknown[] }
  | { readonly kind: 'random'; readonly seed: number }
  | { readonly kind: 'range'; readonly start: number; readonly step: number }
  /** Too many to be written down, or a file. `name` is the file's. */
  | { readonly kind: 'stored'; readonly name: string | undefined };

/** Where somebody who runs a program gets the elements of a stored tensor. */
export interface Storage {
  /** The name of the file, without its extension. */
  readonly name: string;
  readonly advice: string;
}

/** Inputs are in the download that looks like an official test. Those that are left out have no number there. */
export function inputStorage(draft: CallDraft, index: number): Storage {
  const number = draft.inputs.slice(0, index).filter((input) => input !== null).length;
  return { name: `input_${number}`, advice: 'in test_data_set_0 of the playground\u2019s download' };
}

export function attributeStorage(name: string): Storage {
  return { name, advice: 'save the tensor of the attribute as this file' };
}

/** The file to read, and a comment on it: the one that was opened if it is of a kind that the program reads. */
export function storedFile(
  { type, dims, elements }: Source,
  { name, advice }: Storage,
  extensions: RegExp,
): { readonly file: string; readonly comment: string } {
  const opened = elements.kind === 'stored' && extensions.test(elements.name ?? '') ? elements.name : undefined;
  const what = `${type} [${dims.join(', ')}]`;
  return {
    file: opened ?? `${name}.pb`,
    comment: `${what}: ${opened === undefined ? advice : 'the file that was opened'}`,
  };
}

export interface Source {
  readonly type: DataType;
  readonly row: TypeRow;
  readonly dims: readonly number[];
  readonly size: number;
  readonly elements: Elements;
}

export function dimsOf(text: string): number[] {
  return parseIntegers(text).map(Number);
}

export function sourceOf(draft: TensorDraft): Source {
  const row: TypeRow | undefined = typeRow(draft.type);
  if (row === undefined) throw new ListError('unknownType', quote(draft.type));
  const dims = dimsOf(draft.dims);
  const size = dims.reduce((product, dim) => product * dim, 1);
  return { type: draft.type, row, dims, size, elements: elementsOf(draft, row, size) };
}

function elementsOf({ values }: TensorDraft, row: TypeRow, size: number): Elements {
  const listed = (list: readonly unknown[]): Elements =>
    list.length > mostInline * (row.kind === 'complex' ? 2 : 1)
      ? { kind: 'stored', name: undefined }
      : { kind: 'list', list };
  if (values.kind === 'text') return listed(parseValues(values.text, row));
  if (values.kind === 'file' || values.kind === 'stored') return { kind: 'stored', name: values.name };
  if (lieOutside(values)) return { kind: 'stored', name: values.file?.name };
  if (values.kind === 'random') return { kind: 'random', seed: values.seed };
  const { start, step } = values;
  if (row.kind !== 'string') return { kind: 'range', start, step };
  // Other languages write some numbers otherwise.
  if (size > mostInline) return { kind: 'stored', name: undefined };
  return listed(Array.from({ length: size }, (_, i) => String(start + i * step)));
}

export type AttributeSource =
  | { readonly kind: 'INT'; readonly value: bigint }
  | { readonly kind: 'FLOAT'; readonly value: number }
  | { readonly kind: 'STRING'; readonly value: string }
  | { readonly kind: 'INTS'; readonly value: readonly bigint[] }
  | { readonly kind: 'FLOATS'; readonly value: readonly number[] }
  | { readonly kind: 'STRINGS'; readonly value: readonly string[] }
  | { readonly kind: 'TENSOR'; readonly value: Source }
  | {
      readonly kind: 'SPARSE_TENSOR';
      readonly values: Source;
      readonly indices: Source;
      readonly dims: readonly number[];
    };

/** The row that the operator's version has for an attribute. */
function attributeRow({ operator, opset }: CallDraft, name: string): AttributeRow | undefined {
  const known = operatorOf(operator);
  return known && versionOf(known, opset)?.attributes.find((row) => row.name === name);
}

function attributeOf(draft: AttributeDraft, row: AttributeRow | undefined): AttributeSource {
  if (draft.kind === 'tensor') return { kind: 'TENSOR', value: sourceOf(draft.tensor) };
  if (draft.kind === 'sparse') {
    const { values, indices, dims } = draft;
    return { kind: 'SPARSE_TENSOR', values: sourceOf(values), indices: sourceOf(indices), dims: dimsOf(dims) };
  }
  const { text } = draft;
  const type = row?.type;
  switch (type) {
    case 'STRING':
      return { kind: type, value: text };
    case 'STRINGS':
      return { kind: type, value: parseStrings(text) };
    case 'FLOAT':
      return { kind: type, value: parseValues(text, typeRow('float32'), 1)[0] as number };
    case 'FLOATS':
      return { kind: type, value: parseValues(text, typeRow('float32')) as number[] };
    case 'INT':
      return { kind: type, value: parseIntegers(numbersText(row, text), 1)[0] as bigint };
    default:
      return { kind: 'INTS', value: parseIntegers(text) };
  }
}

export function attributesOf(draft: CallDraft): [name: string, source: AttributeSource][] {
  return Object.entries(draft.attributes).map(([name, attribute]) => [
    name,
    attributeOf(attribute, attributeRow(draft, name)),
  ]);
}
