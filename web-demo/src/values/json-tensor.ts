// A tensor as a JSON object: `{"type": "float32", "dims": [2], "data": [1, 2]}`, also with NumPy's names, and as
// JSON.stringify writes typed arrays and the tensors of onnxruntime-web.
import type { DataType } from 'broadloom';
import { ListError, quote } from './list-error.js';
import { quoted } from './visible.js';
import { typeOfDtype } from './wrapper.js';

export interface JsonTensor {
  readonly type: DataType | undefined;
  readonly dims: number[] | undefined;
  /** The elements as a list with brackets. */
  readonly text: string;
}

/** JSON.parse rounds long integers, and refuses what Python writes for NaN: numbers come through as marked texts. */
const mark = '\0';
const words = /"(?:[^"\\]|\\.)*"|-?(?:Infinity|\d[\d.eE+-]*)|NaN/g;

function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(words, (word) => (word.startsWith('"') ? word : `"\\u0000${word}"`)));
  } catch {
    throw new ListError('jsonObject');
  }
}

function wordOf(value: unknown): string {
  return String(value).replace(mark, '');
}

/** A list with the nesting that it has; indices are the names in what a typed array is written as. */
function listText(value: unknown, isText: boolean): string {
  if (typeof value !== 'object' || value === null) {
    const isString = typeof value === 'string' && !value.startsWith(mark);
    return isString && isText ? quoted(value) : wordOf(value);
  }
  return `[${Object.values(value)
    .map((part) => listText(part, isText))
    .join(', ')}]`;
}

export function isJsonObject(text: string): boolean {
  return /^[\s\ufeff]*\{/.test(text);
}

export function readJsonTensor(text: string): JsonTensor {
  const fields = parse(text.replace(/^\ufeff/, '')) as { readonly [name: string]: unknown };
  const [data, dims, dtype] = [fields.data ?? fields.cpuData, fields.dims ?? fields.shape, fields.type ?? fields.dtype];
  if (data === undefined || data === null) throw new ListError('jsonObject');
  const type = dtype === undefined ? undefined : typeOfDtype(wordOf(dtype));
  if (dtype !== undefined && type === undefined) throw new ListError('unknownType', quote(wordOf(dtype)));
  return {
    type,
    dims: Array.isArray(dims) ? dims.map((dim) => Number(wordOf(dim))) : undefined,
    text: listText(data, type === undefined || type === 'string'),
  };
}
