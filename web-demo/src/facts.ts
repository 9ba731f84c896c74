// The facts that are there before the wasm module arrives: the package's own rows and the examples, written into the site when it is
// built (site-facts.ts). The facts of an operator are fetched when they are needed; the list of operators is there from the
// start.

import facts from 'virtual:facts';
import type { DataType, Operator, OperatorVersion } from 'broadloom';
import type { Language } from './texts/texts.js';

/** An element is a number, or a text if it is a string or has no number in JSON: NaN, infinities, large integers. */
export interface ExampleTensor {
  readonly type: DataType;
  readonly dims: readonly number[];
  readonly data: readonly (number | string)[];
}

export type ExampleAttribute = number | string | readonly number[] | readonly string[] | ExampleTensor;

/** An example of ONNX's documentation, or one of ONNX's tests of a single operator. */
export interface Example {
  readonly operator: string;
  readonly name: string;
  /** The opset, if the example needs an older version than the newest one. */
  readonly opset?: number;
  readonly inputs: readonly (ExampleTensor | null)[];
  readonly attributes: { readonly [name: string]: ExampleAttribute };
  readonly outputs: readonly ExampleTensor[];
}

/** A group of operators (data/groups.json), which has a colour in drawings. */
export interface OperatorGroup {
  readonly name: string;
  readonly en: string;
  readonly zh: string;
  /** The operators that its name means first. */
  readonly known?: readonly string[];
}

/** The facts about an operator that are there from the start. */
export interface IndexRow {
  readonly name: string;
  readonly group: string;
  /** since_version of each. */
  readonly versions: readonly number[];
}

/** An operator of ONNX that does not run by itself. */
export interface ForeignRow {
  readonly name: string;
  readonly group: string;
  /** Whether the operator runs in models, or only its types and shapes are known, or neither. */
  readonly has: 'models' | 'shapes' | 'nothing';
}

/** The names and words by which the search finds something, such as an operator, in all languages. */
export interface SearchRow {
  readonly name: string;
  readonly aliases: readonly string[];
  /** In English and in Chinese. */
  readonly summary: readonly [en: string, zh: string];
  readonly group: string;
  /** The place among the best known of the group; undefined for others. */
  readonly known?: number | undefined;
}

/** A guide of the documents. */
export interface GuideRow {
  /** The heading of its file. */
  readonly name: string;
  /** Its line in the list of guides. */
  readonly note: string;
  /** The headings of its parts. */
  readonly headings: readonly string[];
}

/** Where the curve of a function of one variable is shown first. */
export interface Curve {
  readonly from: number;
  readonly to: number;
}

/** A call by which an operator is understood. */
export type FirstCall = Pick<Example, 'operator' | 'name' | 'inputs' | 'attributes'>;

/**
 * A call in one line of each language. Variables are the inputs and the tensors in attributes; the operands of a variadic input are
 * a, b, c.
 */
export interface Lines {
  readonly javascript: string;
  readonly numpy?: string;
  readonly torch?: string;
}

/** A call that teaches something; its words are in the words of the operator, in the same order. */
export type Preset = (
  | { readonly first: true }
  /** A range of numbers, for an operator whose page draws a curve. */
  | (Curve & { readonly type?: DataType; readonly attributes?: FirstCall['attributes'] })
  | (Pick<FirstCall, 'inputs'> & { readonly attributes?: FirstCall['attributes']; readonly opset?: number })
) & {
  /** Whether the operator refuses it, on purpose. */
  readonly fails?: true;
};

/** The rest. */
export interface OperatorFacts {
  readonly operator: Operator;
  readonly examples: readonly Example[];
  /** One sentence of each language, which a page has before all other words. The worker needs none. */
  readonly summary?: { readonly [L in Language]: string };
  /** Absent where the first example serves. */
  readonly first?: FirstCall | undefined;
  readonly lines?: Lines;
  /** The curve of an operator that is a function of one variable. */
  readonly curve?: Curve | undefined;
  readonly presets?: readonly Preset[] | undefined;
  /** Its names in other libraries. */
  readonly aliases?: readonly string[];
  /** Operators that a reader looks at next. */
  readonly see?: readonly string[] | undefined;
}

/** A row of the table of element types. */
export interface TypeRow {
  readonly name: DataType;
  readonly id: number;
  readonly bits: number;
  readonly kind: string;
  readonly array: string;
}

export const operatorIndex: readonly IndexRow[] = facts.index;
export const foreignIndex: readonly ForeignRow[] = facts.foreign;
export const operatorGroups: readonly OperatorGroup[] = facts.groups;
export const typeRows: readonly TypeRow[] = facts.dataTypes;
/** The operator whose page comes first, and whose facts are there from the start. */
export const homeOperator = facts.home;
/** The newest opset that any operator has a version of. */
export const newestOpset = Math.max(...operatorIndex.flatMap(({ versions }) => versions));

const known = new Map<string, OperatorFacts>();
const coming = new Map<string, Promise<void>>();

/** Makes an operator known. */
export function addOperator(one: OperatorFacts): void {
  known.set(one.operator.name, one);
}

for (const one of facts.known) addOperator(one);

/** What `operatorIndex` says of an operator; undefined when there is none of this name. */
export function indexOf(name: string): IndexRow | undefined {
  return operatorIndex.find((row) => row.name === name);
}

/** What `foreignIndex` says of an operator; undefined when there is none of this name. */
export function foreignOf(name: string): ForeignRow | undefined {
  return foreignIndex.find((row) => row.name === name);
}

/** Reads one of the files of the operators: `Expand` has its facts, `en/Expand` its words. */
export async function readOperatorFile<T>(path: string): Promise<T> {
  const response = await fetch(new URL(`${facts.folder}/${path}.json`, document.baseURI));
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}: ${response.url}`);
  return (await response.json()) as T;
}

/** Makes operators known, so that `operatorOf` and `examplesOf` have them. Rejects when files do not come. */
export async function loadOperators(names: readonly string[]): Promise<void> {
  const load = (name: string): Promise<void> => {
    const reading = coming.get(name) ?? readOperatorFile<OperatorFacts>(name).then(addOperator);
    coming.set(name, reading);
    return reading.finally(() => coming.delete(name));
  };
  const missing = names.filter((name) => indexOf(name) && !known.has(name));
  await Promise.all(missing.map(load));
}

/** The rows of a known operator. */
export function operatorOf(name: string): Operator | undefined {
  return known.get(name)?.operator;
}

/** The examples of a known operator. */
export function examplesOf(name: string): readonly Example[] {
  return known.get(name)?.examples ?? [];
}

/** The summary, the calls, the lines, the curve and the neighbours of a known operator. */
export function playOf(name: string): Partial<Omit<OperatorFacts, 'operator' | 'examples'>> {
  return known.get(name) ?? {};
}

/** The version that an opset chooses; undefined before the operator's first. */
export function versionOf(operator: Operator, opset: number): OperatorVersion | undefined {
  return operator.versions.findLast(({ sinceVersion }) => sinceVersion <= opset);
}

/** The oldest opset that chooses the same version: more programs read files of it. */
export function oldestOpset({ operator, opset }: { readonly operator: string; readonly opset: number }): number {
  const known = operatorOf(operator);
  return (known && versionOf(known, opset))?.sinceVersion ?? opset;
}

export function typeRow(type: DataType): TypeRow {
  return typeRows.find(({ name }) => name === type) as TypeRow;
}

/** The types that a parameter takes: the types of its constraint, or the one type that it names. */
export function typesOf(version: OperatorVersion, type: string): readonly DataType[] {
  return version.typeConstraints[type] ?? typeRows.filter(({ name }) => name === type).map(({ name }) => name);
}
