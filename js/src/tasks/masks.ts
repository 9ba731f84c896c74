import { invalidArgument, OnnxError } from '../basics/error.js';
import { checkedOptions } from '../basics/names.js';
import { readFlag } from '../basics/words.js';
import type { ImagePlace } from '../image/images.js';
import type { Picture } from '../image/picture.js';
import type { Runtime } from '../runtime/runtime.js';
import type { Tensor } from '../tensor/tensor.js';
import type { TensorLike } from '../tensor/types.js';
import { activate } from './activation.js';
import { call, cut, reshape } from './call.js';
import { type Color, paint, readColor, readColors } from './colors.js';
import { dimsOf, readBatch, readFloats } from './inputs.js';
import { readNumber } from './options.js';
import { placeResizer, type Resizer } from './resizing.js';
import { runTask } from './task.js';

/** Options of {@link toMask}. */
export interface MaskOptions {
  /** Pixels of one object are those above this. Default: 0.5. */
  readonly threshold?: number | undefined;
  /** `sigmoid` makes probabilities of what the model gives. Default: `none`. */
  readonly activation?: 'none' | 'sigmoid' | undefined;
  /** Whether the alpha of one object is its probability, and no threshold decides. Default: false. */
  readonly soft?: boolean | undefined;
  /** The colour of one object. Default: `[255, 0, 0, 128]`. */
  readonly color?: Color | undefined;
  /** The colour of what is not the object. Default: transparent. */
  readonly background?: Color | undefined;
  /** The colours of classes, by their numbers. Default: the first is transparent, others are those of Pascal VOC. */
  readonly colors?: readonly Color[] | undefined;
  /** What `ops.fromImage` made of the image: the mask gets the image's size, without what was added around the image. */
  readonly prepared?: ImagePlace | undefined;
  /** The width of the picture, where nothing is `prepared`. Default: the mask's. */
  readonly width?: number | undefined;
  /** The height of the picture, where nothing is `prepared`. Default: the mask's. */
  readonly height?: number | undefined;
  /** The item of the batch, which a batch of several needs. Default: 0. */
  readonly batch?: number | undefined;
}

const names = [
  ...['threshold', 'activation', 'soft', 'color', 'background', 'colors', 'prepared', 'width', 'height', 'batch'],
];
const classTypes = ['int64', 'int32', 'int16', 'int8', 'uint8', 'uint16', 'bool'];
const transparent = [0, 0, 0, 0];

/**
 * Makes a picture of a model's mask, to be drawn over the image.
 *
 * - One channel is one object: its pixels are those above `threshold`.
 * - Several channels are the scores of classes: the best one has the pixel. They are resized before they are compared, as
 * transformers and torchvision's models do it.
 * - Integers are the numbers of classes. Bools are one object.
 *
 * Sizes change by Resize: linear for scores, and nearest for classes.
 *
 * @param ops - the runtime
 * @param mask - [N, C, H, W], [N, H, W] or [H, W]
 * @param options - colours, threshold and size
 * @returns a picture as `ops.toImageData` gives it
 * @throws `OnnxError` `INVALID_ARGUMENT`, also for other dims, for a class without a colour, and for a batch of several
 * without `batch`; `UNSUPPORTED_TYPE` for elements of another kind; `OUT_OF_MEMORY`, `DISPOSED`
 *
 * @example
 * ```ts
 * const mask = ops.tensor('float32', [[0.25, 0.75]]);
 * const { data, width, height } = toMask(ops, mask, { color: [0, 255, 0] });
 * [width, height, ...data]; // [2, 1, 0, 0, 0, 0, 0, 255, 0, 255]
 * ```
 */
export function toMask(ops: Runtime, mask: TensorLike, options?: MaskOptions): Picture {
  return runTask('toMask', ops, () => {
    const given = checkedOptions('toMask: ', options, names);
    const { planes, isClasses, batch } = readPlanes(ops, mask, given.batch);
    const [, height, width] = planes.dims as [number, number, number];
    const size = { width: readSize('width', given.width), height: readSize('height', given.height) };
    const resizer = placeResizer('toMask', given.prepared, batch, { width, height }, size);
    const object = readColor('toMask', 'color', given.color, [255, 0, 0, 128]);
    const background = readColor('toMask', 'background', given.background, transparent);
    const palette = readColors('toMask', given.colors, vocColors(), 1);
    if (isClasses) return paintClasses(ops, planes as Tensor<'int32'>, resizer, palette);
    if (mask.type === 'bool') {
      const numbers = resizer(ops, planes as Tensor<'int32'>, 'nearest');
      return paint(ops, reshape(ops, numbers, numbers.dims.slice(1)), [background, object]);
    }
    const scores = planes as Tensor<'float32'>;
    if ((scores.dims[0] as number) > 1) return paint(ops, bestClasses(ops, scores, resizer, palette.length), palette);
    const resized = resizer(ops, scores, 'linear');
    const plane = reshape(ops, resized, resized.dims.slice(1));
    const values = activate(ops, 'toMask', plane, 0, given.activation, ['none', 'sigmoid']);
    if (readFlag('toMask', 'soft', given.soft)) return paintSoft(ops, values, object);
    const threshold = readNumber('toMask', 'threshold', given.threshold, 0.5);
    const isObject = call<'bool'>(ops, 'Greater', [values, threshold]);
    return paint(ops, call<'int32'>(ops, 'Cast', [isObject], { to: 'int32' }), [background, object]);
  });
}

function readSize(name: string, value: unknown): number | undefined {
  return value === undefined ? undefined : readNumber('toMask', name, value, 1, { minimum: 1, isInteger: true });
}

/** The channels of an item as [channels, height, width]: float32, or int32 where they are classes. */
function readPlanes(ops: Runtime, mask: unknown, given: unknown) {
  const dims = dimsOf('toMask', 'pixels', mask);
  const { type } = mask as TensorLike;
  const isClasses = type !== 'bool' && classTypes.includes(type);
  if (!classTypes.includes(type) && !/float/.test(type))
    throw new OnnxError('UNSUPPORTED_TYPE', `toMask: the pixels are ${type}, wanted floats, integers or bools`);
  const [height = 0, width = 0] = dims.slice(-2);
  const channels = dims.length === 4 ? (dims[1] as number) : 1;
  if (dims.length < 2 || dims.length > 4 || channels * height * width === 0 || (isClasses && channels > 1))
    throw invalidArgument(
      `toMask: the pixels have dims [${dims}], wanted [batch, channels, height, width]${isClasses ? ' with one channel' : ''}`,
    );
  const size = dims.length === 2 ? 1 : (dims[0] as number);
  const batch = readBatch('toMask', 'pixels', given, size);
  const values = classTypes.includes(type)
    ? call<'int32'>(ops, 'Cast', [mask as TensorLike], { to: 'int32' })
    : readFloats(ops, 'toMask', 'pixels', mask).floats;
  const items = reshape(ops, values as TensorLike<'int32' | 'float32'>, [size, channels, height, width]);
  const planes = reshape(ops, cut(ops, items, 0, batch, batch + 1), [channels, height, width]);
  return { planes, isClasses, batch };
}

function paintClasses(ops: Runtime, classes: Tensor<'int32'>, resizer: Resizer, palette: number[][]): Picture {
  const [least, most] = ['ReduceMin', 'ReduceMax'].map((name) =>
    Number(call(ops, name, [classes], { keepdims: 0 }).toArray()[0]),
  ) as [number, number];
  if (least < 0 || most >= palette.length)
    throw invalidArgument(
      `toMask: the mask has class ${least < 0 ? least : most}, and there are ${palette.length} colors`,
    );
  const numbers = resizer(ops, classes, 'nearest');
  return paint(ops, reshape(ops, numbers, numbers.dims.slice(1)), palette);
}

/** The number of the best class of each pixel. Classes are resized one after another: all at once would take much memory. */
function bestClasses(ops: Runtime, scores: Tensor<'float32'>, resizer: Resizer, colors: number): Tensor<'int32'> {
  const count = scores.dims[0] as number;
  if (count > colors) throw invalidArgument(`toMask: there are ${colors} colors for ${count} classes`);
  const plane = (i: number) => {
    const resized = resizer(ops, cut(ops, scores, 0, i, i + 1), 'linear');
    return reshape(ops, resized, resized.dims.slice(1));
  };
  let best = plane(0);
  let numbers = call<'int32'>(ops, 'Expand', [{ type: 'int32', dims: [], data: [0] }, best.dims]);
  for (let i = 1; i < count; i++) {
    const next = ops.scope(() => {
      const other = plane(i);
      const isBetter = call<'bool'>(ops, 'Greater', [other, best]);
      const chosen = call<'int32'>(ops, 'Where', [isBetter, { type: 'int32', dims: [], data: [i] }, numbers]);
      return [call<'float32'>(ops, 'Max', [other, best]), chosen] as const;
    });
    best.dispose();
    numbers.dispose();
    [best, numbers] = next;
  }
  return numbers;
}

/** The object's colour, as opaque as the values are. */
function paintSoft(ops: Runtime, values: TensorLike<'float32'>, [red, green, blue, alpha]: number[]): Picture {
  const levels = Array.from({ length: 256 }, (_, i) => [red, green, blue, ((alpha as number) * i) / 255] as number[]);
  const known = call<'float32'>(ops, 'Where', [call<'bool'>(ops, 'IsNaN', [values]), 0, values]);
  const level = call<'float32'>(ops, 'Clip', [call(ops, 'Mul', [known, 255]), 0, 255]);
  const rounded = call<'int32'>(ops, 'Cast', [call(ops, 'Round', [level])], { to: 'int32' });
  return paint(ops, rounded, levels);
}

/** The colours that Pascal VOC gives to classes: the bits of the number, in turns to red, green and blue, the highest first. */
function vocColors(): number[][] {
  return Array.from({ length: 256 }, (_, number) => {
    const channel = (first: number) =>
      [0, 1, 2].reduce((sum, i) => sum | (((number >> (3 * i + first)) & 1) << (7 - i)), 0);
    return number === 0 ? transparent : [channel(0), channel(1), channel(2), 128];
  });
}
