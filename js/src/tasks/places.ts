import { invalidArgument } from '../basics/error.js';
import { show } from '../basics/show.js';
import type { ImagePlace } from '../image/images.js';
import type { Runtime } from '../runtime/runtime.js';
import type { Tensor } from '../tensor/tensor.js';
import { call, reshape } from './call.js';

/** The place of an item of a batch: `prepared` is what `fromImage` made, or one of its `images`. */
export function readPlace(task: string, prepared: unknown, batch: number): ImagePlace | undefined {
  if (prepared === undefined) return undefined;
  const given = prepared as (ImagePlace & { readonly images?: readonly ImagePlace[] }) | null;
  const place = given?.images?.[given.images.length > 1 ? batch : 0] ?? given;
  if (typeof place !== 'object' || place === null || !isPlace(place))
    throw invalidArgument(`${task}: prepared is ${show(prepared)}, wanted what ops.fromImage made`);
  return place;
}

const isPlace = ({ scaleX, scaleY, padLeft, padTop, tensorWidth = 1, tensorHeight = 1, ...image }: ImagePlace) =>
  [scaleX, scaleY].every((one) => Number.isFinite(one) && one > 0) &&
  [image.imageWidth, image.imageHeight, tensorWidth, tensorHeight].every(
    (one) => Number.isSafeInteger(one) && one > 0,
  ) &&
  [padLeft, padTop].every(Number.isFinite);

/** Takes boxes or points [N, 2 * K] back to the image, and into it. */
export function toPlace(ops: Runtime, points: Tensor<'float32'>, place: ImagePlace): Tensor<'float32'> {
  const { imageWidth, imageHeight } = place;
  const moved = ops.toImageCoordinates(points, place);
  const corner = { type: 'float32', dims: [2], data: [imageWidth, imageHeight] } as const;
  const pairs = reshape(ops, moved, [-1, 2]);
  const inside = call<'float32'>(ops, 'Min', [call(ops, 'Max', [pairs, 0]), corner]);
  return reshape(ops, inside, points.dims);
}
