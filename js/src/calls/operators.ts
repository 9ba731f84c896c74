import type { DataType } from '../tensor/types.js';
import type { Memory } from './memory.js';

/** One attribute of an operator's version. */
export interface AttributeRow {
  /** Name of the attribute: `start`. */
  readonly name: string;
  /** AttributeProto.AttributeType: INT, FLOATS, TENSOR ... */
  readonly type: string;
  /** Whether a call must give it. */
  readonly required: boolean;
  /** The value when a call leaves it out; absent when there is no such number or text. */
  readonly default?: number | string;
  /** The texts that it can be. */
  readonly choices?: readonly string[];
  /** Whether it is an element type: its number in TensorProto.DataType. Calls may give its name: `'float32'`. */
  readonly isDataType?: true;
}

/** One input or output of an operator's version. */
export interface ParameterRow {
  /** The name that ONNX's schema gives it: `input`. */
  readonly name: string;
  /** The name of a type constraint (`T`), or of one element type. */
  readonly type: string;
  /** Whether it must be given, may be left out, or stands for any number of them. */
  readonly option: 'Single' | 'Optional' | 'Variadic';
}

/** One version of an operator, in the terms of [ONNX's schemas](https://github.com/onnx/onnx/blob/main/docs/Operators.md). */
export interface OperatorVersion {
  /** The first opset that has this version. It holds until the next version's. */
  readonly sinceVersion: number;
  /** The attributes that it takes; all others are refused. */
  readonly attributes: readonly AttributeRow[];
  /** The inputs, in order. */
  readonly inputs: readonly ParameterRow[];
  /** The outputs, in order. */
  readonly outputs: readonly ParameterRow[];
  /** The element types that each type constraint allows. */
  readonly typeConstraints: { readonly [name: string]: readonly DataType[] };
}

/** An operator with all its versions, as {@link Runtime.operators} lists them. */
export interface Operator {
  /** ONNX's name of the operator: `Expand`. */
  readonly name: string;
  /** All versions, in ascending order. */
  readonly versions: readonly OperatorVersion[];
}

/** Reads the rows of all operators from the core. @internal */
export function readOperators(memory: Memory): Operator[] {
  const operators: Operator[] = [];
  for (;;) {
    memory.check(memory.glue.describeOperator(operators.length));
    const operator = memory.takeJson<Operator | null>();
    if (operator === null) return operators;
    operators.push(operator);
  }
}
