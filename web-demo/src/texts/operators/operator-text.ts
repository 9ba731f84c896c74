/** The groups of the list of operators, in its order. */
export const groups = [
  'make',
  'shape',
  'move',
  'convert',
  'arithmetic',
  'math',
  'logic',
  'bits',
  'reduce',
  'order',
  'product',
  'activation',
  'normalise',
  'quantise',
] as const;
export type Group = (typeof groups)[number];

/** What is told about an operator. Names are those of the rows; those of all versions are covered. */
export interface OperatorText {
  /** One sentence: what it does, for somebody who has never met it. */
  readonly summary: string;
  /** Short paragraphs: the rules that matter, and what is refused. */
  readonly details: readonly string[];
  readonly inputs: { readonly [name: string]: string };
  readonly outputs: { readonly [name: string]: string };
  readonly attributes: { readonly [name: string]: string };
  /** What a version changed, where the differences between the rows do not tell it. */
  readonly versions?: { readonly [sinceVersion: string]: string };
  /** What examples show, by their names; those of ONNX's tests go by their names alone. */
  readonly examples?: { readonly [name: string]: string };
}

/** What the site knows about an operator, besides its rows. */
export interface OperatorWords {
  readonly group: Group;
  /** Names under which people look for it: those of other libraries, and plain words. */
  readonly aliases: readonly string[];
  readonly en: OperatorText;
  readonly zh: OperatorText;
}
