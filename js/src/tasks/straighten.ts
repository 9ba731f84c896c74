import { invalidArgument } from '../basics/error.js';
import { isList } from '../basics/lists.js';
import { checkedOptions } from '../basics/names.js';
import { show } from '../basics/show.js';
import { readFlag } from '../basics/words.js';
import type { Picture } from '../image/picture.js';
import type { Runtime } from '../runtime/runtime.js';
import type { TensorLike } from '../tensor/types.js';
import { call, cut, reshape } from './call.js';
import { dimsOf } from './inputs.js';
import type { Point } from './rectangles.js';
import { runTask } from './task.js';

/** Options of {@link straighten}. */
export interface StraightenOptions {
  /** Whether a part that is 1.5 times as high as it is wide is turned to the left, as PaddleOCR does it. Default: false. */
  readonly turnHigh?: boolean | undefined;
}

/**
 * Cuts a rectangle in any direction out of an image, and makes it upright, for text recognition after `textBoxes`. It is a linear
 * GridSample; beyond the image, the pixels of its edge are repeated.
 *
 * @param ops - the runtime
 * @param image - an image [1, C, H, W] with elements from 0 to 255: `ops.fromImage(photo, { type: 'uint8' })`
 * @param corners - four points in pixels of the image, clockwise from the point that becomes the upper left
 * @param options - whether high parts are turned
 * @returns a picture as `ops.toImageData` gives it, as large as the rectangle
 * @throws `OnnxError` `INVALID_ARGUMENT`, also for other dims, and for what is not four points in the image or near it;
 * `UNSUPPORTED_TYPE`, `OUT_OF_MEMORY`, `DISPOSED`
 *
 * @example
 * ```ts
 * const image = ops.tensor('uint8', [[[[10, 20, 30], [40, 50, 60]]]]);
 * // A quarter to the left: the upper right corner becomes the upper left one.
 * const { data, width, height } = straighten(ops, image, [[3, 0], [3, 2], [0, 2], [0, 0]]);
 * [width, height, data.filter((_, i) => i % 4 === 0).join()]; // [2, 3, '30,60,20,50,10,40']
 * ```
 */
export function straighten(
  ops: Runtime,
  image: TensorLike,
  corners: readonly (readonly [x: number, y: number])[],
  options?: StraightenOptions,
): Picture {
  return runTask('straighten', ops, () => {
    const { turnHigh } = checkedOptions('straighten: ', options, ['turnHigh']);
    const dims = dimsOf('straighten', 'pixels', image);
    const [size, channels = 0, rows = 0, columns = 0] = dims;
    if (dims.length !== 4 || size !== 1 || channels * rows * columns === 0)
      throw invalidArgument(`straighten: the pixels have dims [${dims}], wanted [1, channels, height, width]`);
    const points = turned(readCorners(corners, columns, rows), readFlag('straighten', 'turnHigh', turnHigh));
    const { width, height } = sizeOf(points);
    // Only the pixels around the rectangle become floats.
    const [left, right] = limitsOf(points, 0, columns);
    const [top, bottom] = limitsOf(points, 1, rows);
    const part = cut(ops, cut(ops, image, 2, top, bottom), 3, left, right);
    const pixels = call<'float32'>(ops, 'Cast', [part], { to: 'float32' });
    // In a grid, -1 and 1 are the edges.
    const [first, second, , fourth] = points;
    const vector = ([x, y]: Point) => pair([(2 * x) / (right - left), (2 * y) / (bottom - top)]);
    const way = (to: Point, from: Point) => vector([to[0] - from[0], to[1] - from[1]]);
    const middles = (count: number) => ops.range('float32', 0.5 / count, 1, 1 / count, { opset: 21 });
    const along = call(ops, 'Mul', [reshape(ops, middles(width), [1, width, 1]), way(second, first)]);
    const down = call(ops, 'Mul', [reshape(ops, middles(height), [height, 1, 1]), way(fourth, first)]);
    const start = call(ops, 'Sub', [way(first, [left, top]), 1]);
    const grid = call<'float32'>(ops, 'Add', [call(ops, 'Add', [along, down]), start]);
    const attributes = { mode: 'linear', padding_mode: 'border', align_corners: 0 };
    return ops.toImageData(call(ops, 'GridSample', [pixels, reshape(ops, grid, [1, height, width, 2])], attributes));
  });
}

type Corners = readonly [Point, Point, Point, Point];

const pair = (data: number[]): TensorLike<'float32'> => ({ type: 'float32', dims: [2], data });

function readCorners(given: unknown, width: number, height: number): Corners {
  const isNear = (value: unknown, size: number) => typeof value === 'number' && value >= -size && value <= 2 * size;
  const isPoint = (point: unknown) =>
    isList(point) && point.length === 2 && isNear(point[0], width) && isNear(point[1], height);
  // A copy has no holes, which `every` passes over.
  if (!Array.isArray(given) || given.length !== 4 || !Array.from(given).every(isPoint))
    throw invalidArgument(`straighten: the corners are ${show(given)}, wanted four points [x, y] in the image`);
  return given.map((point) => [point[0], point[1]]) as unknown as Corners;
}

function sizeOf([first, second, , fourth]: Corners) {
  const length = (a: Point, b: Point) => Math.max(1, Math.round(Math.hypot(a[0] - b[0], a[1] - b[1])));
  return { width: length(first, second), height: length(first, fourth) };
}

function turned(corners: Corners, turnHigh: boolean): Corners {
  const { width, height } = sizeOf(corners);
  const [first, second, third, fourth] = corners;
  return turnHigh && height >= 1.5 * width ? [second, third, fourth, first] : corners;
}

/** The pixels of an axis that a rectangle may need: at least one. */
function limitsOf(points: Corners, axis: 0 | 1, size: number): [from: number, to: number] {
  const places = points.map((point) => point[axis]);
  const from = Math.min(size - 1, Math.max(0, Math.floor(Math.min(...places)) - 1));
  const to = Math.min(size, Math.max(from + 1, Math.ceil(Math.max(...places)) + 1));
  return [from, to];
}
