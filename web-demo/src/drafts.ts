// Drafts: input that a person has typed, chosen or dropped, before it becomes tensors. They are plain data, so that it can be undone, put into a
// link and sent to the worker.
import type { DataType } from 'broadloom';
import type { Finding } from './values/list-error.js';

/** The elements of a tensor, as they were given. */
export type Values =
  /** Numbers, words or strings, with or without brackets: what NumPy prints, JSON, or a plain list. */
  | { readonly kind: 'text'; readonly text: string }
  /** Uniform in [0, 1) for floating-point types, over small values for all others; the same seed gives the same. */
  | { readonly kind: 'random'; readonly seed: number }
  /** start, start + step, start + 2 step ...; a step of 0 fills. */
  | { readonly kind: 'range'; readonly start: number; readonly step: number }
  /** The elements of a file, in ONNX's own layout (what `Tensor.data` holds, as bytes). */
  | { readonly kind: 'file'; readonly name: string; readonly bytes: Uint8Array }
  | StoredValues;

/** The most bytes of a file, and characters of a text, that the page itself holds. */
export const mostOnPage = 2 ** 16;

/** More than the page holds: a file or a text that the worker keeps (runtime/store.ts), so that edits need not send it. */
export interface StoredValues {
  readonly kind: 'stored';
  readonly id: number;
  /** Bytes of the elements of a file, or characters of a text. */
  readonly size: number;
  /** The file's; none for a text. */
  readonly name?: string | undefined;
  /** The beginning of a text. */
  readonly beginning?: string | undefined;
}

export interface TensorDraft {
  readonly type: DataType;
  /** Sizes of the axes as typed: `2, 3`; nothing for a scalar. */
  readonly dims: string;
  readonly values: Values;
}

export type AttributeDraft =
  /** INT, FLOAT, STRING, INTS, FLOATS, STRINGS. */
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'tensor'; readonly tensor: TensorDraft }
  | {
      readonly kind: 'sparse';
      readonly values: TensorDraft;
      readonly indices: TensorDraft;
      readonly dims: string;
    };

/** The tensors that an attribute holds. */
export function tensorsIn(attribute: AttributeDraft): readonly TensorDraft[] {
  if (attribute.kind === 'tensor') return [attribute.tensor];
  return attribute.kind === 'sparse' ? [attribute.values, attribute.indices] : [];
}

/** One call of an operator. Attributes that are not listed are left out; so are inputs that are null. */
export interface CallDraft {
  readonly operator: string;
  readonly opset: number;
  readonly inputs: readonly (TensorDraft | null)[];
  readonly attributes: { readonly [name: string]: AttributeDraft };
}

/**
 * Where in a form something is: `call`, or a path such as `input:0:dims`, `attribute:value:values`. The ids of the fields
 * and the places of problems are made of it.
 */
export type Place = string;

/** Something wrong with what was given: the library's own message, or a finding when it cannot even be read. */
export interface Problem {
  readonly place: Place;
  readonly message: string;
  /** The code of the library's error. */
  readonly code?: string | undefined;
  /** The error of a text that could not be read, for the page to tell in its language instead of `message`. */
  readonly finding?: Finding | undefined;
}
