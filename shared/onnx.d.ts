export type Bytes = Uint8Array<ArrayBuffer>;
type Type = string | number;
type Integer = number | bigint;
type Fields = readonly Uint8Array[];

export const numbers: {
  readonly [message in
    | 'model'
    | 'opset'
    | 'graph'
    | 'node'
    | 'attribute'
    | 'tensor'
    | 'sparseTensor'
    | 'entry'
    | 'value'
    | 'type'
    | 'tensorType'
    | 'shape'
    | 'dim'
    | 'function']: { readonly [field: string]: number };
};
export function typeId(type: Type): number;
export function concat(...parts: Fields): Bytes;
export function varint(value: Integer): Bytes;
export function integer(field: number, value: Integer): Bytes;
export function bytes(field: number, value: Uint8Array | string | Fields): Bytes;
export function float(field: number, value: number): Bytes;
export function double(field: number, value: number): Bytes;
export function strings(field: number, values: readonly (string | Uint8Array)[]): Bytes;
export function integers(field: number, values: readonly Integer[], packed?: boolean): Bytes;
export function floats(field: number, values: readonly number[], packed?: boolean): Bytes;
export function doubles(field: number, values: readonly number[], packed?: boolean): Bytes;
export function tensorHead(type: Type, dims: readonly Integer[], name?: string): Bytes;
export function tensor(type: string, dims: readonly number[], data: ArrayLike<unknown>, name?: string): Bytes;
export function sparseTensor(
  values: Uint8Array,
  indices: Uint8Array | undefined,
  dims: readonly number[],
  packed?: boolean,
): Bytes;
export function entry(key: string, value: string | number): Bytes[];
export const attribute: {
  float(name: string, value: number): Bytes;
  int(name: string, value: Integer): Bytes;
  string(name: string, value: string | Uint8Array): Bytes;
  tensor(name: string, value: Uint8Array): Bytes;
  graph(name: string, value: Uint8Array | Fields): Bytes;
  floats(name: string, values: readonly number[], packed?: boolean): Bytes;
  ints(name: string, values: readonly Integer[], packed?: boolean): Bytes;
  strings(name: string, values: readonly string[]): Bytes;
  sparse(name: string, value: Uint8Array): Bytes;
  raw(name: string, type: number, ...fields: Fields): Bytes;
};

export interface NodeSpec {
  op: string;
  inputs?: readonly string[];
  outputs?: readonly string[];
  attributes?: Fields;
  name?: string;
  domain?: string;
}
export interface ModelSpec {
  /** The name of the graph. */
  name?: string;
  producer?: string;
  nodes?: readonly NodeSpec[];
  inputs?: Fields;
  outputs?: Fields;
  initializers?: Fields;
  sparseInitializers?: Fields;
  values?: Fields;
  ir?: number;
  opset?: number | readonly (readonly [domain: string, version: number])[];
}
export function node(spec: NodeSpec): Bytes;
export function value(name: string, type?: Type, dims?: readonly (Integer | string | null)[]): Bytes;
export function opset(domain: string, version: Integer): Bytes[];
export function opsetImport(domain: string, version: Integer): Bytes;
export function graph(spec: ModelSpec): Bytes;
export function model(spec: ModelSpec): Bytes;

export function unpacked(message: Uint8Array): number[];
export function fieldsOf(
  message: Uint8Array,
): Generator<{ number: number; value: number | Uint8Array; whole: Uint8Array }>;
export function fields(message: Uint8Array): <T = Uint8Array>(field: number) => T[];
export function texts(list: readonly Uint8Array[]): string[];
export function readAttribute(message: Uint8Array): [name: string, value: unknown];
