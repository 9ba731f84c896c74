// The rows of ONNX's schemas (data/schemas.json), with types in Broadloom's names.
import { readFileSync } from 'node:fs';
import type { DataType } from 'broadloom';
import { operatorWords } from '../../../tools/operators/words.mjs';
import { onnxName, types } from './types.js';

interface Parameter {
  name: string;
  option: 'Single' | 'Optional' | 'Variadic';
  type: string;
}

export interface Row {
  operator: string;
  since: number;
  attributes: { name: string; type: string; required: boolean; default?: number; choices?: string[] }[];
  inputs: Parameter[];
  outputs: Parameter[];
  typeConstraints: { [name: string]: DataType[] };
  /** Type strings of sequences and optionals, which Broadloom does not support. */
  ignored: string[];
  /** Two opsets that select this row: its own, and the last one before the next row. */
  opsets: number[];
}

interface SchemaFile {
  rows: {
    operator: string;
    since_version: number;
    attributes: Row['attributes'];
    inputs: Parameter[];
    outputs: Parameter[];
    type_constraints: { [name: string]: string[] };
  }[];
}

const file = JSON.parse(readFileSync(new URL('../../../data/schemas.json', import.meta.url), 'utf8')) as SchemaFile;
// An opset after the newest known one, which selects the same versions.
const futureOpset = 28;

function typeOf(onnx: string): DataType | undefined {
  return types.find(({ name }) => onnxName(name) === onnx)?.name;
}

/** Translates the type of a parameter that has only one, to Broadloom's name. */
const named = (parameter: Parameter): Parameter => ({ ...parameter, type: typeOf(parameter.type) ?? parameter.type });

/** The first versions of ONNX's operators. */
export const firstVersions: ReadonlyMap<string, number> = new Map(
  [...file.rows].reverse().map(({ operator, since_version }) => [operator, since_version]),
);

/** The operators that run. */
export const operatorNames: string[] = Object.keys(operatorWords);

/** The rows of all operators that run. */
export const schemaRows: Row[] = file.rows
  .filter(({ operator }) => operatorNames.includes(operator))
  .map(({ operator, since_version: since, attributes, inputs, outputs, type_constraints }) => {
    const next = file.rows.find((row) => row.operator === operator && row.since_version > since);
    const last = next === undefined ? futureOpset : next.since_version - 1;
    const all = Object.values(type_constraints).flat();
    return {
      operator,
      since,
      attributes,
      inputs: inputs.map(named),
      outputs: outputs.map(named),
      typeConstraints: Object.fromEntries(
        Object.entries(type_constraints).map(([name, list]) => [
          name,
          list.map(typeOf).filter((type) => type !== undefined),
        ]),
      ),
      ignored: all.filter((type) => typeOf(type) === undefined),
      opsets: [...new Set([since, last])],
    };
  });

export function rowsOf(operator: string): Row[] {
  return schemaRows.filter((row) => row.operator === operator);
}

const moving = ['Constant', 'ConstantOfShape', 'Expand', 'Identity', 'Shape'];
/** The rows of operators that only move elements or sizes. Their results are exact for every type and attribute. */
export const rows: Row[] = schemaRows.filter(({ operator }) => moving.includes(operator));

/** The type constraint of the tested element type. For operators that create elements, it is the output's. */
export function testedConstraint(row: Row): string {
  const parameter = row.operator === 'Constant' || row.operator === 'ConstantOfShape' ? row.outputs[0] : row.inputs[0];
  return parameter.type;
}
