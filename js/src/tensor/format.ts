import { floatPrecision } from '../../../shared/float-precision.js';
import { type Elements, holdsBits } from './nested.js';
import type { Dtype } from './types.js';

// The rules of NumPy's default print options.
const precision = 8;
const threshold = 1000;
const edgeItems = 3;
const lineWidth = 75;
// NumPy has no such limits: 24 axes of size 2 are 16 million elements.
const mostShown = 8000;
const longestString = 200;
const longestText = 200_000;

/**
 * The elements as NumPy's `str` shows an array. Of more than 1000 elements, only the edges of each axis are shown. If these are
 * still too many, only the beginning of the outermost axes is shown.
 */
export function formatElements(tensor: Elements, dtype: Dtype): string {
  const { dims, size } = tensor;
  if (size === 0) return dims.length < 2 ? '[]' : `[] (dims [${dims.join(', ')}])`;
  const short = size > threshold;
  const shown = dims.map((dim) =>
    short && dim > 2 * edgeItems ? [0, 1, 2, -1, dim - 3, dim - 2, dim - 1] : Array.from({ length: dim }, (_, i) => i),
  );
  let count = shown.reduce((product, indices) => product * indices.filter((index) => index >= 0).length, 1);
  for (let axis = 0; count > mostShown; axis++) {
    const indices = shown[axis] as number[];
    count /= indices.filter((index) => index >= 0).length;
    if (indices.length > 1) shown[axis] = [0, -1];
  }
  const values = readable(tensor, dtype);
  const positions: number[] = [];
  collect(shown, dims, 0, 0, (position) => positions.push(position));
  const words = formatValues(positions.map(values), dtype, dims.length === 0);
  let next = 0;
  const write = (axis: number, indent: string): string => {
    if (axis === dims.length) return words[next++] as string;
    const last = axis === dims.length - 1;
    const parts = (shown[axis] as number[]).map((index) => (index < 0 ? '...' : write(axis + 1, `${indent} `)));
    if (last) return `[${wrap(parts, `${indent} `)}]`;
    return `[${parts.join(`\n${'\n'.repeat(dims.length - axis - 2)}${indent} `)}]`;
  };
  const text = write(0, '');
  return text.length > longestText ? `${text.slice(0, longestText)}...` : text;
}

function collect(
  shown: number[][],
  dims: readonly number[],
  axis: number,
  base: number,
  use: (position: number) => void,
): void {
  if (axis === dims.length) {
    use(base);
    return;
  }
  for (const index of shown[axis] as number[]) {
    if (index >= 0) collect(shown, dims, axis + 1, base * (dims[axis] as number) + index, use);
  }
}

function wrap(words: string[], indent: string): string {
  let line = '';
  let text = '';
  for (const word of words) {
    if (line !== '' && indent.length + line.length + 1 + word.length > lineWidth) {
      text += `${line}\n${indent}`;
      line = word;
    } else {
      line += line === '' ? word : ` ${word}`;
    }
  }
  return text + line;
}

type Value = number | bigint | string | readonly [real: number, imaginary: number];

/** Reads one element as a value; packed and reduced-precision types as numbers. */
function readable(tensor: Elements, dtype: Dtype): (position: number) => Value {
  if (dtype.kind === 'complex') {
    const parts = tensor.data as Float32Array;
    return (position) => [parts[2 * position] as number, parts[2 * position + 1] as number];
  }
  const values: ArrayLike<Value> = holdsBits(dtype) ? tensor.unpack() : tensor.data;
  return (position) => values[position] as Value;
}

function formatValues(values: Value[], dtype: Dtype, scalar: boolean): string[] {
  if (dtype.kind === 'complex') {
    const reals = formatFloats(
      values.map((value) => (value as [number, number])[0]),
      dtype,
    );
    const imaginaries = formatFloats(
      values.map((value) => (value as [number, number])[1]),
      dtype,
    );
    return reals.map((real, i) => {
      const imaginary = (imaginaries[i] as string).trim();
      return `${real}${/^[-]/.test(imaginary) ? '' : '+'}${imaginary}j`;
    });
  }
  if (dtype.kind === 'real_float' || dtype.kind === 'mini_float') return formatFloats(values as number[], dtype);
  if (dtype.kind === 'string') return values.map((value) => quoted(value as string));
  if (dtype.kind === 'boolean') return values.map((value) => (value ? 'True' : 'False').padStart(scalar ? 0 : 5));
  return alignRight(values.map(String));
}

/** A string as Python's `repr` shows it, which has no control characters: a file can hold any. Of long ones the beginning. */
function quoted(text: string): string {
  const shown = text.length > longestString ? text.slice(0, longestString) : text;
  const escaped = shown.replace(/[\\']|(?! )[\p{C}\p{Z}]/gu, (character) => {
    if (character === '\\' || character === "'") return `\\${character}`;
    const code = character.codePointAt(0) as number;
    const short = ({ 9: 't', 10: 'n', 13: 'r' } as { [code: number]: string })[code];
    if (short !== undefined) return `\\${short}`;
    const digits = (letter: string, count: number) => `\\${letter}${code.toString(16).padStart(count, '0')}`;
    return code < 256 ? digits('x', 2) : code < 65536 ? digits('u', 4) : digits('U', 8);
  });
  return text === shown ? `'${escaped}'` : `'${escaped}'...`;
}

/** The largest of any number of values: spreading them as arguments has a limit. */
function largestOf(values: number[], least: number): number {
  return values.reduce((largest, value) => Math.max(largest, value), least);
}

function alignRight(words: string[]): string[] {
  const width = largestOf(
    words.map((word) => word.length),
    0,
  );
  return words.map((word) => word.padStart(width));
}

function formatFloats(values: number[], dtype: Dtype): string[] {
  const finite = values.filter(Number.isFinite);
  const sizes = finite.map(Math.abs).filter((size) => size !== 0);
  const largest = largestOf(sizes, 0);
  const smallest = -largestOf(
    sizes.map((size) => -size),
    -Infinity,
  );
  const scientific = sizes.length > 0 && (largest >= 1e8 || smallest < 1e-4 || largest / smallest > 1000);
  const digits = finite.map((value) => shortest(Math.abs(value), dtype));
  const decimals = Math.min(
    precision,
    largestOf(
      digits.map((text) => decimalsOf(text, scientific)),
      0,
    ),
  );
  // Exponents have two digits, or three everywhere when one needs them.
  const width = largest >= 1e100 || smallest < 1e-99 ? 3 : 2;
  const words = values.map((value) => {
    const sign = value < 0 || Object.is(value, -0) ? '-' : '';
    if (Number.isNaN(value)) return 'nan';
    if (!Number.isFinite(value)) return `${sign}inf`;
    const text = shortest(Math.abs(value), dtype);
    return sign + (scientific ? exponential(text, decimals, width) : positional(text, decimals));
  });
  return alignRight(words);
}

/** Decimals of the shortest digits, in the notation that will be used. */
function decimalsOf(text: string, scientific: boolean): number {
  const [mantissa, exponent] = Number(text).toExponential().split('e') as [string, string];
  const decimals = Math.max(0, mantissa.length - 2);
  return scientific ? decimals : Math.max(0, decimals - Number(exponent));
}

/** A number with a point. Blanks replace the zeros after its digits, as NumPy aligns columns. */
function positional(text: string, decimals: number): string {
  const fixed = Number(text).toFixed(decimals);
  const [whole, fraction = ''] = fixed.split('.') as [string, string?];
  return `${whole}.${fraction.replace(/0+$/, '').padEnd(decimals)}`;
}

function exponential(text: string, decimals: number, width: number): string {
  const [mantissa, exponent] = Number(text).toExponential(decimals).split('e') as [string, string];
  const point = mantissa.includes('.') ? mantissa : `${mantissa}.`;
  return `${point}e${exponent.startsWith('-') ? '-' : '+'}${exponent.slice(1).padStart(width, '0')}`;
}

/** The fewest digits that no other value of the type is closer to. */
function shortest(size: number, dtype: Dtype): string {
  const format = floatPrecision[dtype.name];
  if (format === undefined || size === 0) return String(size);
  const step = 2 ** (Math.max(Math.floor(Math.log2(size)), format[1]) - format[0]);
  for (let digits = 1; digits < 17; digits++) {
    const text = size.toPrecision(digits);
    if (Math.abs(Number(text) - size) < step / 2) return text;
  }
  return String(size);
}
