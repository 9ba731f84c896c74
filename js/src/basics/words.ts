import { didYouMean } from '../../../shared/names.js';
import { invalidArgument } from './error.js';
import { show } from './show.js';

/** One of the words of an option; without it, `otherwise`. `call` and `name` stand in the error. @internal */
export function readWord<W extends string>(
  call: string,
  name: string,
  value: unknown,
  words: readonly W[],
  otherwise = words[0],
): W {
  if (value === undefined) return otherwise as W;
  if (words.includes(value as W)) return value as W;
  const known = words.map((word) => `'${word}'`).join(', ');
  const advice = typeof value === 'string' ? didYouMean(value, words) : '';
  throw invalidArgument(`${call}: ${name} is ${show(value)}, wanted one of ${known}${advice}`);
}

/** True or false; without it, `otherwise`. @internal */
export function readFlag(call: string, name: string, value: unknown, otherwise = false): boolean {
  if (value === undefined) return otherwise;
  if (typeof value === 'boolean') return value;
  throw invalidArgument(`${call}: ${name} is ${show(value)}, wanted true or false`);
}
