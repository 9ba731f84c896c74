// Compares a tensor with the one that is wanted, as ONNX's own runner of tests does.
import { dataTypes, type Tensor } from 'broadloom';

export interface Tolerance {
  readonly rtol: number;
  readonly atol: number;
}

type Values = ArrayLike<number | bigint | string>;

function valuesOf(tensor: Tensor): Values {
  const { kind, bits } = dataTypes.find(({ name }) => name === tensor.type) as (typeof dataTypes)[number];
  return bits < 8 || kind === 'mini_float' ? tensor.unpack() : (tensor.data as Values);
}

const isClose = (got: number, wanted: number, { rtol, atol }: Tolerance): boolean =>
  got === wanted ||
  (Number.isFinite(wanted) && Math.abs(got - wanted) <= atol + rtol * Math.abs(wanted)) ||
  (Number.isNaN(got) && Number.isNaN(wanted));

/** Whether element `i` is as wanted; integers, booleans and strings must be equal. */
function isSame(got: Values, wanted: Values, i: number, kind: string, tolerance: Tolerance): boolean {
  if (kind === 'complex') {
    const [re, im, wantedRe, wantedIm] = [got[2 * i], got[2 * i + 1], wanted[2 * i], wanted[2 * i + 1]] as number[];
    const part = (a = 0, b = 0) => a === b || (Number.isNaN(a) && Number.isNaN(b));
    if (part(re, wantedRe) && part(im, wantedIm)) return true;
    if (![wantedRe, wantedIm].every(Number.isFinite)) return false;
    const distance = Math.hypot(Number(re) - Number(wantedRe), Number(im) - Number(wantedIm));
    return distance <= tolerance.atol + tolerance.rtol * Math.hypot(Number(wantedRe), Number(wantedIm));
  }
  if (kind.endsWith('float')) return isClose(got[i] as number, wanted[i] as number, tolerance);
  return got[i] === wanted[i];
}

function shown(values: Values, i: number, kind: string): string {
  if (kind === 'complex') return `${values[2 * i]}${Number(values[2 * i + 1]) < 0 ? '' : '+'}${values[2 * i + 1]}j`;
  const value = values[i];
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 80)) : String(value);
}

/** `[1, 0, 2]`, of the element that has number `i` in row-major order. */
function indexOf(i: number, dims: readonly number[]): string {
  let rest = i;
  const index = dims.toReversed().map((dim) => {
    const place = rest % dim;
    rest = (rest - place) / dim;
    return place;
  });
  return `[${index.toReversed().join(', ')}]`;
}

/** What the first difference is, or undefined where there is none. */
export function differenceOf(got: Tensor, wanted: Tensor, tolerance: Tolerance): string | undefined {
  const told = ({ type, dims }: Tensor) => `${type} [${dims.join(', ')}]`;
  if (told(got) !== told(wanted)) return `is ${told(got)}, wanted ${told(wanted)}`;
  const { size } = wanted;
  if (size === 0) return undefined;
  const { kind } = dataTypes.find(({ name }) => name === wanted.type) as (typeof dataTypes)[number];
  void [got.data, wanted.data]; // what is lazy is written out: that may grow the memory, and end views
  const values = valuesOf(got);
  const others = valuesOf(wanted);
  let first = -1;
  let count = 0;
  for (let i = 0; i < size; i++) {
    if (isSame(values, others, i, kind, tolerance)) continue;
    if (count++ === 0) first = i;
  }
  if (count === 0) return undefined;
  const place = wanted.dims.length === 0 ? '' : ` at ${indexOf(first, wanted.dims)}`;
  return `is ${shown(values, first, kind)}${place}, wanted ${shown(others, first, kind)} (${count} of ${size} elements differ)`;
}
