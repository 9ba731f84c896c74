// Elements as text that `parseValues` reads back to the same bits.
import { floatPrecision } from '../../../shared/float-precision.js';
import type { TypeRow } from '../facts.js';
import { quoted } from './visible.js';

/** One element: a pair for complex types, 0 or 1 for bool. */
export type Value = number | bigint | string | boolean | readonly [real: number, imaginary: number];

/** The exponent of the largest power of two that is not above a positive number. */
function exponentOf(size: number): number {
  const guess = Math.floor(Math.log2(size)); // one off beside powers of two
  return 2 ** guess > size ? guess - 1 : 2 ** (guess + 1) <= size ? guess + 1 : guess;
}

/** The value of the type that is nearest to a positive number, ties to even. */
function rounded(size: number, [mantissa, leastExponent]: readonly [number, number]): number {
  const step = 2 ** (Math.max(exponentOf(size), leastExponent) - mantissa);
  const whole = Math.floor(size / step);
  const rest = size / step - whole;
  return (rest > 0.5 || (rest === 0.5 && whole % 2 === 1) ? whole + 1 : whole) * step;
}

/** A number, rounded to its type, in the fewest digits that mean it there; `nan`, `inf` and `-0` as NumPy has them. */
function formatNumber(value: number, type: string): string {
  if (Number.isNaN(value)) return 'nan';
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  const whole = Math.abs(value);
  if (whole === Infinity) return `${sign}inf`;
  const precision = floatPrecision[type];
  if (precision === undefined || whole === 0) return sign + String(whole);
  const size = rounded(whole, precision);
  for (let digits = 1; digits < 17; digits++) {
    const candidate = Number(size.toPrecision(digits));
    if (candidate === size || (candidate > 0 && rounded(candidate, precision) === size))
      return sign + String(candidate);
  }
  return sign + String(size);
}

export function formatElement(value: Value, row: TypeRow): string {
  if (typeof value === 'object') {
    const [real, imaginary] = value.map((part) => formatNumber(part, row.name)) as [string, string];
    return `${real}${imaginary.startsWith('-') ? '' : '+'}${imaginary}j`;
  }
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'boolean' || row.kind === 'boolean') return value ? 'True' : 'False';
  return typeof value === 'bigint' ? String(value) : formatNumber(value, row.name);
}
