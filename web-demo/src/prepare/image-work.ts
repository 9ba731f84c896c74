// The steps of a picture, in the worker: the tensor, a picture after each step, and the same size by a canvas.
import type { ImageOptions, ImagePlace, Runtime, Tensor } from 'broadloom';
import { reportTensor } from '../runtime/inspect.js';
import { differenceOf, toGray } from './difference.js';
import { sizeOf } from './image-size.js';
import type { ImageReport, Pixels } from './protocol.js';
import { timed } from './timed.js';

/** The options that make bytes of a picture: the steps up to the crop. */
function byteOptions({ scale: _, mean: __, std: ___, ...steps }: ImageOptions): ImageOptions<'uint8'> {
  return { ...steps, layout: 'hwc', type: 'uint8' };
}

/** How to make a picture of what `fromImage` made. */
function pictureOptions({ layout, channels, scale, mean, std }: ImageOptions) {
  return { layout, channels: channels === 'bgr' ? 'bgr' : 'rgb', scale, mean, std } as const;
}

function bytesOf(ops: Runtime, source: Pixels, options: ImageOptions): Pixels {
  return ops.scope(() => {
    const tensor = ops.fromImage(source, byteOptions(options));
    const { data, width, height } = ops.toImageData(tensor, pictureOptions(byteOptions(options)));
    return { data, width, height };
  });
}

/** The picture that a canvas draws of the same part in the same size; undefined where the worker has no canvas. */
function drawn(source: Pixels, place: ImagePlace, options: ImageOptions, width: number, height: number) {
  if (typeof OffscreenCanvas === 'undefined') return undefined;
  const from = new OffscreenCanvas(source.width, source.height);
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
  if (context === null) return undefined;
  from.getContext('2d')?.putImageData(new ImageData(source.data, source.width, source.height), 0, 0);
  const fill = [options.fill ?? 0].flat() as number[];
  const [first = 0, second = first, third = first, fourth = first] =
    options.channels === 'bgr' ? [...fill].reverse() : fill;
  const opacity = options.channels === 'rgba' ? fourth / 255 : 1;
  context.fillStyle = `rgb(${first} ${second} ${third} / ${opacity})`;
  context.fillRect(0, 0, width, height);
  context.imageSmoothingEnabled = options.filter !== 'nearest';
  context.imageSmoothingQuality = 'high';
  const { padLeft, padTop, scaleX, scaleY } = place;
  context.drawImage(from, padLeft, padTop, source.width * scaleX, source.height * scaleY);
  const { data } = context.getImageData(0, 0, width, height);
  return { data: options.channels === 'gray' ? toGray(data) : data, width, height };
}

/** The picture that `drawn` returns; undefined if it is too large for the browser's canvas. */
function drawnIfPossible(...given: Parameters<typeof drawn>): ReturnType<typeof drawn> {
  try {
    return drawn(...given);
  } catch {
    return undefined;
  }
}

/** The largest picture between steps. A narrow source may get a long one, although little of it is kept. */
const mostPixels = 2 ** 24;

/**
 * Prepares a picture. The tensor goes to `keep`; what is refused leaves what was kept before.
 *
 * @param isMoving whether it is one of many frames: then steps between are left out
 */
export function prepareImage(
  ops: Runtime,
  source: Pixels,
  options: ImageOptions,
  isMoving: boolean,
  keep: (tensors: readonly Tensor[]) => string,
): ImageReport {
  const [tensor, time] = timed(() => ops.fromImage(source, options), isMoving ? 1 : 5);
  const [height, width] = sizeOf(tensor, options.layout);
  const { scaleX, scaleY, padLeft, padTop, imageWidth, imageHeight } = tensor;
  const place = { scaleX, scaleY, padLeft, padTop, imageWidth, imageHeight };
  const again = ops.toImageData(tensor, pictureOptions(options));
  const report = reportTensor(ops, tensor, keep([tensor]), 'tensor');
  const prepared = bytesOf(ops, source, options);
  const { crop, ...others } = options;
  const pixels = source.width * scaleX * source.height * scaleY;
  const canvas = drawnIfPossible(source, place, options, width, height);
  return {
    ...{ ok: true, kind: 'image', options, width: source.width, height: source.height, place, prepared, time },
    resized: isMoving || crop === undefined || pixels > mostPixels ? undefined : bytesOf(ops, source, others),
    again: { data: again.data, width, height },
    canvas: canvas && { picture: canvas, difference: differenceOf(prepared, canvas) },
    tensor: report,
  };
}
