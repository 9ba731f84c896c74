// Looks into tensors for the page: what a layout is, elements as text and bits, pictures of large tensors.
import type { Runtime, Tensor } from 'broadloom';
import { type TypeRow, typeRow } from '../facts.js';
import { formatElement } from '../values/format.js';
import type { Elements, Summary, TensorReport } from './protocol.js';

/** Tensors of up to as many elements come whole. */
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

/** What the page needs of a tensor. Strides are read before `data`, which makes the layout dense. */
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

/** Some elements as values, whatever their type. */
function valuesOf(ops: Runtime, tensor: Tensor, start: number, count: number): Value[] {
  const { kind, bits } = typeRow(tensor.type);
  const data = tensor.data as unknown as Float32Array;
  if (kind === 'complex') {
    return Array.from(
      { length: count },
      (_, i) => [data[2 * (start + i)], data[2 * (start + i) + 1]] as [number, number],
    );
  }
  if (kind !== 'mini_float' && bits >= 8) return Array.from(data.slice(start, start + count) as ArrayLike<Value>);
  // A tensor of these elements alone, which the package reads; packed elements from the start of their byte on.
  const perByte = Math.max(1, 8 / bits);
  const skipped = start % perByte;
  const part = data.slice((start - skipped) / perByte, Math.ceil((start + count) / perByte));
  return ops.scope(() =>
    ops
      .tensor(tensor.type, [skipped + count], part as never)
      .unpack()
      .slice(skipped),
  );
}

/** The bits of some elements, for types of up to 32 bits. */
function bitsOf(tensor: Tensor, start: number, count: number): number[] | undefined {
  const { kind, bits } = typeRow(tensor.type);
  if (kind === 'string' || kind === 'complex' || bits > 32) return undefined;
  const { buffer, byteOffset, byteLength } = tensor.data as Uint8Array;
  const bytes = new Uint8Array(buffer, byteOffset, byteLength);
  return Array.from({ length: count }, (_, i) => {
    const position = start + i;
    if (bits < 8) {
      const perByte = 8 / bits;
      return ((bytes[Math.floor(position / perByte)] as number) >> ((position % perByte) * bits)) & (2 ** bits - 1);
    }
    let value = 0;
    for (let byte = bits / 8 - 1; byte >= 0; byte--)
      value = value * 256 + (bytes[(position * bits) / 8 + byte] as number);
    return value;
  });
}

export function elementsOf(ops: Runtime, tensor: Tensor, start: number, count: number): Elements {
  const least = Math.min(start, tensor.size);
  const most = Math.min(count, tensor.size - least);
  const row = typeRow(tensor.type);
  return {
    start: least,
    text: valuesOf(ops, tensor, least, most).map((value) => formatElement(value, row)),
    bits: bitsOf(tensor, least, most),
  };
}

const bins = 64;
const largestPlane = 256;

/** Reads every element once, in parts: statistics, a histogram, and the plane of the last two axes at `outer`. */
export function summarize(ops: Runtime, tensor: Tensor, outer: readonly number[]): Summary | undefined {
  const { kind } = typeRow(tensor.type);
  if (kind === 'string' || kind === 'complex') return undefined;
  const part = 65536;
  const each = (use: (value: number) => void): void => {
    for (let start = 0; start < tensor.size; start += part) {
      for (const value of valuesOf(ops, tensor, start, Math.min(part, tensor.size - start))) use(Number(value));
    }
  };
  let least = Infinity;
  let greatest = -Infinity;
  let sum = 0;
  let notFinite = 0;
  each((value) => {
    if (!Number.isFinite(value)) notFinite++;
    else {
      least = Math.min(least, value);
      greatest = Math.max(greatest, value);
      sum += value;
    }
  });
  const histogram = new Array<number>(bins).fill(0);
  const width = (greatest - least) / bins || 1;
  each((value) => {
    if (Number.isFinite(value)) {
      const bin = Math.min(bins - 1, Math.floor((value - least) / width));
      histogram[bin] = (histogram[bin] as number) + 1;
    }
  });
  return {
    least,
    greatest,
    mean: sum / (tensor.size - notFinite),
    notFinite,
    histogram,
    plane: planeOf(ops, tensor, outer),
  };
}

function planeOf(ops: Runtime, tensor: Tensor, outer: readonly number[]): Summary['plane'] {
  const { dims } = tensor;
  const columns = dims.at(-1) ?? 1;
  const rows = dims.at(-2) ?? 1;
  const start = dims.slice(0, -2).reduce((place, dim, i) => place * dim + (outer[i] ?? 0), 0) * rows * columns;
  const shownRows = Math.min(rows, largestPlane);
  const shownColumns = Math.min(columns, largestPlane);
  const values = new Float32Array(shownRows * shownColumns);
  for (let r = 0; r < shownRows; r++) {
    const row = start + Math.floor((r * rows) / shownRows) * columns;
    const line = columns <= largestPlane ? valuesOf(ops, tensor, row, columns) : undefined;
    for (let c = 0; c < shownColumns; c++) {
      const column = Math.floor((c * columns) / shownColumns);
      values[r * shownColumns + c] = Number(line ? line[c] : valuesOf(ops, tensor, row + column, 1)[0]);
    }
  }
  return { rows: shownRows, columns: shownColumns, values };
}
