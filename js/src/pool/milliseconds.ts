import { show } from '../basics/show.js';
import type { Entry } from '../worker/remote-entry.js';

/** Timers take no larger number: a larger one would be over at once. */
const mostMilliseconds = 2 ** 31 - 1;

/** Calls a function after a time, or never for a time without end. Returns what prevents it. */
export function after(milliseconds: number, call: () => void): () => void {
  if (milliseconds > mostMilliseconds) return () => {};
  // Where this thread was busy, what came in time is read before.
  let timer = setTimeout(() => {
    timer = setTimeout(call, 0);
  }, milliseconds);
  return () => clearTimeout(timer);
}

/** The milliseconds that an option gives. */
export function checkedMilliseconds(
  { OnnxError }: Entry,
  method: string,
  name: string,
  value: unknown,
  otherwise = Infinity,
): number {
  if (value === undefined) return otherwise;
  if (typeof value === 'number' && value >= 0) return value;
  throw new OnnxError('INVALID_ARGUMENT', `${method}: ${name} is ${show(value)}, wanted milliseconds`);
}
