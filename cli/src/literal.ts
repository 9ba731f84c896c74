// Values in JSON: nested lists, whose nesting gives the dims, or an object { type, dims, data }.
import type { DataType, TensorJson } from 'broadloom';
import { quote } from '../../shared/visible.js';

/** The error of a text of values. */
export class LiteralError extends Error {}

const number = /-?\b\d+(?:\.\d+)?(?:[eE][-+]?\d+)?\b|-?\b(?:NaN|Infinity)\b/g;
/** Numbers of more digits than a number of JavaScript keeps, and those that JSON lacks. */
const special = /^-?(?:\d{16,}|NaN|Infinity)$/;
const deepest = 255;
const longestShown = 80;

/** Where the string ends that begins at `open`. A regular expression would need a stack as deep as the string is long. */
function endOfString(text: string, open: number): number {
  for (let end = text.indexOf('"', open + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let start = end;
    while (text[start - 1] === '\\') start--;
    if ((end - start) % 2 === 0) return end + 1;
  }
  return text.length;
}

/** JSON with such numbers as strings, which is how tensors have them in JSON. */
export function quoteSpecial(text: string): string {
  if (!/\d{16}|NaN|Infinity/.test(text)) return text;
  const parts: string[] = [];
  for (let start = 0; start < text.length; ) {
    const open = text.indexOf('"', start);
    const end = open < 0 ? text.length : open;
    parts.push(text.slice(start, end).replace(number, (found) => (special.test(found) ? `"${found}"` : found)));
    start = open < 0 ? end : endOfString(text, open);
    parts.push(text.slice(end, start));
  }
  return parts.join('');
}

/** The number that such a string stands for. */
export function specialNumber(text: string): number | bigint | undefined {
  return special.test(text) ? (/\d/.test(text) ? BigInt(text) : Number(text)) : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(quoteSpecial(text));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new LiteralError(
      `${quote(text)} is not JSON: write a list such as [[1, 2], [3, 4]]; strings have double quotes`,
    );
  }
}

/** Adds the elements of a list to `elements`; returns its dims. */
function flatten(value: unknown, elements: unknown[], depth = 0): number[] {
  if (!Array.isArray(value)) {
    elements.push(value);
    return [];
  }
  if (depth === deepest) throw new LiteralError(`lists are nested deeper than ${deepest}`);
  let inner: number[] | undefined;
  for (let i = 0; i < value.length; i++) {
    const dims = flatten(value[i], elements, depth + 1);
    if (inner !== undefined && (inner.length !== dims.length || inner.some((size, axis) => size !== dims[axis])))
      throw new LiteralError(`the list is ragged: entry ${i} has dims [${dims}], those before it [${inner}]`);
    inner ??= dims;
  }
  return [value.length, ...(inner ?? [])];
}

/**
 * A number of the literal as an element of the type. Long whole numbers are strings here: they stay exact as 64-bit integers, and
 * are rounded as other types. A number that is infinite here was too large for JSON.parse: then it throws.
 */
function exact(value: number | string, type: DataType): number | string {
  if (typeof value === 'number' && Math.abs(value) === Number.POSITIVE_INFINITY)
    throw new LiteralError('a number is too large for float64: write Infinity');
  return typeof value === 'string' && special.test(value) && !/^u?int64$/.test(type) ? Number(value) : value;
}

/** A value in an error. An object may be nested deeper than the stack, so nothing of it is shown. */
function shown(value: unknown): string {
  const text = value instanceof Object ? 'an object' : JSON.stringify(value);
  return text.length > longestShown ? `${text.slice(0, longestShown)}...` : text;
}

/** An element as a tensor's JSON has it. */
function elementOf(value: unknown, type: DataType): number | string {
  if (type === 'string') {
    if (typeof value === 'string') return value;
    throw new LiteralError(`${shown(value)} is not a string: write it in double quotes`);
  }
  if (typeof value === 'boolean' && type === 'bool') return Number(value);
  if (typeof value === 'number' || (typeof value === 'string' && special.test(value))) return exact(value, type);
  throw new LiteralError(`${shown(value)} is not an element of ${type}`);
}

function isTensor(value: unknown): value is TensorJson {
  return typeof value === 'object' && value !== null && 'type' in value && 'dims' in value && 'data' in value;
}

/**
 * The tensor that a text of JSON means.
 *
 * @param type - asked for where the text itself has none
 * @throws LiteralError
 */
export function readLiteral(text: string, type: () => DataType): TensorJson {
  let value = parse(text);
  if (isTensor(value)) {
    if (value.type === 'string') return JSON.parse(text) as TensorJson;
    const { type, dims, data } = value;
    return { type, dims, data: Array.isArray(data) ? data.map((element) => exact(element, type)) : data };
  }
  if (typeof value === 'object' && !Array.isArray(value))
    throw new LiteralError(
      `${quote(text)} is not a tensor: write a list, or {"type": "float32", "dims": [2], "data": [1, 2]}`,
    );
  const chosen = type();
  try {
    if (chosen === 'string') value = JSON.parse(text);
  } catch {
    throw new LiteralError(`${quote(text)} holds elements that are not strings: write them in double quotes`);
  }
  const elements: unknown[] = [];
  const dims = flatten(value, elements);
  if (chosen.startsWith('complex') && dims.pop() !== 2)
    throw new LiteralError(`an element of ${chosen} is a list of two numbers, such as [1, -0.5]`);
  return { type: chosen, dims, data: elements.map((element) => elementOf(element, chosen)) };
}
