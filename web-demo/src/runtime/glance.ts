// An output at a glance: the greatest elements of a list of scores, or the pixels of a picture.
import type { Runtime, Tensor } from 'broadloom';
import { typeRow } from '../facts.js';
import { formatElement } from '../values/format.js';
import { planeOf } from '../values/plane.js';
import { numberReader } from './patterns.js';

/** The greatest elements of a list. */
export interface Top {
  readonly what: 'top';
  readonly rows: readonly { readonly index: number; readonly value: number; readonly text: string }[];
  /** Whether all are from 0 to 1 and their sum is about 1. */
  readonly areProbabilities: boolean;
}

/** A picture as red, green, blue and opacity. */
export interface Pixels {
  readonly what: 'picture';
  readonly width: number;
  readonly height: number;
  readonly points: Uint8ClampedArray<ArrayBuffer>;
  /** The numbers that are black and white. */
  readonly black: number;
  readonly white: number;
}

const mostTop = 5;
/** The most points of a picture along an axis; of larger ones, rows and columns are left out. */
const mostPoints = 1024;

export function topOf(ops: Runtime, tensor: Tensor): Top {
  const read = numberReader(ops, tensor);
  const row = typeRow(tensor.type);
  let sum = 0;
  let areParts = true;
  const best: { index: number; value: number }[] = [];
  for (let index = 0; index < tensor.size; index++) {
    const value = read(index);
    sum += value;
    areParts &&= value >= 0 && value <= 1;
    if (Number.isNaN(value) || value <= (best[mostTop - 1]?.value ?? Number.NEGATIVE_INFINITY)) continue;
    const place = best.findIndex((other) => other.value < value);
    best.splice(place < 0 ? best.length : place, 0, { index, value });
    best.length = Math.min(best.length, mostTop);
  }
  return {
    what: 'top',
    rows: best.map((one) => ({ ...one, text: formatElement(one.value, row) })),
    areProbabilities: areParts && Math.abs(sum - 1) < 0.02,
  };
}

/** The numbers for black and white: 0 and 1, -1 and 1, 0 and 255, or the least and the greatest number if none of these fit. */
function rangeOf(least: number, greatest: number, isInteger: boolean): readonly [number, number] {
  const slack = 0.02;
  if (isInteger && least >= 0 && greatest <= 255) return [0, 255];
  if (least >= -slack && greatest <= 1 + slack) return [0, 1];
  if (least >= -1 - slack && greatest <= 1 + slack) return [-1, 1];
  return least >= -1 && greatest <= 256 ? [0, 255] : [least, greatest];
}

/** The first picture of a tensor; undefined if the dims do not fit a picture. */
export function pixelsOf(ops: Runtime, tensor: Tensor): Pixels | undefined {
  const plane = planeOf('NCHW', tensor.dims) ?? planeOf('NHWC', tensor.dims);
  if (plane === undefined) return undefined;
  const { channels, height, width } = plane;
  const isFirst = planeOf('NCHW', tensor.dims) !== undefined;
  const [step, next] = isFirst ? [1, height * width] : [channels, 1];
  const read = numberReader(ops, tensor);
  const stride = Math.ceil(Math.max(height, width) / mostPoints);
  const [rows, columns] = [Math.ceil(height / stride), Math.ceil(width / stride)];
  const values = new Float64Array(rows * columns * channels);
  let [least, greatest] = [Infinity, -Infinity];
  for (let y = 0, to = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      const from = (y * stride * width + x * stride) * step;
      for (let channel = 0; channel < channels; channel++) {
        const value = read(from + channel * next);
        if (value < least) least = value;
        if (value > greatest) greatest = value;
        values[to++] = value;
      }
    }
  }
  const [black, white] = rangeOf(least, greatest, typeRow(tensor.type).kind.endsWith('integer'));
  const scale = white === black ? 0 : 255 / (white - black);
  const points = new Uint8ClampedArray(rows * columns * 4).fill(255);
  for (let i = 0; i < rows * columns; i++) {
    for (let channel = 0; channel < Math.max(3, channels); channel++) {
      const value = values[i * channels + (channels === 1 ? 0 : channel)] as number;
      points[4 * i + channel] = (value - black) * scale;
    }
  }
  return { what: 'picture', width: columns, height: rows, points, black, white };
}
