import type { Runtime } from 'broadloom';

/** A tensor as data/examples/documented.json writes it, with `fill` written out. */
export interface ExampleTensor {
  type: 'float32' | 'int32' | 'int64';
  dims: number[];
  data: number[];
}

export interface Example {
  name: string;
  operator: string;
  inputs: ExampleTensor[];
  attributes: { [name: string]: number | ExampleTensor };
  output: ExampleTensor;
}

export function documentedExamples(): Example[];

export const controlFlow: readonly string[];

export function operatorExamples(): import('../../web-demo/src/facts.js').Example[];

export interface OfficialCase {
  name: string;
  file: string;
  missing: string[];
}

export function officialCases(ops: Pick<Runtime, 'operators'>): OfficialCase[];
export function missingCounts(cases: readonly OfficialCase[]): [need: string, cases: number][];
export function dataSets(name: string): { inputs: Uint8Array[]; outputs: Uint8Array[] }[];
