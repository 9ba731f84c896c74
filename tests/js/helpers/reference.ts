// Naive implementations of the operators: elements are a list of words, and loops go index by index.
import type { TensorLike } from 'broadloom';
import { bytesOf, type Data, dataFrom, dataLength, type TypedArray, type TypeRow, typeRow } from './types.js';

/** A tensor whose elements are words: the bits of an element in hexadecimal, or the string itself. Words can be compared. */
export interface Words {
  type: string;
  dims: readonly number[];
  words: string[];
}

export function sizeOf(dims: readonly number[]): number {
  return dims.reduce((product, dim) => product * dim, 1);
}

export function wordsOf(tensor: { type: string; dims: readonly number[]; data: unknown }): Words {
  const { type, dims } = tensor;
  const row = typeRow(type);
  const count = sizeOf(dims);
  if (row.array === undefined) return { type, dims: [...dims], words: [...(tensor.data as string[])] };
  const data = tensor.data as TypedArray;
  if (data.length !== dataLength(row, count)) throw new Error(`${type} [${dims}] has data of length ${data.length}`);
  return { type, dims: [...dims], words: wordsIn(row, bytesOf(data), count) };
}

function wordsIn({ bits }: TypeRow, bytes: Uint8Array, count: number): string[] {
  if (bits >= 8) {
    const digits = Buffer.from(bytes).toString('hex');
    return Array.from({ length: count }, (_, i) => digits.slice((i * bits) / 4, ((i + 1) * bits) / 4));
  }
  return Array.from({ length: count }, (_, i) =>
    ((bytes[(i * bits) >> 3] >> ((i * bits) & 7)) & (2 ** bits - 1)).toString(16),
  );
}

/** The elements as `data` holds them; the padding of packed types is zero. */
export function dataOf({ type, words }: Words): Data {
  const row = typeRow(type);
  if (row.array === undefined) return [...words];
  if (row.bits >= 8) return dataFrom(row, Buffer.from(words.join(''), 'hex'));
  const bytes = new Uint8Array(dataLength(row, words.length));
  for (const [i, element] of words.entries())
    bytes[(i * row.bits) >> 3] |= Number.parseInt(element, 16) << ((i * row.bits) & 7);
  return bytes;
}

export function tensorLike(words: Words): TensorLike {
  return { type: words.type, dims: words.dims, data: dataOf(words) } as TensorLike;
}

/** The dims of a two-way broadcast, or undefined if the shapes do not broadcast. */
export function broadcastDims(a: readonly number[], b: readonly number[]): number[] | undefined {
  const rank = Math.max(a.length, b.length);
  const dims: number[] = [];
  for (let axis = 0; axis < rank; axis++) {
    const one = a[a.length - rank + axis] ?? 1;
    const other = b[b.length - rank + axis] ?? 1;
    if (one !== other && one !== 1 && other !== 1) return undefined;
    dims.push(one === 1 ? other : one);
  }
  return dims;
}

/** Expand. */
export function expand(x: Words, shape: readonly number[]): Words {
  const dims = broadcastDims(x.dims, shape);
  if (dims === undefined) throw new Error(`[${x.dims}] does not broadcast with [${shape}]`);
  const words: string[] = [];
  const visit = (index: number[]): void => {
    if (index.length < dims.length) {
      for (let i = 0; i < dims[index.length]; i++) visit([...index, i]);
      return;
    }
    const own = index.slice(dims.length - x.dims.length).map((i, axis) => (x.dims[axis] === 1 ? 0 : i));
    words.push(x.words[own.reduce((position, i, axis) => position * x.dims[axis] + i, 0)]);
  };
  visit([]);
  return { type: x.type, dims, words };
}

/** ConstantOfShape. */
export function fill(value: Words, dims: readonly number[]): Words {
  return { type: value.type, dims: [...dims], words: Array.from({ length: sizeOf(dims) }, () => value.words[0]) };
}

/** Shape, by the text of Shape-15. */
export function shape(dims: readonly number[], start = 0, end = dims.length): number[] {
  const rank = dims.length;
  const from = Math.min(Math.max(start < 0 ? start + rank : start, 0), rank);
  const to = Math.min(Math.max(end < 0 ? end + rank : end, 0), rank);
  return dims.filter((_, axis) => from <= axis && axis < to);
}
