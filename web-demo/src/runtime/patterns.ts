// The bits of elements, and the values that all bit patterns of a narrow type mean. The meaning of a pattern is the package's
// to say: it is asked once for each type.
import type { Runtime, Tensor } from 'broadloom';
import { type TypeRow, typeRow } from '../facts.js';

const tables = new Map<string, ArrayLike<number>>();

function packed(bits: number): Uint8Array {
  const perByte = 8 / bits;
  const byte = (first: number): number =>
    Array.from({ length: perByte }, (_, i) => (first + i) << (i * bits)).reduce((all, part) => all | part);
  return Uint8Array.from({ length: 2 ** bits / perByte }, (_, i) => byte(i * perByte));
}

/** The value of every bit pattern of a type of at most 16 bits. */
export function valuesOfPatterns(ops: Runtime, { name, bits, kind }: TypeRow): ArrayLike<number> {
  let table = tables.get(name);
  if (table === undefined) {
    const count = 2 ** bits;
    const words = bits === 16 ? new Uint16Array(count) : new Uint8Array(count);
    // Numbers of one or two bytes are read as such; a bool holds no other patterns than 0 and 1.
    if (kind === 'signed_integer' && bits === 16) table = new Int16Array(words.map((_, i) => i).buffer as ArrayBuffer);
    else if (kind === 'signed_integer' && bits === 8)
      table = new Int8Array(words.map((_, i) => i).buffer as ArrayBuffer);
    else if (kind !== 'mini_float' && bits >= 8) table = words.map((_, i) => i);
    else {
      const patterns = bits < 8 ? packed(bits) : words.map((_, i) => i);
      table = Float64Array.from(ops.scope(() => ops.tensor(name, patterns as never, [count]).unpack()));
    }
    tables.set(name, table);
  }
  return table;
}

/** The elements' bits as unsigned words: one word an element, or several elements in a byte; for types of up to 32 bits. */
export function wordsOf(tensor: Tensor): Uint8Array | Uint16Array | Uint32Array {
  const { bits } = typeRow(tensor.type);
  const { buffer, byteOffset, byteLength } = tensor.data as Uint8Array;
  if (bits === 32) return new Uint32Array(buffer, byteOffset, byteLength / 4);
  if (bits === 16) return new Uint16Array(buffer, byteOffset, byteLength / 2);
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** Reads the bits of the element at a position. */
export function patternReader(tensor: Tensor): (position: number) => number {
  const { bits } = typeRow(tensor.type);
  const words = wordsOf(tensor);
  if (bits >= 8) return (position) => words[position] as number;
  const perByte = 8 / bits;
  const mask = 2 ** bits - 1;
  return (position) => ((words[Math.floor(position / perByte)] as number) >> ((position % perByte) * bits)) & mask;
}

/** Reads the value of the element at a position, as a number; for real types. */
export function numberReader(ops: Runtime, tensor: Tensor): (position: number) => number {
  const row = typeRow(tensor.type);
  if (row.bits <= 16) {
    const table = valuesOfPatterns(ops, row);
    const patternAt = patternReader(tensor);
    return (position) => table[patternAt(position)] as number;
  }
  const data = tensor.data as unknown as ArrayLike<number | bigint>;
  return (position) => Number(data[position]);
}
