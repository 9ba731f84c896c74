import { invalidArgument } from '../basics/error.js';
import { checkedOptions } from '../basics/names.js';
import { tagOf } from '../basics/show.js';
import type { Picture } from '../image/picture.js';
import type { Runtime } from '../runtime/runtime.js';
import type { Samples } from '../sound/log-mel.js';
import type { TensorLike } from '../tensor/types.js';
import { call, cut, reshape } from './call.js';
import { type Color, paint, readColor } from './colors.js';
import { dimsOf, readFloats } from './inputs.js';
import { readNumber } from './options.js';
import { runTask } from './task.js';

/** Options of {@link waveformPicture}. */
export interface WaveformPictureOptions {
  /** Columns of the picture, each with an equal share of the samples. Default: 640. */
  readonly width?: number | undefined;
  /** Rows of the picture. Default: 128. */
  readonly height?: number | undefined;
  /** The sample that reaches the top. Default: 1. */
  readonly maximum?: number | undefined;
  /** The colour of the curve. Default: `[30, 110, 200]`. */
  readonly color?: Color | undefined;
  /** The colour around the curve. Default: transparent. */
  readonly background?: Color | undefined;
}

/**
 * Draws samples: each column reaches from the smallest of its samples to the largest.
 *
 * @param ops - the runtime
 * @param samples - one channel, such as `ops.fromAudio` makes: floating-point numbers [n]; axes of size 1 may come before
 * @param options - the size and the colours
 * @returns a picture as `ops.toImageData` gives it
 * @throws `OnnxError` `INVALID_ARGUMENT`, also for other dims; `UNSUPPORTED_TYPE` for elements of another kind;
 * `OUT_OF_MEMORY`, `DISPOSED`
 *
 * @example
 * ```ts
 * const { width, height } = waveformPicture(ops, Float32Array.of(0, 0.5, -0.5), { width: 300 });
 * [width, height]; // [300, 128]
 * ```
 */
export function waveformPicture(
  ops: Runtime,
  samples: Samples | TensorLike,
  options?: WaveformPictureOptions,
): Picture {
  return runTask('waveformPicture', ops, () => {
    const known = ['width', 'height', 'maximum', 'color', 'background'];
    const given = checkedOptions('waveformPicture: ', options, known);
    const size = { minimum: 1, maximum: 32767, isInteger: true };
    const width = readNumber('waveformPicture', 'width', given.width, 640, size);
    const height = readNumber('waveformPicture', 'height', given.height, 128, size);
    const maximum = readNumber('waveformPicture', 'maximum', given.maximum, 1, { minimum: 1e-30, maximum: 1e30 });
    const color = readColor('waveformPicture', 'color', given.color, [30, 110, 200]);
    const background = readColor('waveformPicture', 'background', given.background, [0, 0, 0, 0]);
    const sound = isFloats(samples) ? { type: 'float32', dims: [samples.length], data: samples } : samples;
    const dims = dimsOf('waveformPicture', 'samples', sound);
    if (dims.length === 0 || dims.slice(0, -1).some((dim) => dim !== 1))
      throw invalidArgument(`waveformPicture: the samples have dims [${dims}], wanted [samples]`);
    const { floats } = readFloats(ops, 'waveformPicture', 'samples', sound);
    const count = dims.at(-1) as number;
    const row = reshape(ops, floats, [count]);
    const ends = columnsOf(ops, row, count, width);
    const rowsOf = (values: TensorLike<'float32'>) => {
      const heights = call(ops, 'Mul', [call(ops, 'Sub', [maximum, values]), (height - 1) / (2 * maximum)]);
      return call(ops, 'Round', [heights]);
    };
    const [top, bottom] = [rowsOf(ends.most), rowsOf(ends.least)];
    const rows = reshape(ops, ops.range('float32', 0, height, 1, { opset: 21 }), [height, 1]);
    const isBelow = call<'bool'>(ops, 'GreaterOrEqual', [rows, top]);
    const isCurve = call<'bool'>(ops, 'And', [isBelow, call(ops, 'LessOrEqual', [rows, bottom])]);
    return paint(ops, call<'int32'>(ops, 'Cast', [isCurve], { to: 'int32' }), [background, color]);
  });
}

const isFloats = (samples: unknown): samples is Float32Array => tagOf(samples) === 'Float32Array';

/** The smallest and the largest sample of each column: column i has those from floor(i * count / width) on. */
function columnsOf(ops: Runtime, row: TensorLike<'float32'>, count: number, width: number) {
  const most = new Float32Array(width).fill(Number.NaN);
  const least = new Float32Array(width).fill(Number.NaN);
  const extreme = (name: string, from: number, to: number) =>
    call<'float32'>(ops, name, [cut(ops, row, 0, from, to)], { keepdims: 0 }).toArray()[0] as number;
  for (let i = 0; i < width && count > 0; i++) {
    const from = Math.floor((i * count) / width);
    const to = Math.max(from + 1, Math.floor(((i + 1) * count) / width));
    ops.scope(() => {
      most[i] = extreme('ReduceMax', from, to);
      least[i] = extreme('ReduceMin', from, to);
    });
  }
  const tensor = (data: Float32Array) => ({ type: 'float32', dims: [width], data }) as const;
  return { most: tensor(most), least: tensor(least) };
}
