// The messages between the page "Simplify" and its worker.
import type { Model, SimplifyOptions, SimplifyReport } from 'broadloom';
import type { TensorDraft } from '../drafts.js';
import type { Picture } from '../drawing/picture.js';
import type { Refusal } from '../runtime/protocol.js';

/** A model that was opened. */
export interface Opened {
  readonly ok: true;
  readonly model: Blob;
  readonly inputs: Model['inputs'];
  readonly outputs: Model['outputs'];
}

/** The options as plain data. */
export interface Wish extends Omit<SimplifyOptions, 'values' | 'external' | 'verify'> {
  /** Inputs that become constants, each with the place of its field. */
  readonly values: { readonly [input: string]: { readonly place: string; readonly draft: TensorDraft } };
}

/** A simplified model. */
export interface Simplified {
  readonly ok: true;
  readonly blob: Blob;
  readonly report: SimplifyReport;
  /** Milliseconds. */
  readonly took: number;
  /** Why there is no picture: the files are too large to be looked into, or have too many nodes. */
  readonly picture: Picture | 'largeFile' | 'manyNodes';
  /** The picture with one spot for blocks that repeat, if there are such. */
  readonly collapsed: Picture | undefined;
}

export type Answer<R> = R | Refusal;
