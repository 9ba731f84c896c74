// The 26 element types for the tests, written by hand from onnx.proto and the design. Nothing here comes from
// the package.
import type { DataType } from 'broadloom';

export type TypedArray =
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | Float32Array
  | Float64Array
  | BigInt64Array
  | BigUint64Array;
export type Data = TypedArray | string[];

export interface TypeRow {
  name: DataType;
  /** TensorProto.DataType. */
  id: number;
  /** Bits of one element; 0 for strings. */
  bits: number;
  /** The class of `data`; undefined for strings. */
  array?: new (
    buffer: ArrayBuffer,
  ) => TypedArray;
  /** The TensorProto field for elements that are not in raw_data. */
  field: 'float_data' | 'int32_data' | 'string_data' | 'int64_data' | 'double_data' | 'uint64_data';
  /** Six elements in the form of `data`. */
  sample: Data;
}

const u8 = (...values: number[]) => Uint8Array.from(values);
const u16 = (...values: number[]) => Uint16Array.from(values);

/** In the order of TensorProto.DataType. Samples contain extremes, -0, infinities and NaN payloads if the type has them. */
export const types: readonly TypeRow[] = [
  {
    name: 'float32',
    id: 1,
    bits: 32,
    array: Float32Array,
    field: 'float_data',
    sample: Float32Array.of(1.5, -0, Infinity, 3.4028234663852886e38, 1e-45, -2),
  },
  { name: 'uint8', id: 2, bits: 8, array: Uint8Array, field: 'int32_data', sample: u8(0, 1, 127, 128, 254, 255) },
  {
    name: 'int8',
    id: 3,
    bits: 8,
    array: Int8Array,
    field: 'int32_data',
    sample: Int8Array.of(0, 1, -1, 127, -128, 64),
  },
  {
    name: 'uint16',
    id: 4,
    bits: 16,
    array: Uint16Array,
    field: 'int32_data',
    sample: u16(0, 1, 255, 256, 32768, 65535),
  },
  {
    name: 'int16',
    id: 5,
    bits: 16,
    array: Int16Array,
    field: 'int32_data',
    sample: Int16Array.of(0, 1, -1, 32767, -32768, 258),
  },
  {
    name: 'int32',
    id: 6,
    bits: 32,
    array: Int32Array,
    field: 'int32_data',
    sample: Int32Array.of(0, 1, -1, 2147483647, -2147483648, 65537),
  },
  {
    name: 'int64',
    id: 7,
    bits: 64,
    array: BigInt64Array,
    field: 'int64_data',
    sample: BigInt64Array.of(0n, 1n, -1n, 2n ** 63n - 1n, -(2n ** 63n), 2n ** 53n + 1n),
  },
  {
    name: 'string',
    id: 8,
    bits: 0,
    field: 'string_data',
    sample: ['', 'a', '\u{1f9f6} wool', '\ufeffmark', 'nul\0inside', 'weft '.repeat(20)],
  },
  { name: 'bool', id: 9, bits: 8, array: Uint8Array, field: 'int32_data', sample: u8(0, 1, 1, 0, 1, 0) },
  {
    name: 'float16',
    id: 10,
    bits: 16,
    array: Uint16Array,
    field: 'int32_data',
    sample: u16(0x3c00, 0x8000, 0x7c00, 0x7e01, 0x0001, 0xfbff),
  },
  {
    name: 'float64',
    id: 11,
    bits: 64,
    array: Float64Array,
    field: 'double_data',
    sample: Float64Array.of(0.1, -0, -Infinity, Number.MAX_VALUE, Number.MIN_VALUE, -2),
  },
  {
    name: 'uint32',
    id: 12,
    bits: 32,
    array: Uint32Array,
    field: 'uint64_data',
    sample: Uint32Array.of(0, 1, 255, 65536, 2147483648, 4294967295),
  },
  {
    name: 'uint64',
    id: 13,
    bits: 64,
    array: BigUint64Array,
    field: 'uint64_data',
    sample: BigUint64Array.of(0n, 1n, 255n, 2n ** 53n + 1n, 2n ** 63n, 2n ** 64n - 1n),
  },
  {
    name: 'complex64',
    id: 14,
    bits: 64,
    array: Float32Array,
    field: 'float_data',
    sample: Float32Array.of(1, 2, -0, 3, Infinity, -1, 4, 5, 0.5, -0.5, 6, -7),
  },
  {
    name: 'complex128',
    id: 15,
    bits: 128,
    array: Float64Array,
    field: 'double_data',
    sample: Float64Array.of(1, 2, -0, 3, Infinity, -1, 4, 5, 0.1, -0.1, 6, -7),
  },
  {
    name: 'bfloat16',
    id: 16,
    bits: 16,
    array: Uint16Array,
    field: 'int32_data',
    sample: u16(0x3f80, 0x8000, 0x7f80, 0x7fc1, 0x0001, 0xff7f),
  },
  {
    name: 'float8e4m3fn',
    id: 17,
    bits: 8,
    array: Uint8Array,
    field: 'int32_data',
    sample: u8(0x38, 0x80, 0x7e, 0x7f, 0x01, 0xff),
  },
  {
    name: 'float8e4m3fnuz',
    id: 18,
    bits: 8,
    array: Uint8Array,
    field: 'int32_data',
    sample: u8(0x40, 0x80, 0x7f, 0x00, 0x01, 0xff),
  },
  {
    name: 'float8e5m2',
    id: 19,
    bits: 8,
    array: Uint8Array,
    field: 'int32_data',
    sample: u8(0x3c, 0x80, 0x7c, 0x7d, 0x01, 0xfb),
  },
  {
    name: 'float8e5m2fnuz',
    id: 20,
    bits: 8,
    array: Uint8Array,
    field: 'int32_data',
    sample: u8(0x40, 0x80, 0x7f, 0x00, 0x01, 0xff),
  },
  { name: 'uint4', id: 21, bits: 4, array: Uint8Array, field: 'int32_data', sample: u8(0x10, 0x8f, 0x7e) },
  { name: 'int4', id: 22, bits: 4, array: Uint8Array, field: 'int32_data', sample: u8(0x10, 0x8f, 0x7e) },
  { name: 'float4e2m1', id: 23, bits: 4, array: Uint8Array, field: 'int32_data', sample: u8(0x21, 0xf8, 0x7e) },
  {
    name: 'float8e8m0',
    id: 24,
    bits: 8,
    array: Uint8Array,
    field: 'int32_data',
    sample: u8(0x7f, 0x00, 0xfe, 0xff, 0x01, 0x80),
  },
  // Six elements of two bits: the last four bits are padding.
  { name: 'uint2', id: 25, bits: 2, array: Uint8Array, field: 'int32_data', sample: u8(0b11_10_01_00, 0b01_10) },
  { name: 'int2', id: 26, bits: 2, array: Uint8Array, field: 'int32_data', sample: u8(0b11_10_01_00, 0b01_10) },
];

export const sampleDims: readonly number[] = [2, 3];

export function typeRow(name: string): TypeRow {
  const row = types.find((candidate) => candidate.name === name);
  if (row === undefined) throw new Error(`no type ${name}`);
  return row;
}

/** The name inside tensor(...) in ONNX's schemas. */
export function onnxName(name: DataType): string {
  return name === 'float32' ? 'float' : name === 'float64' ? 'double' : name;
}

export function bytesOf(array: ArrayBufferView): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

/** The length of the typed array for `count` elements. */
export function dataLength(row: TypeRow, count: number): number {
  if (row.name.startsWith('complex')) return 2 * count;
  return row.bits > 0 && row.bits < 8 ? Math.ceil((count * row.bits) / 8) : count;
}

/** A `data` array over the given bytes. */
export function dataFrom(row: TypeRow, bytes: Uint8Array): Data {
  if (row.array === undefined) throw new Error('strings are not bytes');
  return new row.array(Uint8Array.from(bytes).buffer);
}
