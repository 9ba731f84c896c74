// Attributes as drafts: what one is when it is first given, and the numbers of element types.
import type { AttributeRow, DataType } from 'broadloom';
import type { AttributeDraft, TensorDraft } from './drafts.js';
import { type TypeRow, typeRows } from './facts.js';

const firstTexts: { readonly [type: string]: string } = { STRING: '', STRINGS: '"a", "b"' };

/** The first value of an attribute that is given: its default, if it has one. */
export function emptyAttribute({ type, default: value, choices, isDataType }: AttributeRow): AttributeDraft {
  const one: TensorDraft = { type: 'float32', dims: '1', values: { kind: 'text', text: '1' } };
  if (type === 'TENSOR') return { kind: 'tensor', tensor: one };
  if (type === 'SPARSE_TENSOR') {
    const indices: TensorDraft = { type: 'int64', dims: '1', values: { kind: 'text', text: '0' } };
    return { kind: 'sparse', values: one, indices, dims: '3' };
  }
  const first = value ?? choices?.[0] ?? (isDataType ? 'float32' : (firstTexts[type] ?? '0'));
  return { kind: 'text', text: String(first) };
}

/** Attributes that have an effect for some element types of the output alone. */
const onlyFor: { readonly [attribute: string]: RegExp } = { round_mode: /^float8e8m0$/, saturate: /^float8/ };

/** Whether an attribute can change an output of this type; a type that is not known yet counts as another one. */
export function hasEffect(attribute: string, output: DataType | undefined): boolean {
  return onlyFor[attribute]?.test(output ?? '') ?? true;
}

/** The element type that a text means, by its name or by its number in TensorProto.DataType. */
export function namedType(text: string): TypeRow | undefined {
  const word = text.trim();
  return typeRows.find(({ name, id }) => name === word || String(id) === word);
}

/** The text of an attribute as its numbers are read: the name of an element type as its number. */
export function numbersText(row: AttributeRow | undefined, text: string): string {
  return String((row?.isDataType && namedType(text)?.id) || text);
}
