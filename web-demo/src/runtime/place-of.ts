// Where in the form of a call an error belongs.
import type { OnnxError, Tensor } from 'broadloom';
import type { CallDraft, Place } from '../drafts.js';
import { operatorOf, versionOf } from '../facts.js';

/** The part of a tensor's form that an error speaks of. */
function partOf({ code, message }: OnnxError): string {
  if (code === 'UNSUPPORTED_TYPE') return 'type';
  return /\bdims\b/.test(message) ? 'dims' : 'values';
}

/** The input whose elements, or else whose dims, an error shows: `cannot broadcast [3, 4] to [2, 4]`. */
function placeOfList(message: string, inputs: readonly (Tensor | null)[]): Place | undefined {
  const lists = [...message.matchAll(/\[([\d, -]*)\]/g)].map(([, list]) => list).reverse();
  for (const list of lists) {
    const byValues = inputs.findIndex((input) => input?.type === 'int64' && input.data.join(', ') === list);
    if (byValues >= 0) return `input:${byValues}:values`;
    const byDims = inputs.findIndex((input) => input?.dims.join(', ') === list);
    if (byDims >= 0) return `input:${byDims}:dims`;
  }
  return undefined;
}

/** The field that an error of a call speaks of: messages quote the names of inputs and attributes, and show dims and sizes. */
export function placeOf(error: OnnxError, draft: CallDraft, inputs: readonly (Tensor | null)[]): Place {
  const operator = operatorOf(draft.operator);
  const version = operator && versionOf(operator, draft.opset);
  for (const [, name] of error.message.matchAll(/'([^']+)'/g)) {
    if (name === undefined) continue;
    if (name in draft.attributes) return `attribute:${name}`;
    const input = version?.inputs.findIndex((row) => row.name === name) ?? -1;
    if (input >= 0) return `input:${input}:${partOf(error)}`;
  }
  const number = /\binput (\d+)\b/.exec(error.message)?.[1];
  if (number !== undefined) return `input:${number}:${partOf(error)}`;
  return placeOfList(error.message, inputs) ?? 'call';
}
