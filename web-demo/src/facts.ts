// What is known before the wasm module arrives: the package's own rows and the documented examples, written into the
// site when it is built (vite.config.ts).

import facts from 'virtual:facts';
import type { DataType, Operator, OperatorVersion } from 'broadloom';

export interface ExampleTensor {
  readonly type: DataType;
  readonly dims: readonly number[];
  readonly data: readonly number[];
}

/** One of the examples of ONNX's documentation. */
export interface Example {
  readonly operator: string;
  readonly name: string;
  readonly inputs: readonly ExampleTensor[];
  readonly attributes: { readonly [name: string]: number | ExampleTensor };
  readonly output: ExampleTensor;
  /** The output as the package prints it. */
  readonly expected: string;
}

/** A row of the table of element types. */
export interface TypeRow {
  readonly name: DataType;
  readonly id: number;
  readonly bits: number;
  readonly kind: string;
  readonly array: string;
}

export const operators: readonly Operator[] = facts.operators;
export const typeRows: readonly TypeRow[] = facts.dataTypes;
export const examples: readonly Example[] = facts.examples;
/** The newest opset that any operator has a version of. */
export const newestOpset = Math.max(...operators.flatMap(({ versions }) => versions.map((row) => row.sinceVersion)));

export function operatorOf(name: string): Operator | undefined {
  return operators.find((operator) => operator.name === name);
}

/** The version that an opset chooses; undefined before the operator's first. */
export function versionOf(operator: Operator, opset: number): OperatorVersion | undefined {
  return operator.versions.findLast(({ sinceVersion }) => sinceVersion <= opset);
}

export function typeRow(type: DataType): TypeRow {
  return typeRows.find(({ name }) => name === type) as TypeRow;
}

/** The types that a parameter takes: those of its constraint, or the one that it names. */
export function typesOf(version: OperatorVersion, type: string): readonly DataType[] {
  return version.typeConstraints[type] ?? typeRows.filter(({ name }) => name === type).map(({ name }) => name);
}
