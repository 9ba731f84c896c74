// Strings as JSON and Python write them.
import { ListError, quote } from './list-error.js';

const simple: { readonly [letter: string]: string } = {
  '\\': '\\',
  "'": "'",
  '"': '"',
  '/': '/',
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** Digits of \xhh, \uhhhh and \Uhhhhhhhh. */
const lengths: { readonly [letter: string]: number } = { x: 2, u: 4, U: 8 };

/** The string whose opening quote is at `start`, and the place after its closing quote. */
export function quotedAt(text: string, start: number): { readonly value: string; readonly end: number } {
  const mark = text.charAt(start);
  let value = '';
  let from = start + 1; // of what is copied as it is
  for (let i = from; i < text.length; i++) {
    const character = text.charAt(i);
    if (character === mark) return { value: value + text.slice(from, i), end: i + 1 };
    if (character === '\\') {
      const escaped = escapeAt(text, i);
      value += text.slice(from, i) + escaped.value;
      from = escaped.end;
      i = from - 1;
    }
  }
  throw new ListError('noClosingQuote', quote(text.slice(start)), start + 1);
}

/** The character that the escape sequence at `start` stands for. Python keeps backslashes that mean nothing. */
function escapeAt(text: string, start: number): { readonly value: string; readonly end: number } {
  const letter = text.charAt(start + 1);
  const plain = simple[letter];
  if (plain !== undefined) return { value: plain, end: start + 2 };
  const octal = /[0-7]{1,3}/y;
  octal.lastIndex = start + 1;
  const digits = octal.exec(text)?.[0];
  if (digits !== undefined) {
    return { value: String.fromCharCode(Number.parseInt(digits, 8)), end: start + 1 + digits.length };
  }
  const length = lengths[letter];
  if (length === undefined) return { value: `\\${letter}`, end: start + 2 };
  const hexadecimal = text.slice(start + 2, start + 2 + length);
  const code = Number.parseInt(hexadecimal, 16);
  if (hexadecimal.length < length || !/^[\da-f]+$/i.test(hexadecimal) || code > 0x10ffff) {
    throw new ListError('noEscape', quote(text.slice(start, start + 2 + length)), start + 1);
  }
  return { value: String.fromCodePoint(code), end: start + 2 + length };
}
