// The forms of what data/ tells about operators. The build writes it into the site (site-facts.ts).

import type { FirstCall, Lines, Preset } from '../facts.js';

/** The words of a preset. */
export interface PresetText {
  /** The name of its button. */
  readonly name: string;
  /** A sentence or a question: what to see in it. */
  readonly see: string;
}

/** The words of an operator in one language. Names are the names in the rows; all versions are covered. */
export interface OperatorText {
  /** One sentence: what it does, for somebody who has never met it. */
  readonly summary: string;
  /** Short paragraphs: the rules that matter, and what is refused. */
  readonly details: readonly string[];
  readonly presets?: readonly PresetText[];
  readonly inputs: { readonly [name: string]: string };
  readonly outputs: { readonly [name: string]: string };
  readonly attributes: { readonly [name: string]: string };
  /** The changes of a version that the differences between the rows do not tell. */
  readonly versions?: { readonly [sinceVersion: string]: string };
  /** The point of each example, by name; ONNX's tests go by their names alone. */
  readonly examples?: { readonly [name: string]: string };
}

/** A file of data/operators. */
export interface OperatorWords {
  /** Its group. */
  readonly group: string;
  /** Names under which people look for it: names in other libraries, and plain words. */
  readonly aliases: readonly string[];
  /** A call by which it is understood, where its first example is not: inputs and attributes as examples have them. */
  readonly call?: Pick<FirstCall, 'inputs' | 'attributes'>;
  /** The first call in one line of each. */
  readonly lines: Lines;
  /** Calls that teach something each. */
  readonly presets?: readonly Preset[];
  /** Operators that a reader looks at next. */
  readonly see?: readonly string[];
  readonly en: OperatorText;
  readonly zh: OperatorText;
}

/** A file of data/foreign: an operator of ONNX that does not run by itself. */
export interface ForeignWords {
  /** Its group. */
  readonly group: string;
  readonly aliases: readonly string[];
  readonly en: ForeignText;
  readonly zh: ForeignText;
}

export type ForeignText = Pick<OperatorText, 'summary'>;
