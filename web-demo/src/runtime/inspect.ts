// Looks into tensors for the page: what a layout is, elements as text and bits.
import type { Runtime, Tensor } from 'broadloom';
import { type TypeRow, typeRow } from '../facts.js';
import { formatElement } from '../values/format.js';
import { numberReader, patternReader } from './patterns.js';
import type { Elements, TensorReport } from './protocol.js';

/** The most elements of a tensor that is sent whole. */
const few = 4096;
/** Larger results stay lazy: writing them out would take the page's memory. */
const largestWritten = 2 ** 28;

export function bytesOf({ bits, kind }: TypeRow, size: number): number {
  return kind === 'string' ? size * 8 : Math.ceil((size * bits) / 8);
}

/** Whether a result is small enough to be written out. */
export function isWritten({ type, size }: Tensor): boolean {
  return bytesOf(typeRow(type), size) <= largestWritten;
}

/** The facts about a tensor that the page needs. Strides are read before `data`, which makes the layout dense. */
export function reportTensor(ops: Runtime, tensor: Tensor, key: string, name: string): TensorReport {
  const { type, dims, size, strides } = tensor;
  const row = typeRow(type);
  const bytesWritten = bytesOf(row, size);
  const distinct = dims.reduce((product, dim, i) => (strides[i] === 0 && dim > 0 ? product : product * dim), 1);
  const written = isWritten(tensor);
  return {
    ...{ key, name, type, size },
    dims: [...dims],
    strides: [...strides],
    bytesRead: bytesOf(row, distinct),
    bytesWritten,
    written,
    elements: written && size <= few ? elementsOf(ops, tensor, 0, size) : undefined,
  };
}

type Value = number | bigint | string | boolean | readonly [number, number];

/** Reads the value of the element at a position, whatever its type. */
function valueReader(ops: Runtime, tensor: Tensor): (position: number) => Value {
  const { kind, bits } = typeRow(tensor.type);
  const data = tensor.data as unknown as ArrayLike<Value>;
  if (kind === 'complex') {
    return (position) => [data[2 * position] as number, data[2 * position + 1] as number];
  }
  return kind === 'mini_float' || bits < 8 ? numberReader(ops, tensor) : (position) => data[position] as Value;
}

/** Up to `count` elements from `start` on. */
export function elementsOf(ops: Runtime, tensor: Tensor, start: number, count: number): Elements {
  const least = Math.min(start, tensor.size);
  const most = Math.min(count, tensor.size - least);
  const row = typeRow(tensor.type);
  const hasBits = row.kind !== 'string' && row.kind !== 'complex' && row.bits <= 32;
  const each = <R>(read: (position: number) => R): R[] => Array.from({ length: most }, (_, i) => read(least + i));
  const valueAt = valueReader(ops, tensor);
  return {
    start: least,
    text: each((position) => formatElement(valueAt(position), row)),
    bits: hasBits ? each(patternReader(tensor)) : undefined,
  };
}
