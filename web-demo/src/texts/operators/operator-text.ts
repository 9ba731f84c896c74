/** What is told about an operator. Names are those of the rows; those of all versions are covered. */
export interface OperatorText {
  /** One sentence: what it does, for somebody who has never met it. */
  readonly summary: string;
  /** Short paragraphs: the rules that matter, and what is refused. */
  readonly details: readonly string[];
  readonly inputs: { readonly [name: string]: string };
  readonly outputs: { readonly [name: string]: string };
  readonly attributes: { readonly [name: string]: string };
  /** What is new in a version. */
  readonly versions: { readonly [sinceVersion: string]: string };
}
