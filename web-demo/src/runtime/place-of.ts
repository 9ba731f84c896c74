// The field that the library's error of a call speaks of.
import type { OnnxError, Tensor } from 'broadloom';
import type { CallDraft, Place } from '../drafts.js';
import { operatorOf, versionOf } from '../facts.js';

/** The part of a tensor's form that an error speaks of. */
function partOf({ code, message }: OnnxError): string {
  if (code === 'UNSUPPORTED_TYPE') return 'type';
  return /\bdims\b/.test(message) ? 'dims' : 'values';
}

/** The parts of a sparse tensor's form, by what its errors begin with. */
const sparseParts: readonly (readonly [begin: RegExp, part: string])[] = [
  [/^dims/, 'dims'],
  [/^values have/, 'values:dims'],
  [/^indices are/, 'indices:type'],
  [/^indices have/, 'indices:dims'],
  [/^/, 'indices:values'],
];

function placeInSparse(message: string, { attributes }: CallDraft): Place | undefined {
  const what = /sparse tensor: (.*)/.exec(message)?.[1];
  const [name] = Object.entries(attributes).find(([, { kind }]) => kind === 'sparse') ?? [];
  if (what === undefined || name === undefined) return undefined;
  return `attribute:${name}:${sparseParts.find(([begin]) => begin.test(what))?.[1]}`;
}

/** A tensor in an attribute that gives the output a type which the version does not allow. */
function placeOfOutputType({ code, message }: OnnxError, { attributes }: CallDraft): Place | undefined {
  if (code !== 'UNSUPPORTED_TYPE' || !message.includes(' output ')) return undefined;
  const [name, value] = Object.entries(attributes).find(([, { kind }]) => kind !== 'text') ?? [];
  return name && `attribute:${name}:${value?.kind === 'sparse' ? 'values:type' : 'type'}`;
}

/** Messages show lists of no more elements than that. */
const longestList = 100;

/** The input whose elements, or else whose dims, an error shows: `cannot broadcast [3, 4] to [2, 4]`. */
function placeOfList(message: string, inputs: readonly (Tensor | null)[]): Place | undefined {
  const lists = [...message.matchAll(/\[([\d, -]*)\]/g)].map(([, list]) => list).reverse();
  for (const list of lists) {
    const byValues = inputs.findIndex(
      (input) => input?.type === 'int64' && input.size <= longestList && input.data.join(', ') === list,
    );
    if (byValues >= 0) return `input:${byValues}:values`;
    const byDims = inputs.findIndex((input) => input?.dims.join(', ') === list);
    if (byDims >= 0) return `input:${byDims}:dims`;
  }
  return undefined;
}

/** The name at the beginning of a message: `W has dims [1, 2, 1]`, `split's entries sum up to 5`, `steps [0]: entry 0 is 0`. */
const firstName = /^[^:]+: (?:input )?(\w+)(?:'s \w+| has| is| holds| \[)/;

/** Messages name inputs and attributes, with quotes or at the beginning, and show dims and sizes. */
export function placeOf(error: OnnxError, draft: CallDraft, inputs: readonly (Tensor | null)[]): Place {
  const operator = operatorOf(draft.operator);
  const version = operator && versionOf(operator, draft.opset);
  const quoted = [...error.message.matchAll(/'([^']+)'/g)].map(([, name]) => name);
  for (const name of [...quoted, firstName.exec(error.message)?.[1]]) {
    if (name === undefined) continue;
    if (Object.hasOwn(draft.attributes, name)) return `attribute:${name}`;
    const input = version?.inputs.findIndex((row) => row.name === name) ?? -1;
    if (input >= 0) return `input:${input}:${partOf(error)}`;
  }
  const number = /\binput (\d+)\b/.exec(error.message)?.[1];
  if (number !== undefined) return `input:${number}:${partOf(error)}`;
  return (
    placeInSparse(error.message, draft) ??
    placeOfOutputType(error, draft) ??
    placeOfList(error.message, inputs) ??
    'call'
  );
}
