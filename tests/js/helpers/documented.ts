// The examples in ONNX's documentation (docs/Operators.md and Shape's doc strings), as data.
import { documentedExamples, type ExampleTensor } from '../../../tools/models/examples.mjs';
import type { Data } from './types.js';

export interface Literal {
  type: 'float32' | 'int32' | 'int64';
  dims: number[];
  data: Data;
}

export interface Documented {
  title: string;
  operator: string;
  inputs: Literal[];
  attributes: { [name: string]: number | Literal };
  output: Literal;
}

/** The tensor with a typed array in ONNX's layout. */
function literal({ type, dims, data }: ExampleTensor): Literal {
  if (type === 'int64') return { type, dims, data: BigInt64Array.from(data, BigInt) };
  return { type, dims, data: type === 'int32' ? Int32Array.from(data) : Float32Array.from(data) };
}

export const documented: Documented[] = documentedExamples().map(({ name, operator, inputs, attributes, output }) => ({
  title: name,
  operator,
  inputs: inputs.map(literal),
  attributes: Object.fromEntries(
    Object.entries(attributes).map(([key, value]) => [key, typeof value === 'number' ? value : literal(value)]),
  ),
  output: literal(output),
}));
