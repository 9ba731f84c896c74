// Texts to lists of values, as `Runtime.tensor` takes them. What the type cannot hold is left for the library to refuse.
import type { TypeRow } from '../facts.js';
import { ListError, quote } from './list-error.js';
import { booleanOf, complexOf, integerOf, numberOf } from './numbers.js';
import { scan } from './scan.js';
import { unwrap } from './wrapper.js';

export { ListError } from './list-error.js';
export { readPasted } from './pasted.js';

const ignore = (): void => {};

function refuseWord(word: string, index: number, wanted: string): never {
  if (/^(?:\.{3}|…)/.test(word)) {
    throw new ListError(`element ${index} is ${quote(word)}, which stands for elements that are not in the text`);
  }
  throw new ListError(`element ${index} is ${quote(word)}, wanted ${wanted}`);
}

/** Gives every word to `take`, which says whether it could read it. Brackets are ignored. */
function readWords(text: string, wanted: string, count: number | undefined, take: (word: string) => boolean): void {
  let index = 0;
  scan(unwrap(text).text, {
    word: (word) => {
      if (!take(word)) refuseWord(word, index, wanted);
      index++;
    },
    quoted: (value) => {
      throw new ListError(`element ${index} is the string ${quote(value)}, wanted ${wanted}`);
    },
    comma: ignore,
    open: ignore,
    close: ignore,
  });
  if (count !== undefined && index !== count) {
    throw new ListError(`there are ${index} values, wanted ${count === 1 ? 'one' : count}`);
  }
}

function readList<T>(
  text: string,
  wanted: string,
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
  return readList(text, 'a whole number', count, integerOf);
}

/** Strings as JSON or Python quotes them, or bare words between commas and line ends. Brackets are ignored. */
export function parseStrings(text: string): string[] {
  const list: string[] = [];
  const take = (value: string): void => void list.push(value);
  const word = (word: string): void => {
    if (/^(?:\.{3}|…)(?!\S)/.test(word)) refuseWord(word, list.length, 'a string');
    take(word);
  };
  scan(unwrap(text).text, { word, quoted: take, comma: ignore, open: ignore, close: ignore }, true);
  return list;
}

function parseComplex(text: string, count: number | undefined): number[] {
  const list: number[] = [];
  readWords(text, 'a complex number such as 1+2j', count, (word) => {
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
      return readList(text, 'True or False', count, booleanOf);
    case 'complex':
      return parseComplex(text, count);
    default:
      return readList<number | bigint>(
        text,
        'a number',
        count,
        row?.array.startsWith('Big') ? (word) => integerOf(word) ?? numberOf(word) : numberOf,
      );
  }
}
