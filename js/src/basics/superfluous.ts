import { counted } from '../../../shared/counted.js';
import { invalidArgument, type OnnxError } from './error.js';

/** The error for arguments after the last one. */
export function tooMany(what: string, given: number, taken: number): OnnxError {
  return invalidArgument(
    `${what}: takes ${taken === 0 ? 'no arguments' : `at most ${counted(taken, 'argument')}`}, got ${given}`,
  );
}

/** Refuses arguments after the last one that a method takes. */
export function takesAtMost(taken: number, given: number, method: string): void {
  if (given > taken) throw tooMany(method, given, taken);
}
