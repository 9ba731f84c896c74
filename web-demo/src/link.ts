// A call as a text for a link, and back. A link comes from somebody else: all of it is checked.
import { deflateSync, Inflate } from 'fflate';
import { fromBase64, toBase64 } from './base64.js';
import { type AttributeDraft, type CallDraft, lieOutside, type TensorDraft, tensorsIn, type Values } from './drafts.js';
import { readCall } from './link-reader.js';

/** The version of the format: the first character of the text. */
const version = '1';
const longestLink = 32_000;
/** Small links can hold very long texts. */
const largestText = 4 * 2 ** 20;
/** Larger calls are not tried: the page makes a link after every edit. */
const largestWritten = 2 ** 19;

/** Numbers as texts, since JSON has no -0, NaN and infinities. */
function numberText(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

function writeValues(values: Values): unknown {
  switch (values.kind) {
    case 'range':
      return { ...values, start: numberText(values.start), step: numberText(values.step) };
    case 'file':
      return { ...values, bytes: toBase64(values.bytes) };
    default:
      return values;
  }
}

function writeTensor({ type, dims, values }: TensorDraft): unknown {
  return { type, dims, values: writeValues(values) };
}

function writeAttribute(attribute: AttributeDraft): unknown {
  switch (attribute.kind) {
    case 'tensor':
      return { ...attribute, tensor: writeTensor(attribute.tensor) };
    case 'sparse':
      return { ...attribute, values: writeTensor(attribute.values), indices: writeTensor(attribute.indices) };
    default:
      return attribute;
  }
}

/** About the bytes of the values of a call. A link has few bytes: with more, no link is tried. */
function valueBytes({ inputs, attributes }: CallDraft): number {
  const tensors = [...inputs, ...Object.values(attributes).flatMap(tensorsIn)];
  return tensors.reduce((sum, tensor) => {
    if (tensor && lieOutside(tensor.values)) return Infinity;
    if (tensor?.values.kind === 'file') return sum + tensor.values.bytes.length;
    return sum + (tensor?.values.kind === 'text' ? tensor.values.text.length : 0);
  }, 0);
}

/** Pages are rendered more often than calls are edited. */
const known = new WeakMap<CallDraft, { readonly link: string | undefined }>();

/** The text that `linkToCall` reads; undefined for a call that is too large for a link. */
export function callToLink(draft: CallDraft): string | undefined {
  const made = known.get(draft) ?? { link: makeLink(draft) };
  known.set(draft, made);
  return made.link;
}

function makeLink(draft: CallDraft): string | undefined {
  if (valueBytes(draft) > largestWritten) return undefined;
  const { operator, opset, inputs, attributes } = draft;
  const json = JSON.stringify({
    operator,
    opset,
    inputs: inputs.map((input) => input && writeTensor(input)),
    attributes: Object.fromEntries(
      Object.entries(attributes).map(([name, attribute]) => [name, writeAttribute(attribute)]),
    ),
  });
  const bytes = new TextEncoder().encode(json);
  if (bytes.length > largestWritten) return undefined;
  const base64 = toBase64(deflateSync(bytes, { level: 9 }));
  const link = version + base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
  return link.length > longestLink ? undefined : link;
}

/** The inflated bytes, unless they are too many. */
function inflate(bytes: Uint8Array): Uint8Array | undefined {
  const parts: Uint8Array[] = [];
  let length = 0;
  let isWhole = false;
  const stream = new Inflate((part, isLast) => {
    parts.push(part);
    length += part.length;
    isWhole = isLast;
  });
  // In small steps: each gives at most a thousand times its length.
  const step = 256;
  for (let start = 0; start < bytes.length; start += step) {
    stream.push(bytes.subarray(start, start + step), start + step >= bytes.length);
    if (length > largestText) return undefined;
  }
  if (!isWhole) return undefined;
  const whole = new Uint8Array(length);
  let place = 0;
  for (const part of parts) {
    whole.set(part, place);
    place += part.length;
  }
  return whole;
}

/** The call of a link; undefined for anything that `callToLink` does not write. Operators and types may be unknown ones. */
export function linkToCall(text: string): CallDraft | undefined {
  if (!text.startsWith(version) || text.length > longestLink) return undefined;
  try {
    const bytes = inflate(fromBase64(text.slice(version.length).replaceAll('-', '+').replaceAll('_', '/')));
    if (bytes === undefined) return undefined;
    return readCall(JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)));
  } catch {
    return undefined; // no base64, no deflated bytes, no UTF-8, no JSON, or no call
  }
}
