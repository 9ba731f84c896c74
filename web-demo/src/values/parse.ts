// Texts to lists of values, as `Runtime.tensor` takes them. Values that the type cannot hold are left for the library to refuse.
import type { TypeRow } from '../facts.js';
import { ListError, longestQuote, quote } from './list-error.js';
import { booleanOf, complexOf, integerOf, numberOf } from './numbers.js';
import { scan } from './scan.js';
import { clipped, quoted } from './visible.js';
import { unwrap } from './wrapper.js';

export { ListError } from './list-error.js';
export { readPasted } from './pasted.js';

const ignore = (): void => {};

/** The kinds of words that a list can be wanted of, as what is said of another word. */
type Wanted = 'noWholeNumber' | 'noNumber' | 'noComplex' | 'noBoolean';

/** What NumPy prints in place of elements. */
const elision = /^(?:\.{3}|…)/;

/** Gives every word to `take`, which says whether it could read it. Brackets are ignored. */
function readWords(text: string, wanted: Wanted, count: number | undefined, take: (word: string) => boolean): void {
  let index = 0;
  scan(unwrap(text).text, {
    word: (word) => {
      if (!take(word)) throw new ListError(elision.test(word) ? 'elision' : wanted, index, quote(word));
      index++;
    },
    quoted: (value) => {
      throw new ListError(wanted, index, quoted(clipped(value, longestQuote)));
    },
    comma: ignore,
    open: ignore,
    close: ignore,
  });
  if (count !== undefined && index !== count) {
    throw new ListError('count', index, count);
  }
}

function readList<T>(
  text: string,
  wanted: Wanted,
  count: number | undefined,
  convert: (word: string) => T | undefined,
): T[] {
  const list: T[] = [];
  readWords(text, wanted, count, (word) => {
    const value = convert(word);
    if (value !== undefined) list.push(value);
    return value !== undefined;
  });
  return list;
}

/**
 * Whole numbers: `2, 3`, `[2, 3]`, `(2, 3)`, or nothing.
 *
 * @param count - how many there must be
 */
export function parseIntegers(text: string, count?: number): bigint[] {
  return readList(text, 'noWholeNumber', count, integerOf);
}

/** Strings as JSON or Python quotes them, or bare words between commas and line ends. Brackets are ignored. */
export function parseStrings(text: string): string[] {
  const list: string[] = [];
  const take = (value: string): void => void list.push(value);
  const word = (word: string): void => {
    if (/^(?:\.{3}|…)(?!\S)/.test(word)) throw new ListError('elision', list.length, quote(word));
    take(word);
  };
  scan(unwrap(text).text, { word, quoted: take, comma: ignore, open: ignore, close: ignore }, true);
  return list;
}

function parseComplex(text: string, count: number | undefined): number[] {
  const list: number[] = [];
  readWords(text, 'noComplex', count, (word) => {
    const parts = complexOf(word);
    if (parts !== undefined) list.push(parts[0], parts[1]);
    return parts !== undefined;
  });
  return list;
}

/**
 * The elements that a text means for a type: a plain list, nested lists, JSON, or what NumPy prints.
 *
 * @param row - undefined for a type that ONNX does not have: the library refuses it
 * @param count - how many there must be
 */
export function parseValues(text: string, row: TypeRow | undefined, count?: number): unknown[] {
  switch (row?.kind) {
    case 'string':
      return parseStrings(text);
    case 'boolean':
      return readList(text, 'noBoolean', count, booleanOf);
    case 'complex':
      return parseComplex(text, count);
    default:
      return readList<number | bigint>(
        text,
        'noNumber',
        count,
        row?.array.startsWith('Big') ? (word) => integerOf(word) ?? numberOf(word) : numberOf,
      );
  }
}
