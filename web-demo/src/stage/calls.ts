// The fields of a stage in the call that they are parts of.
import type { AttributeDraft, CallDraft, TensorDraft, Values } from '../drafts.js';
import { typeRow } from '../facts.js';
import type { State } from '../state.js';
import { parseIntegers } from '../values/parse.js';
import { openingCall } from './curve-call.js';
import { nestedText, withList, withText } from './lists.js';
import type { StageField } from './stages.js';

/** The text of a field; undefined when the call has something else there. */
export function fieldText({ inputs, attributes }: CallDraft, field: StageField): string | undefined {
  if (field.kind === 'attribute') {
    const draft = attributes[field.name];
    return draft === undefined ? '' : draft.kind === 'text' ? draft.text : undefined;
  }
  if (field.kind === 'tensor') {
    const draft = attributes[field.name];
    return draft === undefined ? '' : draft.kind === 'tensor' ? nestedText(draft.tensor) : undefined;
  }
  const input = inputs[field.input];
  if (field.kind === 'dims') return input?.dims;
  if (field.kind === 'list') return input ? nestedText(input) : '';
  return input?.values.kind === 'text' ? input.values.text : undefined;
}

/** Values that fit any dims: numbers from 1 on, if the type has enough of them. */
export function valuesForAnyDims({ type, values }: TensorDraft): Values {
  if (values.kind === 'random' || values.kind === 'range') return values;
  const { kind, bits } = typeRow(type);
  const hasFew = kind === 'boolean' || kind === 'mini_float' || bits < 8;
  return hasFew ? { kind: 'random', seed: 1 } : { kind: 'range', start: 1, step: 1 };
}

/** A draft with a list of sizes and the dims of that list. If the text cannot be read, the call reports the error. */
function sizes(draft: TensorDraft, text: string): TensorDraft {
  const next: TensorDraft = { ...draft, values: { kind: 'text', text } };
  try {
    return { ...next, dims: String(parseIntegers(text).length) };
  } catch {
    return next;
  }
}

const empty: TensorDraft = { type: 'int64', dims: '0', values: { kind: 'text', text: '' } };

const noTensor: TensorDraft = { type: 'float32', dims: '0', values: { kind: 'text', text: '' } };

/** Operators whose attributes stand for each other: a call has exactly one. */
const takesOneAttribute = new Set(['Constant']);

/** The attributes of a call with another text as one of them; without it where the text is empty. */
function withAttribute(
  { operator, attributes }: CallDraft,
  { kind, name }: StageField & { name: string },
  text: string,
) {
  const { [name]: before, ...others } = attributes;
  if (text === '') return others;
  const tensor = before?.kind === 'tensor' ? before.tensor : noTensor;
  const draft: AttributeDraft = kind === 'tensor' ? { kind, tensor: withText(tensor, text) } : { kind: 'text', text };
  return takesOneAttribute.has(operator) ? { [name]: draft } : { ...others, [name]: draft };
}

/** The call with another text in one of the fields. */
export function withField(call: CallDraft, field: StageField, text: string): CallDraft {
  if ('name' in field) return { ...call, attributes: withAttribute(call, field, text) };
  if (field.kind === 'list') return withList(call, field.input, text);
  const change = (draft: TensorDraft): TensorDraft =>
    field.kind === 'dims' ? { ...draft, dims: text, values: valuesForAnyDims(draft) } : sizes(draft, text);
  return { ...call, inputs: call.inputs.map((input, i) => (i === field.input ? change(input ?? empty) : input)) };
}

const firstCalls = new Map<string, CallDraft>();

/** The call that the page of an operator opens with; the same object every time. */
export function firstCall(operator: string): CallDraft {
  const known = firstCalls.get(operator) ?? openingCall(operator);
  firstCalls.set(operator, known);
  return known;
}

/** The call that the page shows and runs; none on pages without one. */
export function callOf({ route, call }: Pick<State, 'route' | 'call'>): CallDraft | undefined {
  if (route.page === 'try' || route.page === 'embed') return call;
  if (route.page !== 'operator') return undefined;
  return call.operator === route.operator ? call : firstCall(route.operator);
}
