// Writes ONNX files field by field, including invalid ones. Field numbers come from onnx/onnx.proto.
import type { DataType } from 'broadloom';
import { bytesOf, type Data, typeRow } from './types.js';

export type Bytes = Uint8Array;

export function concat(...parts: Bytes[]): Bytes {
  return new Uint8Array(Buffer.concat(parts));
}

export function varint(value: number | bigint): Bytes {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest >= 128n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Uint8Array.of(...bytes, Number(rest));
}

/** A varint field. */
export function integer(field: number, value: number | bigint): Bytes {
  return concat(varint(field * 8), varint(value));
}

/** A length-delimited field: bytes, a message, or a string. */
export function bytes(field: number, value: Bytes | string): Bytes {
  const content = typeof value === 'string' ? new TextEncoder().encode(value) : value;
  return concat(varint(field * 8 + 2), varint(content.length), content);
}

export function float(field: number, value: number): Bytes {
  return concat(varint(field * 8 + 5), bytesOf(Float32Array.of(value)));
}

export function double(field: number, value: number): Bytes {
  return concat(varint(field * 8 + 1), bytesOf(Float64Array.of(value)));
}

export function integers(field: number, values: readonly (number | bigint)[], packed = true): Bytes {
  if (!packed) return concat(...values.map((value) => integer(field, value)));
  return bytes(field, concat(...values.map(varint)));
}

export function floats(field: number, values: readonly number[], packed = true): Bytes {
  if (!packed) return concat(...values.map((value) => float(field, value)));
  return bytes(field, bytesOf(Float32Array.from(values)));
}

export function doubles(field: number, values: readonly number[], packed = true): Bytes {
  if (!packed) return concat(...values.map((value) => double(field, value)));
  return bytes(field, bytesOf(Float64Array.from(values)));
}

export const strings = (field: number, values: readonly (string | Bytes)[]): Bytes =>
  concat(...values.map((value) => bytes(field, value)));

/** Fields of TensorProto. */
export const tensorField = {
  dims: 1,
  data_type: 2,
  segment: 3,
  float_data: 4,
  int32_data: 5,
  string_data: 6,
  int64_data: 7,
  name: 8,
  raw_data: 9,
  double_data: 10,
  uint64_data: 11,
  external_data: 13,
  data_location: 14,
} as const;

/** The start of a TensorProto: dims and data_type, and its name if it has one. */
export function tensorHead(type: DataType | number, dims: readonly (number | bigint)[], name?: string): Bytes {
  const id = typeof type === 'number' ? type : typeRow(type).id;
  return concat(
    integers(tensorField.dims, dims, false),
    integer(tensorField.data_type, id),
    name === undefined ? concat() : bytes(tensorField.name, name),
  );
}

/** A TensorProto with raw data, or string_data. */
export function tensor(type: DataType, dims: readonly number[], data: Data | readonly number[], name?: string): Bytes {
  const head = tensorHead(type, dims, name);
  if (type === 'string') return concat(head, strings(tensorField.string_data, data as string[]));
  const array = typeRow(type).array as unknown as { from(values: readonly unknown[]): ArrayBufferView };
  const big = type === 'int64' || type === 'uint64';
  const view = ArrayBuffer.isView(data) ? data : array.from(big ? (data as number[]).map(BigInt) : (data as number[]));
  return concat(head, bytes(tensorField.raw_data, bytesOf(view)));
}

/** A TensorProto with its elements in the typed field. */
export function typedTensor(type: DataType, dims: readonly number[], data: Data, packed = true): Bytes {
  const { field } = typeRow(type);
  const number = tensorField[field];
  const head = tensorHead(type, dims);
  if (field === 'string_data') return concat(head, strings(number, data as string[]));
  if (field === 'float_data') return concat(head, floats(number, Array.from(data as Float32Array), packed));
  if (field === 'double_data') return concat(head, doubles(number, Array.from(data as Float64Array), packed));
  return concat(head, integers(number, Array.from(data as Int32Array), packed));
}

export function sparseTensor(values: Bytes, indices: Bytes | undefined, dims: readonly number[]): Bytes {
  return concat(bytes(1, values), indices === undefined ? concat() : bytes(2, indices), integers(3, dims));
}

const attributeHead = (name: string, type: number): Bytes => concat(bytes(1, name), integer(20, type));

/** AttributeProto, one function per type. */
export const attribute = {
  float: (name: string, value: number): Bytes => concat(attributeHead(name, 1), float(2, value)),
  int: (name: string, value: number | bigint): Bytes => concat(attributeHead(name, 2), integer(3, value)),
  string: (name: string, value: string | Bytes): Bytes => concat(attributeHead(name, 3), bytes(4, value)),
  tensor: (name: string, value: Bytes): Bytes => concat(attributeHead(name, 4), bytes(5, value)),
  graph: (name: string, value: Bytes): Bytes => concat(attributeHead(name, 5), bytes(6, value)),
  floats: (name: string, values: readonly number[], packed = true): Bytes =>
    concat(attributeHead(name, 6), floats(7, values, packed)),
  ints: (name: string, values: readonly (number | bigint)[], packed = true): Bytes =>
    concat(attributeHead(name, 7), integers(8, values, packed)),
  strings: (name: string, values: readonly string[]): Bytes => concat(attributeHead(name, 8), strings(9, values)),
  sparse: (name: string, value: Bytes): Bytes => concat(attributeHead(name, 11), bytes(22, value)),
  /** The name and type, then the given fields. */
  raw: (name: string, type: number, ...fields: Bytes[]): Bytes => concat(attributeHead(name, type), ...fields),
};

export interface NodeSpec {
  op: string;
  inputs?: readonly string[];
  outputs?: readonly string[];
  attributes?: readonly Bytes[];
  name?: string;
  domain?: string;
}

export function node({ op, inputs = [], outputs = [], attributes = [], name, domain }: NodeSpec): Bytes {
  return concat(
    strings(1, inputs),
    strings(2, outputs),
    ...(name === undefined ? [] : [bytes(3, name)]),
    bytes(4, op),
    ...attributes.map((value) => bytes(5, value)),
    ...(domain === undefined ? [] : [bytes(7, domain)]),
  );
}

/** ValueInfoProto. Without dims, the rank is not declared. A size is a number, a name or unknown (null). */
export function value(
  name: string,
  type: DataType | number,
  dims?: readonly (number | bigint | string | null)[],
): Bytes {
  const size = (dim: number | bigint | string | null): Bytes =>
    dim === null ? concat() : typeof dim === 'string' ? bytes(2, dim) : integer(1, dim);
  const shape = dims === undefined ? concat() : bytes(2, concat(...dims.map((dim) => bytes(1, size(dim)))));
  const id = typeof type === 'number' ? type : typeRow(type).id;
  return concat(bytes(1, name), bytes(2, bytes(1, concat(integer(1, id), shape))));
}

export interface ModelSpec {
  nodes?: readonly NodeSpec[];
  inputs?: readonly Bytes[];
  outputs?: readonly Bytes[];
  initializers?: readonly Bytes[];
  sparseInitializers?: readonly Bytes[];
  values?: readonly Bytes[];
  ir?: number;
  /** The opset of the default domain, or a list of all imports. */
  opset?: number | readonly (readonly [domain: string, version: number])[];
}

export function graph({
  nodes = [],
  inputs = [],
  outputs = [],
  initializers = [],
  sparseInitializers = [],
  values = [],
}: ModelSpec): Bytes {
  return concat(
    ...nodes.map((spec) => bytes(1, node(spec))),
    bytes(2, 'graph'),
    ...initializers.map((message) => bytes(5, message)),
    ...inputs.map((message) => bytes(11, message)),
    ...outputs.map((message) => bytes(12, message)),
    ...values.map((message) => bytes(13, message)),
    ...sparseInitializers.map((message) => bytes(15, message)),
  );
}

export function opsetImport(domain: string, version: number | bigint): Bytes {
  return bytes(8, concat(domain === '' ? concat() : bytes(1, domain), integer(2, version)));
}

export function model(spec: ModelSpec): Bytes {
  const { ir = 8, opset = 25 } = spec;
  const imports = typeof opset === 'number' ? [['', opset] as const] : opset;
  return concat(
    integer(1, ir),
    ...imports.map(([domain, version]) => opsetImport(domain, version)),
    bytes(7, graph(spec)),
  );
}
