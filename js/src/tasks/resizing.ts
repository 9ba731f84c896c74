import { invalidArgument } from '../basics/error.js';
import type { Runtime } from '../runtime/runtime.js';
import type { Tensor } from '../tensor/tensor.js';
import { call, reshape } from './call.js';
import { readPlace } from './places.js';

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Resizes channels [C, H, W] to the size of a picture. */
export type Resizer = <T extends 'float32' | 'int32'>(
  ops: Runtime,
  planes: Tensor<T>,
  mode: 'linear' | 'nearest',
) => Tensor<T>;

/**
 * The places of an axis' first and last pixel of the picture on the same axis of the mask, between the middles of the mask's
 * pixels.
 */
type Ends = readonly [first: number, last: number];

/** The resizer of a mask to the image that was prepared, or else to a size. */
export function placeResizer(
  task: string,
  prepared: unknown,
  batch: number,
  mask: Size,
  wanted: { readonly width: number | undefined; readonly height: number | undefined },
): Resizer {
  const place = readPlace(task, prepared, batch);
  if (place === undefined) {
    const { width = mask.width, height = mask.height } = wanted;
    if (width === mask.width && height === mask.height) return (_, planes) => planes;
    return resizerTo(mask, { width, height }, endsOf(width, mask.width / width), endsOf(height, mask.height / height));
  }
  if (wanted.width !== undefined || wanted.height !== undefined)
    throw invalidArgument(`${task}: prepared gives the size; width and height are for masks without it`);
  const { imageWidth, imageHeight, tensorWidth = mask.width, tensorHeight = mask.height } = place;
  const [kx, ky] = [mask.width / tensorWidth, mask.height / tensorHeight];
  const size = { width: imageWidth, height: imageHeight };
  const columns = endsOf(size.width, place.scaleX * kx, place.padLeft * kx);
  return resizerTo(mask, size, columns, endsOf(size.height, place.scaleY * ky, place.padTop * ky));
}

const endsOf = (count: number, scale: number, offset = 0): Ends => [
  0.5 * scale + offset - 0.5,
  (count - 0.5) * scale + offset - 0.5,
];

/**
 * Without a mask, classes are 0, and scores are below all thresholds: such pixels of the image were cut off before the model. A border
 * of one pixel keeps those halves that lie outside of the outermost middles.
 */
function resizerTo(mask: Size, size: Size, columns: Ends, rows: Ends): Resizer {
  const at = (place: number, length: number) => (place + 1) / (length + 1);
  const [left, right] = columns.map((place) => at(place, mask.width)) as [number, number];
  const [top, bottom] = rows.map((place) => at(place, mask.height)) as [number, number];
  const region = { type: 'float32', dims: [4], data: [top, left, bottom, right] } as const;
  return (ops, planes, mode) => {
    const bordered = call(ops, 'Pad', [planes, [0, 1, 1, 0, 1, 1]], { mode: 'edge' });
    const images = reshape(ops, bordered, [1, ...bordered.dims]);
    const resized = call(ops, 'Resize', [images, region, null, [size.height, size.width]], {
      mode,
      axes: [2, 3],
      coordinate_transformation_mode: 'tf_crop_and_resize',
      extrapolation_value: mode === 'linear' ? Number.NEGATIVE_INFINITY : 0,
    });
    return reshape(ops, resized, resized.dims.slice(1)) as never;
  };
}
