// The two kinds of errors that the command line tells its user: what was written wrong, and what did not work.
import { OnnxError } from 'broadloom';
import { NpyError } from '../../shared/npy-error.js';

/** The command was written in a way that cannot be meant. The message says what to write. */
export class UsageError extends Error {}

interface Place {
  operator?: string | undefined;
  opset?: number | undefined;
  node?: string | undefined;
}

/** The work failed; the message tells all that there is to tell. `code` is the code of an OnnxError, or FILE. */
export class Failure extends Error {
  readonly code: string;
  readonly place: Place;
  constructor(message: string, code = 'FILE', place: Place = {}) {
    super(message);
    this.code = code;
    this.place = place;
  }
}

/** The error of work on `what` (a file, an input), with its name before the message. */
export function during(what: string, error: unknown): unknown {
  if (error instanceof OnnxError) {
    const { message, code, operator, opset, node, cause } = error;
    if (cause instanceof Failure) return cause; // it came from a function that the runtime was given
    return new Failure(`${what}: ${message}`, code, { operator, opset, node });
  }
  if (error instanceof NpyError) return new Failure(`${what}: ${error.message}`);
  return error;
}

/** The errors that engines throw when JavaScript's memory runs out. */
const outOfMemory = /Array buffer allocation failed|Invalid (typed )?array length|Invalid string length|out of memory/i;

/** Any error as one that can be told. */
export function toFailure(error: unknown): UsageError | Failure {
  if (error instanceof UsageError || error instanceof Failure) return error;
  if (error instanceof OnnxError) {
    const { message, code, operator, opset, node } = error;
    return new Failure(message, code, { operator, opset, node });
  }
  const { message } = error as Error;
  if (error instanceof RangeError && outOfMemory.test(message))
    return new Failure(`there is not enough memory (${message})`, 'OUT_OF_MEMORY');
  return new Failure(`a mistake in broadloom itself: ${message ?? error}`, 'INTERNAL');
}
