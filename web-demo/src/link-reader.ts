// Checks the structure of what a link says. Everything is copied field by field: what is not known does not come through.
import type { DataType } from 'broadloom';
import { fromBase64 } from './base64.js';
import type { AttributeDraft, CallDraft, TensorDraft, Values } from './drafts.js';

type Fields = { readonly [name: string]: unknown };

class Malformed extends Error {}

function fieldsOf(value: unknown): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Malformed();
  return value as Fields;
}

function stringOf(value: unknown, pattern?: RegExp): string {
  if (typeof value !== 'string' || (pattern && !pattern.test(value))) throw new Malformed();
  return value;
}

/** Names go into programs that people copy and run, so they must be names and nothing else. */
const name = /^[A-Za-z]\w{0,99}$/;
const numberText = /^(?:NaN|-?Infinity|-?\d+(?:\.\d+)?(?:e[+-]\d+)?)$/;
/** The most inputs of a call, and the most attributes. */
const mostParts = 1000;

function readValues(value: unknown): Values {
  const { kind, text, seed, start, step, name: file, bytes } = fieldsOf(value);
  switch (kind) {
    case 'text':
      return { kind, text: stringOf(text) };
    case 'random':
      if (typeof seed !== 'number') throw new Malformed();
      return { kind, seed };
    case 'range':
      return { kind, start: Number(stringOf(start, numberText)), step: Number(stringOf(step, numberText)) };
    case 'file':
      return { kind, name: stringOf(file), bytes: fromBase64(stringOf(bytes)) };
    default:
      throw new Malformed();
  }
}

function readTensor(value: unknown): TensorDraft {
  const { type, dims, values } = fieldsOf(value);
  // A type that is not known is refused by the library, with its name.
  return { type: stringOf(type, name) as DataType, dims: stringOf(dims), values: readValues(values) };
}

function readAttribute(value: unknown): AttributeDraft {
  const { kind, text, tensor, values, indices, dims } = fieldsOf(value);
  switch (kind) {
    case 'text':
      return { kind, text: stringOf(text) };
    case 'tensor':
      return { kind, tensor: readTensor(tensor) };
    case 'sparse':
      return { kind, values: readTensor(values), indices: readTensor(indices), dims: stringOf(dims) };
    default:
      throw new Malformed();
  }
}

/** @throws for anything but a call */
export function readCall(value: unknown): CallDraft {
  const { operator, opset, inputs, attributes } = fieldsOf(value);
  const named = Object.entries(fieldsOf(attributes));
  if (!Number.isSafeInteger(opset) || (opset as number) < 1) throw new Malformed();
  if (!Array.isArray(inputs) || inputs.length > mostParts || named.length > mostParts) throw new Malformed();
  return {
    operator: stringOf(operator, name),
    opset: opset as number,
    inputs: inputs.map((input) => (input === null ? null : readTensor(input))),
    attributes: Object.fromEntries(named.map(([key, attribute]) => [stringOf(key, name), readAttribute(attribute)])),
  };
}
