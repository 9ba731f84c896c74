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
  | StoredValues
  | PictureValues
  | SoundValues;

export const zeros = { kind: 'range', start: 0, step: 0 } as const satisfies Values;

export function areZeros(values: Values): boolean {
  return values.kind === 'range' && values.start === 0 && values.step === 0;
}

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

/** A picture that a canvas draws to the size that the dims say, whenever a tensor is made of it. */
export interface PictureValues {
  readonly kind: 'picture';
  /** Undefined until one is chosen. */
  readonly file: File | undefined;
  /** Whether the channels come before height and width. */
  readonly layout: 'NCHW' | 'NHWC';
  /** A picture of other proportions is stretched, fills the whole and is cut, or is shown whole with a border. */
  readonly fit: 'stretch' | 'fill' | 'whole';
  /** The numbers for black and white: 0 and 1, -1 and 1, 0 and 255, or numbers by ImageNet's mean and deviation. */
  readonly scale: 'unit' | 'signed' | 'bytes' | 'imagenet';
}

/** A sound as mono samples, cut or padded with zeros to the length that the dims say. */
export interface SoundValues {
  readonly kind: 'sound';
  /** Undefined until one is chosen. */
  readonly file: File | undefined;
  /** Samples a second. */
  readonly rate: number;
  /** Seconds before the first sample. */
  readonly start: number;
}

/** Whether the values lie outside of the draft, so that no text can hold them. */
export function lieOutside(values: Values): values is StoredValues | PictureValues | SoundValues {
  return values.kind === 'stored' || values.kind === 'picture' || values.kind === 'sound';
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
