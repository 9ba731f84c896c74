/** An image of 8 bits a channel, with red, green, blue and alpha. */
export interface Picture {
  /** Four bytes for each pixel. */
  readonly data: Uint8ClampedArray<ArrayBuffer>;
  /** Pixels of a row. */
  readonly width: number;
  /** How many rows. */
  readonly height: number;
  /** The name that ImageData has for the colours of the web. */
  readonly colorSpace: 'srgb';
}

type ImageDataClass = new (data: Uint8ClampedArray, width: number, height: number) => Picture;

/** An image of these bytes: of the browser's class, where there is one. @internal */
export function newPicture(data: Uint8ClampedArray<ArrayBuffer>, width: number, height: number): Picture {
  const Class = (globalThis as { readonly ImageData?: ImageDataClass }).ImageData;
  if (Class !== undefined && width * height > 0) return new Class(data, width, height);
  return { data, width, height, colorSpace: 'srgb' };
}
