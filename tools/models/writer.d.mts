type Bytes = Uint8Array;

/** An .onnx file with one graph: its nodes, initializers, inputs and outputs. */
export function model(name: string, graph: readonly Bytes[], domains?: readonly string[]): Bytes;
export function node(
  operator: string,
  name: string,
  inputs: readonly string[],
  outputs: readonly string[],
  attributes?: readonly Bytes[],
  domain?: string,
): Bytes;
export function graphAttribute(name: string, graph: readonly Bytes[]): Bytes;
export function integerAttribute(name: string, value: number): Bytes;
export function initializer(name: string, dims: readonly number[], values: readonly number[]): Bytes;
export function input(name: string, type: string, dims: readonly (number | string)[]): Bytes;
export function output(name: string, type: string, dims: readonly (number | string)[]): Bytes;
export function functionOf(
  domain: string,
  name: string,
  parts: {
    inputs: readonly string[];
    outputs: readonly string[];
    attributes?: readonly string[];
    nodes: readonly [operator: string, node: string, from: readonly string[], to: readonly string[]][];
    opset: number;
  },
): Bytes;
