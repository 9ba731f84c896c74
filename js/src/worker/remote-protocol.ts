// The messages between a thread and its worker. Each has the property `broadloom`, so that a script may have messages of its own.
import type { ErrorCode, ErrorPlace } from '../basics/error.js';
import type { Model } from '../model/model.js';
import type { RunFigures } from '../model/run-events.js';

/** From the thread: a call. The worker answers it before it gets another one. */
export interface Request {
  /** The number of the call. */
  readonly broadloom: number;
  readonly method: string;
  readonly args: readonly unknown[];
}

/** A part of a file beside a model; without an offset, its size is wanted. */
export interface WantedPart {
  readonly location: string;
  readonly offset?: number;
  readonly length?: number;
}

/**
 * From the thread: the size of the file that the worker has asked for, nothing if it is not there, or bytes of it; `failed` when
 * these could not be had.
 */
export interface GivenFile {
  readonly broadloom: number;
  readonly file?: unknown;
  readonly failed?: true;
}

/** An error of the worker's side. One that is not an OnnxError is sent as it is. */
export type SentError =
  | ({ readonly code: ErrorCode; readonly message: string } & Readonly<ErrorPlace>)
  | { readonly other: unknown };

/** From the worker: the result of a call, its error, or the wish for a part of a file beside a model. */
export type Answer = {
  readonly broadloom: number;
  /** The figures of the run, where they were asked for. */
  readonly run?: RunFigures | undefined;
} & ({ readonly value: unknown } | { readonly error: SentError } | { readonly wanted: WantedPart });

/** A model, as it is told when it was loaded. */
export interface SentModel extends Pick<Model, 'opset' | 'inputs' | 'outputs' | 'warnings'> {
  readonly handle: number;
}

/** The result of a run, and the model's warnings if it added some. */
export interface Ran {
  readonly result: unknown;
  readonly warnings?: readonly string[];
}

/** Stands for an attribute that is read when it is asked for. */
export interface LargeAttribute {
  readonly large: readonly (string | number)[];
  readonly type: string | null;
  readonly dims: readonly number[] | null;
}
