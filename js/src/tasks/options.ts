import { invalidArgument } from '../basics/error.js';
import { show } from '../basics/show.js';

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
    (isInteger ? Number.isSafeInteger(value) : Number.isFinite(value)) &&
    value >= minimum &&
    value <= maximum;
  if (isRight) return value;
  const least = Number.isFinite(minimum) ? ` of at least ${minimum}` : '';
  const most = Number.isFinite(maximum) ? `${least && ' and'} of at most ${maximum}` : '';
  throw invalidArgument(
    `${task}: ${name} is ${show(value)}, wanted ${isInteger ? 'an integer' : 'a number'}${least}${most}`,
  );
}
