import { didYouMean } from '../../../shared/names.js';
import { invalidArgument } from '../error.js';
import { show } from '../show.js';

/** Limits of a number that is an option. */
export interface Limits {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly isInteger?: boolean;
}

/** A number that is an option; without it, `otherwise`. */
export function readNumber(task: string, name: string, value: unknown, otherwise: number, limits: Limits = {}): number {
  if (value === undefined) return otherwise;
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY, isInteger = false } = limits;
  const isRight =
    typeof value === 'number' &&
    (isInteger ? Number.isInteger(value) : Number.isFinite(value)) &&
    value >= minimum &&
    value <= maximum;
  if (isRight) return value;
  const least = Number.isFinite(minimum) ? ` of at least ${minimum}` : '';
  const most = Number.isFinite(maximum) ? `${least && ' and'} of at most ${maximum}` : '';
  throw invalidArgument(
    `${task}: ${name} is ${show(value)}, wanted ${isInteger ? 'an integer' : 'a number'}${least}${most}`,
  );
}

/** One of some words; without it, the first. */
export function readWord<W extends string>(task: string, name: string, value: unknown, words: readonly W[]): W {
  if (value === undefined) return words[0] as W;
  if (words.includes(value as W)) return value as W;
  const advice = typeof value === 'string' ? didYouMean(value, words) : '';
  throw invalidArgument(
    `${task}: ${name} is ${show(value)}, wanted one of ${words.map((word) => `'${word}'`).join(', ')}${advice}`,
  );
}

/** True or false; without it, false. */
export function readFlag(task: string, name: string, value: unknown): boolean {
  if (value === undefined || typeof value === 'boolean') return value === true;
  throw invalidArgument(`${task}: ${name} is ${show(value)}, wanted true or false`);
}
