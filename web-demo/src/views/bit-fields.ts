// Which bits of an element mean what, for every type whose elements have up to 32 bits. The widths of floating-point
// fields are in the names of the types, as ONNX writes them (float8e4m3fn: 4 bits of exponent, 3 of mantissa); only the
// types that are older than that notation are listed.
import type { TypeRow } from '../facts.js';

export interface BitField {
  readonly name: 'sign' | 'exponent' | 'mantissa' | 'complement' | 'unsigned' | 'boolean';
  readonly width: number;
}

/** A field with what it holds. */
export interface FilledField extends BitField {
  /** From the highest bit on. */
  readonly digits: string;
  readonly value: number;
}

/** Some bits of a byte that packed elements share. */
export interface PackedPart {
  /** The element's position; undefined for padding. */
  readonly position: number | undefined;
  readonly highestBit: number;
  readonly lowestBit: number;
  readonly digits: string;
}

const unnamed: { readonly [type: string]: readonly [exponent: number, mantissa: number] } = {
  float16: [5, 10],
  bfloat16: [8, 7],
  float32: [8, 23],
};

const integerNames: { readonly [kind: string]: BitField['name'] } = {
  signed_integer: 'complement',
  unsigned_integer: 'unsigned',
  boolean: 'boolean',
};

/** The fields of a type from its highest bit on; none for types of more than 32 bits and those that have no numbers. */
export function bitFields({ name, kind, bits }: TypeRow): BitField[] {
  if (bits > 32) return [];
  const whole = integerNames[kind];
  if (whole !== undefined) return [{ name: whole, width: bits }];
  const widths = /e(\d+)m(\d+)/.exec(name)?.slice(1).map(Number) ?? unnamed[name];
  if (widths === undefined) return [];
  const [exponent, mantissa] = widths as [number, number];
  const fields: BitField[] = [
    { name: 'sign', width: bits - exponent - mantissa },
    { name: 'exponent', width: exponent },
    { name: 'mantissa', width: mantissa },
  ];
  return fields.filter(({ width }) => width > 0);
}

function digitsOf(pattern: number, width: number): string {
  return pattern.toString(2).padStart(width, '0').slice(-width);
}

export function fillFields(row: TypeRow, pattern: number): FilledField[] {
  const digits = digitsOf(pattern, row.bits);
  let start = 0;
  return bitFields(row).map((field) => {
    const own = digits.slice(start, start + field.width);
    start += field.width;
    return { ...field, digits: own, value: Number.parseInt(own, 2) };
  });
}

/**
 * The byte that holds the element at `position` of a packed type, from its highest bit on. The low bits hold the first
 * element; what is left over in the last byte is padding.
 */
export function packedByte(bits: number, position: number, size: number, patternOf: (position: number) => number) {
  const perByte = 8 / bits;
  const byte = Math.floor(position / perByte);
  const parts = Array.from({ length: perByte }, (_, i): PackedPart => {
    const place = perByte - 1 - i;
    const element = byte * perByte + place;
    const isPadding = element >= size;
    return {
      position: isPadding ? undefined : element,
      highestBit: (place + 1) * bits - 1,
      lowestBit: place * bits,
      digits: digitsOf(isPadding ? 0 : patternOf(element), bits),
    };
  });
  return { byte, parts };
}
