// NumPy's .npy files to elements in ONNX's layout, and back.
import type { DataType } from 'broadloom';
import { NpyError } from './npy-error.js';
import { descrOf, itemOf, type NpyItem, readHeader, writeHeader } from './npy-header.js';
import { readStrings, writeStrings } from './npy-strings.js';

export { isNpy } from './npy-header.js';

/** A tensor as a file has it: elements in ONNX's layout; strings as the JSON of their list. */
export interface FileTensor {
  readonly type: DataType;
  readonly dims: readonly number[];
  readonly bytes: Uint8Array;
}

/**
 * Reads a file that `np.save` wrote, in any byte order and memory order. Refuses dtypes that ONNX does not have. Time and
 * memory are in proportion to the file, whatever its header claims. The elements are a view of `bytes` where they can be.
 *
 * @throws NpyError
 */
export function readNpy(bytes: Uint8Array): FileTensor {
  const { descr, fortranOrder, dims, start } = readHeader(bytes);
  const item = itemOf(descr);
  const count = dims.reduce((product, dim) => product * dim, 1);
  const length = count * item.bytes;
  // Strings of no characters take no bytes: then the count itself must not exceed the file.
  const isCut = !(start + length <= bytes.length) || !(count <= bytes.length);
  if (!dims.every(Number.isSafeInteger) || isCut)
    throw new NpyError(
      'npyCut',
      bytes.length - start,
      `[${dims.join(', ').slice(0, 200)}]`,
      descr.slice(0, 40),
      length,
    );
  let elements: Uint8Array = bytes.subarray(start, start + length);
  const isAligned = elements.byteOffset % 16 === 0;
  if (item.swapped > 1 || !isAligned) elements = new Uint8Array(elements); // a Buffer's slice copies nothing
  if (item.swapped > 1) swap(elements, item.swapped);
  if (fortranOrder && dims.length > 1) elements = rowMajor(elements, dims, item);
  if (item.text !== undefined) elements = readStrings(elements, count, item.bytes, item.text);
  return { type: item.type, dims, bytes: elements };
}

/** Reverses every group of bytes, in place. */
function swap(bytes: Uint8Array, group: number): void {
  for (let start = 0; start < bytes.length; start += group) {
    for (let low = start, high = start + group - 1; low < high; low++, high--) {
      const byte = bytes[low] as number;
      bytes[low] = bytes[high] as number;
      bytes[high] = byte;
    }
  }
}

/** Elements whose first axis changes fastest, so that the last one does. */
function rowMajor(source: Uint8Array, dims: readonly number[], { bytes: size }: NpyItem): Uint8Array {
  const sizes = dims.filter((dim) => dim !== 1); // a header has room for 500,000 axes of one element
  const strides: number[] = [];
  let stride = size;
  for (const dim of sizes) {
    strides.push(stride);
    stride *= dim;
  }
  const result = new Uint8Array(source.length);
  const index = sizes.map(() => 0);
  let from = 0;
  for (let to = 0; to < result.length; to += size) {
    for (let byte = 0; byte < size; byte++) result[to + byte] = source[from + byte] as number;
    for (let axis = sizes.length - 1; axis >= 0; axis--) {
      from += strides[axis] as number;
      index[axis] = (index[axis] as number) + 1;
      if ((index[axis] as number) < (sizes[axis] as number)) break;
      from -= (strides[axis] as number) * (sizes[axis] as number);
      index[axis] = 0;
    }
  }
  return result;
}

/** Elements of four or two bits, one byte each; signed integers have their sign. */
function unpack(type: DataType, bytes: Uint8Array, count: number): Uint8Array {
  const bits = type.endsWith('2') ? 2 : 4;
  const unused = 32 - bits;
  const signed = type.startsWith('int');
  const result = new Uint8Array(count);
  for (let i = 0; i < count; i++) {
    const value = (bytes[Math.floor((i * bits) / 8)] as number) >> ((i * bits) % 8);
    result[i] = signed ? (value << unused) >> unused : value & (2 ** bits - 1);
  }
  return result;
}

/**
 * Writes a file that `np.load` reads.
 *
 * Types that NumPy lacks are written as `np.save` writes the arrays of ml_dtypes: bfloat16 as '<V2', float8 and float4
 * (one byte an element) as '<V1'. Loaded arrays become theirs by `np.load(file).view(ml_dtypes.bfloat16)`. Integers of
 * four and two bits are written as int8 and uint8: `np.load(file).astype(ml_dtypes.int4)`.
 *
 * @param bytes - in ONNX's layout; of strings the JSON of their list
 */
export function writeNpy(type: DataType, dims: readonly number[], bytes: Uint8Array): Uint8Array {
  return joined(...npyParts(type, dims, bytes));
}

/** The parts of the file that `writeNpy` writes: its header, and its elements, which are `bytes` itself if they need no change. */
export function npyParts(type: DataType, dims: readonly number[], bytes: Uint8Array): [Uint8Array, Uint8Array] {
  const count = dims.reduce((product, dim) => product * dim, 1);
  if (type === 'string') {
    const { descr, elements } = writeStrings(bytes);
    return [writeHeader(descr, dims), elements];
  }
  const isPacked = /^(?:u?int[24]|float4e2m1)$/.test(type);
  return [writeHeader(descrOf(type), dims), isPacked ? unpack(type, bytes, count) : bytes];
}

function joined(header: Uint8Array, elements: Uint8Array): Uint8Array {
  const file = new Uint8Array(header.length + elements.length);
  file.set(header);
  file.set(elements, header.length);
  return file;
}
