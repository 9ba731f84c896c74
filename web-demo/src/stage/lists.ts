// Tensors as nested lists, in one field for values and dims.
import type { CallDraft, TensorDraft } from '../drafts.js';
import { operatorOf, typeRow, versionOf } from '../facts.js';
import { firstInput, withInput } from '../inputs.js';
import { nested } from '../values/nested.js';
import { parseStrings, parseValues, readPasted } from '../values/parse.js';

/** The list of a tensor that was given as a text: nested where the text alone does not say the dims. Undefined for others. */
export function nestedText(draft: TensorDraft): string | undefined {
  const { type, dims, values } = draft;
  if (values.kind !== 'text') return undefined;
  const { text } = values;
  const sizes = dims
    .split(',')
    .filter((size) => size.trim() !== '')
    .map(Number);
  const saysDims = typeRow(type).kind === 'string' || [undefined, sizes.join(', ')].includes(dimsOf(text, draft));
  const words = text.split(/[\s,]+/).filter(Boolean);
  const count = sizes.reduce((product, size) => product * size, 1);
  return saysDims || words.length !== count ? text : nested(words, sizes);
}

/** How many values a text without brackets has; undefined when it cannot be read. */
function countOf(text: string, { type }: TensorDraft): number | undefined {
  try {
    const row = typeRow(type);
    return row.kind === 'string' ? parseStrings(text).length : Array.from(parseValues(text, row)).length;
  } catch {
    return undefined; // what is wrong with it is said when the call is made
  }
}

/** The dims that a text has by itself; undefined when it cannot be read. */
function dimsOf(text: string, before: TensorDraft): string | undefined {
  try {
    const pasted = readPasted(text);
    if (pasted !== undefined) return pasted.dims.join(', ');
  } catch {
    return undefined;
  }
  const count = countOf(text, before);
  if (count === undefined) return undefined;
  return count === 1 ? '' : String(count);
}

/** The tensor with another list, whose dims are those of the text. */
export function withText(before: TensorDraft, text: string): TensorDraft {
  return { ...before, dims: dimsOf(text, before) ?? before.dims, values: { kind: 'text', text } };
}

/** The call with another list as an input; without the input where the text of an optional one is empty. */
export function withList(call: CallDraft, input: number, text: string): CallDraft {
  const operator = operatorOf(call.operator);
  const version = operator && versionOf(operator, call.opset);
  if (version === undefined) return call;
  const isOptional = version.inputs[input]?.option === 'Optional';
  if (text.trim() === '' && isOptional) return withInput(call, version, input, null);
  const before = call.inputs[input] ?? firstInput(call, version, input);
  return withInput(call, version, input, withText(before, text));
}
