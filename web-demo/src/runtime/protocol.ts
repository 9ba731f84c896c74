// The messages between the page and its worker.
import type { DataType, TensorMessage } from 'broadloom';
import type { Problem } from '../drafts.js';

/** A tensor as far as the page needs it: its elements stay in the worker. */
export interface TensorReport {
  /** What `window` and `summary` call it. */
  readonly key: string;
  readonly name: string;
  readonly type: DataType;
  readonly dims: readonly number[];
  readonly size: number;
  /** The strides of the layout before anything was written out, in elements; 0 on broadcast axes. */
  readonly strides: readonly number[];
  /** Bytes of the elements that the layout refers to. */
  readonly bytesRead: number;
  /** Bytes of the dense result. */
  readonly bytesWritten: number;
  /** False for a result that is too large to be written out; only its layout can be seen. */
  readonly written: boolean;
  /** All elements, if they are few; else ask for windows. */
  readonly elements: Elements | undefined;
}

/** Some elements of a tensor, from `start` on. */
export interface Elements {
  readonly start: number;
  /** As Broadloom prints them. */
  readonly text: readonly string[];
  /** The bits of each, for types of up to 32 bits but strings; else undefined. */
  readonly bits: readonly number[] | undefined;
}

export interface CallReport {
  readonly ok: true;
  readonly operator: string;
  /** since_version of the version that was chosen. */
  readonly version: number;
  readonly inputs: readonly (TensorReport | null)[];
  readonly outputs: readonly TensorReport[];
  /** The trace of a small call; undefined for larger ones. */
  readonly trace: Trace | undefined;
  /** The attributes, of those that the call leaves out, that would change its outputs; undefined for a large call. */
  readonly effects: readonly string[] | undefined;
}

/** An output of a call that a picture asked for: nothing of it stays in the worker. */
export interface ComputedTensor {
  readonly type: DataType;
  readonly dims: readonly number[];
  /** All elements, as Broadloom prints them. */
  readonly text: readonly string[];
}

/** For each output, for each of its elements, for each input, the positions of the elements that it is computed from. */
export type Trace = readonly (readonly (readonly (readonly number[])[])[])[];

/** Microseconds of a call, and of writing its results out after it. */
export interface Times {
  readonly callTime: number;
  readonly writeTime: number;
}

export interface Refusal {
  readonly ok: false;
  readonly problem: Problem;
}

/** The outcome of a documented example. */
export interface ExampleReport {
  /** `close`: what is left is rounding. */
  readonly agreement: 'equal' | 'close' | 'different';
  /** The outputs as lists, or the error. */
  readonly actual: string;
}

/** A tensor at a glance. */
export interface Summary {
  readonly least: number;
  readonly greatest: number;
  /** Both as elements are shown: numbers are not exact for all integers of 64 bits. */
  readonly leastText: string;
  readonly greatestText: string;
  readonly mean: number;
  /** Elements that are NaN or infinite; they are in none of the bins. */
  readonly notFinite: number;
  /** Elements that are 0. */
  readonly zeros: number;
  /** Counts of equally wide bins from `least` to `greatest`. */
  readonly histogram: readonly number[];
  /** Values of a plane (the last two axes at `outer`), thinned to at most 256 by 256. */
  readonly plane: { readonly rows: number; readonly columns: number; readonly values: Float32Array };
}

/** Files by name. */
export interface Files {
  readonly [path: string]: Uint8Array;
}

/** A file that was made. */
export interface Made {
  readonly ok: true;
  readonly bytes: Uint8Array;
}

/** The tensors of the inputs of a model, by name. */
export interface FeedsReport {
  readonly ok: true;
  readonly feeds: { readonly [input: string]: TensorMessage };
}
