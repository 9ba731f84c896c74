// A picture as the elements of a tensor: drawn by a canvas in the size that the dims say. For browsers only.
import type { PictureValues } from '../drafts.js';
import { ListError, quote } from './list-error.js';
import type { Plane } from './plane.js';

/** @throws ListError for a file that is not a picture */
export function bitmapOf(file: Blob): Promise<ImageBitmap> {
  return createImageBitmap(file).catch(() => {
    throw new ListError('noPicture', quote(file.type));
  });
}

type Box = readonly [left: number, top: number, width: number, height: number];

/** The part of a picture that is drawn, and where it is drawn to. */
function placesOf(
  bitmap: ImageBitmap,
  { width, height }: Plane,
  fit: PictureValues['fit'],
): { readonly from: Box; readonly to: Box } {
  const whole: Box = [0, 0, bitmap.width, bitmap.height];
  const target: Box = [0, 0, width, height];
  if (fit === 'stretch') return { from: whole, to: target };
  const across = width / bitmap.width;
  const down = height / bitmap.height;
  const within = (box: Box, w: number, h: number): Box => [(box[2] - w) / 2, (box[3] - h) / 2, w, h];
  if (fit === 'fill') {
    const scale = Math.max(across, down);
    return { from: within(whole, width / scale, height / scale), to: target };
  }
  const scale = Math.min(across, down);
  return { from: whole, to: within(target, bitmap.width * scale, bitmap.height * scale) };
}

/** The pixels of a picture in the size of a plane: red, green, blue and opacity. Without the latter, it lies on black. */
export function drawPicture(bitmap: ImageBitmap, plane: Plane, fit: PictureValues['fit']): ImageData {
  const { width, height, channels } = plane;
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
  if (context === null) throw new ListError('tooLargePicture', width, height);
  if (channels < 4) context.fillRect(0, 0, width, height);
  context.imageSmoothingQuality = 'high';
  const { from, to } = placesOf(bitmap, plane, fit);
  context.drawImage(bitmap, ...from, ...to);
  return context.getImageData(0, 0, width, height);
}

/** Means and standard deviations of ImageNet's red, green and blue. */
const means = [0.485, 0.456, 0.406];
const deviations = [0.229, 0.224, 0.225];

/** The number for a level from 0 to 255 of a channel. */
function scaled(scale: PictureValues['scale'], level: number, channel: number): number {
  if (scale === 'bytes') return level;
  if (scale === 'unit') return level / 255;
  if (scale === 'signed') return level / 127.5 - 1;
  return (level / 255 - (means[channel] ?? 0)) / (deviations[channel] ?? 1);
}

/** The elements of pixels, once for each picture of the plane. */
export function elementsOfPixels(
  pixels: Uint8ClampedArray,
  { layout, scale }: Pick<PictureValues, 'layout' | 'scale'>,
  { count, channels, height, width }: Plane,
): Float32Array {
  const area = height * width;
  const one = new Float32Array(area * channels);
  for (let channel = 0; channel < channels; channel++) {
    const numbers = Float32Array.from({ length: 256 }, (_, level) => scaled(scale, level, channel));
    const [step, start] = layout === 'NCHW' ? [1, channel * area] : [channels, channel];
    for (let i = 0; i < area; i++) {
      const [red, green, blue] = [pixels[4 * i] as number, pixels[4 * i + 1] as number, pixels[4 * i + 2] as number];
      const grey = Math.round(0.299 * red + 0.587 * green + 0.114 * blue);
      const level = channels === 1 ? grey : (pixels[4 * i + channel] as number);
      one[start + i * step] = numbers[level] as number;
    }
  }
  if (count === 1) return one;
  const all = new Float32Array(one.length * count);
  for (let i = 0; i < count; i++) all.set(one, i * one.length);
  return all;
}
