import type { Memory } from './memory.js';
import { type DataType, dtypes } from './types.js';

/** One attribute of an operator's version. */
export interface AttributeRow {
  readonly name: string;
  /** AttributeProto.AttributeType: INT, FLOATS, TENSOR ... */
  readonly type: string;
  readonly required: boolean;
  readonly default?: number;
}

/** One input or output of an operator's version. */
export interface ParameterRow {
  readonly name: string;
  /** The name of a type constraint, or of one element type. */
  readonly type: string;
  readonly option: 'Single' | 'Optional' | 'Variadic';
}

/** One version of an operator, in the terms of ONNX's schemas. */
export interface OperatorVersion {
  readonly sinceVersion: number;
  readonly attributes: readonly AttributeRow[];
  readonly inputs: readonly ParameterRow[];
  readonly outputs: readonly ParameterRow[];
  readonly typeConstraints: { readonly [name: string]: readonly DataType[] };
}

export interface Operator {
  readonly name: string;
  /** In ascending order. */
  readonly versions: readonly OperatorVersion[];
}

const options = ['Single', 'Optional', 'Variadic'] as const;

/** Reads the rows of all operators from the core. */
export function readOperators(memory: Memory): Operator[] {
  const list = <R>(read: () => R): R[] => Array.from({ length: memory.take() }, read);
  const readAttribute = (): AttributeRow => {
    const row = { name: memory.takeString(), type: memory.takeString(), required: memory.take() === 1 };
    const hasDefault = memory.take() === 1;
    const value = memory.take();
    return hasDefault ? { ...row, default: value } : row;
  };
  const readParameter = (): ParameterRow => ({
    name: memory.takeString(),
    type: memory.takeString(),
    option: options[memory.take()] as ParameterRow['option'],
  });
  const readConstraint = (): [string, DataType[]] => {
    const name = memory.takeString();
    const bits = memory.take();
    return [name, dtypes.filter(({ id }) => (bits & (1 << id)) !== 0).map((row) => row.name)];
  };
  const readVersion = (): OperatorVersion => ({
    sinceVersion: memory.take(),
    attributes: list(readAttribute),
    inputs: list(readParameter),
    outputs: list(readParameter),
    typeConstraints: Object.fromEntries(list(readConstraint).filter(([name]) => name !== '')),
  });
  const operators: Operator[] = [];
  let count = 1;
  while (operators.length < count) {
    memory.check(memory.glue.describeOperator(operators.length));
    count = memory.take();
    operators.push({ name: memory.takeString(), versions: list(readVersion) });
  }
  return operators;
}
