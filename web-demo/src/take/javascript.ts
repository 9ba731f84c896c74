// Values in JavaScript.
import { type RandomRule, randomRule } from '../values/random.js';
import { quoted } from '../values/visible.js';
import { listLines } from './lines.js';
import type { Source } from './source.js';

export function number(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

/** One value as `Runtime.tensor` takes it. */
export function literal(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'string') return quoted(value);
  return typeof value === 'number' ? number(value) : String(value);
}

/** An integer where a number will do. */
export function integer(value: bigint): string {
  return Number.isSafeInteger(Number(value)) ? String(value) : `${value}n`;
}

/** The generator that `elementList` calls for random elements. */
export function randomFunction(isTyped: boolean): string {
  const parameters = isTyped ? 'seed: number, count: number' : 'seed, count';
  return `/** The first numbers of a seed (Mulberry32), 32 bits each. */
function random(${parameters})${isTyped ? ': number[]' : ''} {
  return Array.from({ length: count }, (_, i) => {
    const state = (seed + Math.imul(i + 1, 0x6d2b79f5)) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  });
}
`;
}

/** `bits` as an element of the type. */
function randomElement({ scale, unit, offset }: RandomRule, kind: string): string {
  const shift = -Math.log2(scale);
  if (unit < 1) return shift === 0 ? 'bits / 2 ** 32' : `(bits >>> ${shift}) / 2 ** ${-Math.log2(unit)}`;
  const whole = `Math.floor((bits * ${scale * 2 ** 32}) / 2 ** 32)`;
  const sum = offset === 0 ? whole : offset < 0 ? `${whole} - ${-offset}` : `${offset} + ${whole}`;
  return kind === 'string' ? `String.fromCharCode(${sum})` : sum;
}

/** The i-th element of a range. */
function rangeElement(start: number, step: number): string {
  if (step === 1) return start === 0 ? 'i' : `${number(start)} + i`;
  return `${number(start)} + i * ${number(step)}`;
}

/** An expression for the elements as a list of values; undefined when they are stored in a file. */
export function elementList({ elements, row, size }: Source, indent = ''): string | undefined {
  const isComplex = row.kind === 'complex';
  switch (elements.kind) {
    case 'list':
      return listLines('[', elements.list.map(literal), ']', indent);
    case 'random':
      return `random(${elements.seed | 0}, ${isComplex ? 2 * size : size}).map((bits) => ${randomElement(randomRule(row), row.kind)})`;
    case 'range': {
      const { start, step } = elements;
      if (step === 0 && !isComplex) return `Array(${size}).fill(${number(start)})`;
      const parameters = step === 0 ? '()' : '(_, i)';
      const value = step === 0 ? number(start) : rangeElement(start, step);
      if (isComplex) return `Array.from({ length: ${size} }, ${parameters} => [${value}, 0]).flat()`;
      return `Array.from({ length: ${size} }, ${parameters} => ${value})`;
    }
    default:
      return undefined;
  }
}
