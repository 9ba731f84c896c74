// Random numbers that a seed fixes. The programs of src/take make the same, in JavaScript and with NumPy: the i-th depends
// on the seed and i alone.
import type { TypeRow } from '../facts.js';

/** How 32 random bits become an element: floor(bits * scale) * unit + offset. */
export interface RandomRule {
  readonly scale: number;
  readonly unit: number;
  readonly offset: number;
}

/** The number of random bits of a floating-point element: the bits that all values below 1 have, so that none is rounded to 1. */
const floatBits: { readonly [type: string]: number } = {
  float32: 24,
  complex64: 24,
  float64: 32,
  complex128: 32,
  float16: 11,
  bfloat16: 8,
  float8e4m3fn: 4,
  float8e4m3fnuz: 4,
  float8e5m2: 3,
  float8e5m2fnuz: 3,
  float4e2m1: 1,
};

/**
 * Floating-point elements are uniform in [0, 1). float8e8m0 has only powers of two: its elements are 1 or 2. Integers are from -9
 * or 0 to 9, as far as the type holds them; strings are codes of letters.
 */
export function randomRule({ name, kind, bits }: TypeRow): RandomRule {
  const precision = floatBits[name];
  if (precision !== undefined) return { scale: 2 ** (precision - 32), unit: 2 ** -precision, offset: 0 };
  const integers = (least: number, greatest: number): RandomRule => ({
    scale: (greatest - least + 1) * 2 ** -32,
    unit: 1,
    offset: least,
  });
  if (kind === 'string') return integers('a'.charCodeAt(0), 'z'.charCodeAt(0));
  if (kind === 'boolean') return integers(0, 1);
  if (kind === 'mini_float') return integers(1, 2);
  if (kind === 'signed_integer') return integers(Math.max(-9, -(2 ** (bits - 1))), Math.min(9, 2 ** (bits - 1) - 1));
  return integers(0, Math.min(9, 2 ** bits - 1));
}

/** Fills `part` with the numbers from the `start`-th on (Mulberry32). */
export function fillRandom(part: Float64Array, start: number, seed: number, { scale, unit, offset }: RandomRule): void {
  let state = (seed + Math.imul(start, 0x6d2b79f5)) | 0;
  for (let i = 0; i < part.length; i++) {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    part[i] = Math.floor(((mixed ^ (mixed >>> 14)) >>> 0) * scale) * unit + offset;
  }
}
