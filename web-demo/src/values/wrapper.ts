// What Python writes around a list: array([1., 2.], dtype=float32), np.array(...), tensor(...).
import type { DataType } from 'broadloom';
import { typeRows } from '../facts.js';
import { ListError, quote } from './list-error.js';
import { numberOf } from './numbers.js';
import { quotedAt } from './quoted.js';

export interface Unwrapped {
  /** The list alone, or the whole text when nothing is around it. */
  readonly text: string;
  readonly isWrapped: boolean;
  readonly type?: DataType | undefined;
  /** `shape=(0, 3)`, which NumPy writes after empty arrays. */
  readonly dims?: number[] | undefined;
}

const head = /^\s*(?:[A-Za-z_]\w*\.)*(?:array|asarray|tensor|Tensor)\s*\(/;

export function unwrap(text: string): Unwrapped {
  const opening = head.exec(text)?.[0];
  if (opening === undefined) return { text, isWrapped: false };
  const [list = '', ...options] = argumentsAt(text, opening);
  let type: DataType | undefined;
  let dims: number[] | undefined;
  for (const option of options) {
    const [, name = 'dtype', value = ''] = /^\s*(?:(\w+)\s*=)?\s*([\s\S]*?)\s*$/.exec(option) ?? [];
    if (name === 'dtype') type = typeOfDtype(value);
    if (name === 'shape') dims = (value.match(/\d+/g) ?? []).map((digits) => numberOf(digits) as number);
  }
  return { text: list, isWrapped: true, type, dims };
}

/** The arguments of the call whose head is `opening`, as text. Nothing may follow the call but a semicolon. */
function argumentsAt(text: string, opening: string): string[] {
  const parts: string[] = [];
  let from = opening.length;
  let depth = 1;
  for (let i = from; i < text.length; i++) {
    const character = text.charAt(i);
    if (character === '"' || character === "'") i = quotedAt(text, i).end - 1;
    else if (character === '(' || character === '[') depth++;
    else if (character === ')' || character === ']') depth--;
    if (depth === 0) {
      const rest = text.slice(i + 1).trim();
      if (rest !== '' && rest !== ';') throw new ListError('afterArray', quote(rest));
      return [...parts, text.slice(from, i)];
    }
    if (character === ',' && depth === 1) {
      parts.push(text.slice(from, i));
      from = i + 1;
    }
  }
  throw new ListError('callNotClosed', quote(opening.trim()));
}

/** Names of ml_dtypes that say more than ONNX's. */
const longer = new Map<string, DataType>([
  ['float8e8m0fnu', 'float8e8m0'],
  ['float4e2m1fn', 'float4e2m1'],
]);

/** The type that a dtype such as float32, np.float32, 'float8_e5m2' or '<U3' means. */
export function typeOfDtype(dtype: string): DataType | undefined {
  const bare = dtype.replace(/^(?:np\.|numpy\.)?dtype\((.*)\)$/, '$1').replace(/^['"]|['"]$/g, '');
  if (/^(?:[<>|=]?U\d*|object_?|str_?|O)$/.test(bare)) return 'string';
  const name = bare.replace(/^.*\./, '').replaceAll('_', '');
  return longer.get(name) ?? typeRows.find((row) => row.name === name)?.name;
}
