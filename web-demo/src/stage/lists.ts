// Tensors as nested lists, in one field for values and dims.
import type { CallDraft, TensorDraft } from '../drafts.js';
import { operatorOf, typeRow, versionOf } from '../facts.js';
import { firstInput, withInput } from '../inputs.js';
import { nested } from '../values/nested.js';
import { parseStrings, parseValues, readPasted } from '../values/parse.js';

/** The most characters of a list that has a field. */
const longest = 2000;

/** The nested list of a tensor that was given as a text; undefined for others, and for very long ones. */
export function nestedText({ type, dims, values }: TensorDraft): string | undefined {
  if (values.kind !== 'text' || values.text.length > longest) return undefined;
  const { text } = values;
  const sizes = dims
    .split(',')
    .filter((size) => size.trim() !== '')
    .map(Number);
  const isList = /[[(]/.test(text) || typeRow(type).kind === 'string' || dims === '';
  const words = text.split(/[\s,]+/).filter(Boolean);
  const count = sizes.reduce((product, size) => product * size, 1);
  return isList || words.length !== count ? text : nested(words, sizes);
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

function dimsOf(text: string, before: TensorDraft): string {
  try {
    const pasted = readPasted(text);
    if (pasted !== undefined) return pasted.dims.join(', ');
  } catch {
    return before.dims;
  }
  const count = countOf(text, before);
  if (count === undefined) return before.dims;
  return count === 1 ? '' : String(count);
}

/** The call with another list as an input; without the input where the text of an optional one is empty. */
export function withList(call: CallDraft, input: number, text: string): CallDraft {
  const operator = operatorOf(call.operator);
  const version = operator && versionOf(operator, call.opset);
  if (version === undefined) return call;
  const isOptional = version.inputs[input]?.option === 'Optional';
  if (text.trim() === '' && isOptional) return withInput(call, version, input, null);
  const before = call.inputs[input] ?? firstInput(call, version, input);
  return withInput(call, version, input, { ...before, dims: dimsOf(text, before), values: { kind: 'text', text } });
}
