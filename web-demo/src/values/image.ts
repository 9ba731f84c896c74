// Pictures as tensors. For browsers only, on the page or in a worker.
import { ListError, quote } from './list-error.js';

export interface ImageTensor {
  readonly type: 'uint8';
  /** Height, width, channels: three, or four when any pixel is transparent. */
  readonly dims: [height: number, width: number, channels: 3 | 4];
  readonly bytes: Uint8Array;
}

/** The pixels of a picture, as its file has them: colours are not converted. Canvases round the colours of transparent pixels. */
export async function readImage(file: Blob): Promise<ImageTensor> {
  const { width, height, data } = await pixelsOf(file);
  const isOpaque = (): boolean => {
    for (let i = 3; i < data.length; i += 4) if (data[i] !== 255) return false;
    return true;
  };
  if (!isOpaque()) return { type: 'uint8', dims: [height, width, 4], bytes: new Uint8Array(data.buffer) };
  const bytes = new Uint8Array(width * height * 3);
  for (let from = 0, to = 0; from < data.length; from += 4) {
    bytes[to++] = data[from] as number;
    bytes[to++] = data[from + 1] as number;
    bytes[to++] = data[from + 2] as number;
  }
  return { type: 'uint8', dims: [height, width, 3], bytes };
}

async function pixelsOf(file: Blob): Promise<ImageData> {
  let bitmap: ImageBitmap;
  try {
    bitmap = await createImageBitmap(file, { colorSpaceConversion: 'none', premultiplyAlpha: 'none' });
  } catch {
    throw new ListError('noPicture', quote(file.type));
  }
  try {
    const { width, height } = bitmap;
    const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
    if (context === null) throw new ListError('tooLargePicture', width, height);
    context.drawImage(bitmap, 0, 0);
    return context.getImageData(0, 0, width, height);
  } finally {
    bitmap.close();
  }
}
