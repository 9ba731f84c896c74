// Files of pictures and sounds, decoded on the page: workers cannot decode sounds.
import { ListError, quote } from '../values/list-error.js';
import { bitmapOf } from '../values/picture-elements.js';
import type { Pixels, Samples } from './protocol.js';

/** The pixels of what a canvas can draw. */
export function pixelsOf(drawable: CanvasImageSource, width: number, height: number): Pixels {
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width, height });
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context === null) throw new ListError('tooLargePicture', width, height);
  context.drawImage(drawable, 0, 0, width, height);
  return { data: context.getImageData(0, 0, width, height).data, width, height };
}

/** @throws ListError for a file that is not a picture */
async function pictureOf(file: Blob): Promise<Pixels> {
  const bitmap = await bitmapOf(file);
  try {
    return pixelsOf(bitmap, bitmap.width, bitmap.height);
  } finally {
    bitmap.close();
  }
}

/** The rate of a decoded sound whose file does not say its own in a way that is read here. */
const usualRate = 48000;

/** The rate that a .wav file says, so that the browser does not change it. */
export function rateOf(head: Uint8Array): number {
  const text = String.fromCharCode(...head.subarray(0, 4), ...head.subarray(8, 16));
  if (text !== 'RIFFWAVEfmt ' || head.length < 28) return usualRate;
  const rate = new DataView(head.buffer, head.byteOffset).getUint32(24, true);
  return rate >= 8000 && rate <= 96000 ? rate : usualRate;
}

/** @throws ListError for a file that is not a sound */
async function soundOf(file: Blob): Promise<Samples> {
  const bytes = await file.arrayBuffer();
  const rate = rateOf(new Uint8Array(bytes, 0, Math.min(28, bytes.byteLength)));
  const sound = await new OfflineAudioContext(1, 1, rate).decodeAudioData(bytes).catch(() => {
    throw new ListError('noSound', quote(file.type));
  });
  const channels = Array.from({ length: sound.numberOfChannels }, (_, i) => sound.getChannelData(i).slice());
  return { channels, rate: sound.sampleRate };
}

export type Decoded =
  | { readonly media: 'image'; readonly source: Pixels }
  | { readonly media: 'sound'; readonly source: Samples };

/**
 * Decodes a file that somebody chose, whatever it is.
 *
 * @throws ListError
 */
export async function decode(file: Blob): Promise<Decoded> {
  if (/^(?:audio|video)\//.test(file.type)) return { media: 'sound', source: await soundOf(file) };
  try {
    return { media: 'image', source: await pictureOf(file) };
  } catch (error) {
    if (file.type.startsWith('image/')) throw error;
    const source = await soundOf(file).catch(() => undefined);
    if (source === undefined) throw error;
    return { media: 'sound', source };
  }
}
