import { invalidArgument, type OnnxError } from './error.js';
import { show } from './show.js';
import { arrayName, bytesOf, lengthOf } from './typed-arrays.js';

/** A list as users give one: an array or a typed array. */
export function isList(value: unknown): value is ArrayLike<unknown> {
  return Array.isArray(value) || arrayName(value) !== undefined;
}

// Errors are made in functions of their own: engines inline small functions, and small calls pass through these.

/** The length of a list. A Proxy of an array may tell anything. `what` and `index` name the list in errors. */
export function lengthOfList(list: ArrayLike<unknown>, what: string, index: number | '' = ''): number {
  const length = Array.isArray(list) ? list.length : lengthOfArray(list as unknown as ArrayBufferView, what, index);
  if (length >>> 0 !== length) throw badLength(length, what, index);
  return length;
}

/** The length of a typed array. A detached array has length 0: bytesOf then throws. */
function lengthOfArray(array: ArrayBufferView, what: string, index: number | ''): number {
  return lengthOf(array) || bytesOf(array, `the entries of ${what}${index}`).length;
}

function badLength(length: unknown, what: string, index: number | ''): OnnxError {
  return invalidArgument(`${what}${index}: a list of length ${show(length)} is not a list`);
}

/** Entry `i` of a list of integers: sizes, dims, shapes. The core checks their values. */
function checkedInteger(value: unknown, i: number, what: string, index: number | ''): number {
  const number = typeof value === 'bigint' ? Number(value) : value;
  if (typeof number !== 'number' || (number !== value && !Number.isSafeInteger(number)))
    throw badInteger(value, i, what, index);
  return number;
}

function badInteger(value: unknown, i: number, what: string, index: number | ''): OnnxError {
  return invalidArgument(`${what}${index}: entry ${i} is ${show(value)}, which is not an integer below 2^53`);
}

/** A copy of a list of integers. Short ones as literals: a list that is filled makes a small call 8 % slower. */
export function readIntegers(list: ArrayLike<unknown>, what: string, index: number | '' = ''): number[] {
  const length = lengthOfList(list, what, index);
  const entry = (i: number) => checkedInteger(list[i], i, what, index);
  if (length === 1) return [entry(0)];
  if (length === 2) return [entry(0), entry(1)];
  if (length === 3) return [entry(0), entry(1), entry(2)];
  if (length === 4) return [entry(0), entry(1), entry(2), entry(3)];
  const integers: number[] = [];
  for (let i = 0; i < length; i++) integers.push(entry(i));
  return integers;
}

/** A copy of a list of strings. */
export function readStrings(list: ArrayLike<unknown>): string[] {
  const length = lengthOfList(list, 'strings');
  const strings: string[] = [];
  for (let i = 0; i < length; i++) {
    const value = list[i];
    if (typeof value !== 'string') throw invalidArgument(`element ${i} is ${show(value)}, which string cannot hold`);
    strings.push(value);
  }
  return strings;
}
