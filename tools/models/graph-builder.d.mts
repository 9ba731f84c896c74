export class GraphBuilder {
  constructor(opset: number);
  inner(): GraphBuilder;
  name(hint: string): string;
  op(operator: string, inputs: readonly string[], attributes?: object, outputs?: 1, domain?: string): string;
  op(
    operator: string,
    inputs: readonly string[],
    attributes: object,
    outputs: number | string[],
    domain?: string,
  ): string[];
  constant(type: string, dims: readonly number[], data: readonly number[]): string;
  int(value: number): string;
  ints(values: readonly number[]): string;
  number(value: number): string;
  weight(hint: string, dims: readonly number[], data: readonly number[], type?: string): string;
  input(name: string, type: string, dims: readonly (number | string)[]): string;
  output(name: string, type: string, dims: readonly (number | string)[] | undefined): string;
  add(field: Uint8Array): void;
  model(
    name: string,
    options?: { domains?: readonly string[]; opset?: number; ir?: number; functions?: readonly Uint8Array[] },
  ): Uint8Array<ArrayBuffer>;
}
