import { invalidArgument } from '../basics/error.js';
import { checkedOptions } from '../basics/names.js';
import { readFlag } from '../basics/words.js';
import type { Picture } from '../image/picture.js';
import type { Runtime } from '../runtime/runtime.js';
import type { TensorLike } from '../tensor/types.js';
import { call, reshape } from './call.js';
import { type Color, gradient, paint, readColors } from './colors.js';
import { readFloats } from './inputs.js';
import { readNumber } from './options.js';
import { runTask } from './task.js';

/** Options of {@link melPicture}. */
export interface MelPictureOptions {
  /** Whether dims are [frames, bins], and not [bins, frames]. Default: false. */
  readonly framesFirst?: boolean | undefined;
  /** Elements of this or less have the first colour. Default: the smallest element. */
  readonly minimum?: number | undefined;
  /** Elements of this or more have the last colour. Default: the largest element. */
  readonly maximum?: number | undefined;
  /** Colours from the smallest elements to the largest, two at least. Default: from black by violet and orange to pale yellow. */
  readonly colors?: readonly Color[] | undefined;
}

const warm = [
  [0, 0, 0],
  [60, 20, 110],
  [170, 45, 100],
  [245, 125, 50],
  [255, 245, 180],
];
const largest = 3.4028234663852886e38;

/**
 * Draws a spectrogram: a pixel for each element, time from left to right, and the lowest bin at the bottom.
 *
 * @param ops - the runtime
 * @param spectrogram - floating-point numbers [bins, frames], as `ops.logMel` makes them; axes of size 1 may come before
 * @param options - the range and the colours
 * @returns a picture as `ops.toImageData` gives it
 * @throws `OnnxError` `INVALID_ARGUMENT`, also for other dims; `UNSUPPORTED_TYPE` for elements of another kind;
 * `OUT_OF_MEMORY`, `DISPOSED`
 *
 * @example
 * ```ts
 * const spectrogram = ops.logMel(new Float32Array(16000), 'whisper'); // float32 [80, 100]
 * const { width, height } = melPicture(ops, spectrogram);
 * [width, height]; // [100, 80]
 * ```
 */
export function melPicture(ops: Runtime, spectrogram: TensorLike, options?: MelPictureOptions): Picture {
  return runTask('melPicture', ops, () => {
    const given = checkedOptions('melPicture: ', options, ['framesFirst', 'minimum', 'maximum', 'colors']);
    const { dims, floats } = readFloats(ops, 'melPicture', 'elements', spectrogram);
    const [rows = 0, columns = 0] = dims.slice(-2);
    if (dims.length < 2 || dims.slice(0, -2).some((dim) => dim !== 1) || rows * columns === 0)
      throw invalidArgument(`melPicture: the elements have dims [${dims}], wanted [bins, frames]`);
    const colors = gradient(readColors('melPicture', given.colors, warm, 2));
    const framesFirst = readFlag('melPicture', 'framesFirst', given.framesFirst);
    const plane = reshape(ops, floats, [rows, columns]);
    const bins = framesFirst ? call<'float32'>(ops, 'Transpose', [plane], { perm: [1, 0] }) : plane;
    const upwards = call<'float32'>(ops, 'Slice', [bins, [-1], [-(2 ** 31)], [0], [-1]]);
    const minimum = readNumber('melPicture', 'minimum', given.minimum, extremeOf(ops, upwards, 'ReduceMin', largest));
    const maximum = readNumber('melPicture', 'maximum', given.maximum, extremeOf(ops, upwards, 'ReduceMax', -largest));
    // In float64: the range of a quiet sound can be too small for float32 to have 255 divided by it.
    const wide = call<'float64'>(ops, 'Cast', [upwards], { to: 'float64' });
    const known = call<'float64'>(ops, 'Where', [call<'bool'>(ops, 'IsNaN', [wide]), minimum, wide]);
    const inside = call<'float64'>(ops, 'Max', [call(ops, 'Min', [known, maximum]), minimum]);
    const scale = maximum > minimum ? Math.min(255 / (maximum - minimum), Number.MAX_VALUE) : 0;
    const levels = call(ops, 'Round', [call(ops, 'Mul', [call(ops, 'Sub', [inside, minimum]), scale])]);
    const places = call(ops, 'Clip', [levels, 0, 255]);
    return paint(ops, call<'int32'>(ops, 'Cast', [places], { to: 'int32' }), colors);
  });
}

/** The smallest or largest of the finite elements; 0 where there are none. `otherwise` stands for the others. */
function extremeOf(ops: Runtime, values: TensorLike<'float32'>, name: string, otherwise: number): number {
  const isOther = call<'bool'>(ops, 'Or', [call(ops, 'IsInf', [values]), call(ops, 'IsNaN', [values])]);
  const finite = call<'float32'>(ops, 'Where', [isOther, otherwise, values]);
  const [extreme = 0] = call<'float32'>(ops, name, [finite], { keepdims: 0 }).toArray();
  return extreme === otherwise ? 0 : extreme;
}
