import { invalidArgument, OnnxError } from '../basics/error.js';
import { lengthOfList } from '../basics/lists.js';
import { show } from '../basics/show.js';
import type { Context } from '../calls/context.js';
import { partOf } from '../calls/memory.js';
import { freeAll, handleOf, type Literal, makeAll, noTensor, readTensor } from '../tensor/elements.js';
import type { Tensor } from '../tensor/tensor.js';
import type { DataType } from '../tensor/types.js';
import { type ImageOptions, readImageOptions, readPictureOptions, writeOptions } from './options.js';
import { newPicture, type Picture } from './picture.js';
import { type ReadImage, readImageSource } from './source.js';

/** The place of an image in a tensor: x in the tensor is x in the image * scaleX + padLeft. */
export interface ImagePlace {
  /** Columns of the resized image for each column of the image. */
  readonly scaleX: number;
  /** Rows of the resized image for each row of the image. */
  readonly scaleY: number;
  /** The column of the tensor where the resized image begins; negative where columns were cut off. */
  readonly padLeft: number;
  /** The row of the tensor where the resized image begins; negative where rows were cut off. */
  readonly padTop: number;
  /** Columns of the image. */
  readonly imageWidth: number;
  /** Rows of the image. */
  readonly imageHeight: number;
  /** Columns of the tensor. A mask may have fewer. */
  readonly tensorWidth?: number | undefined;
  /** Rows of the tensor. */
  readonly tensorHeight?: number | undefined;
}

/** A tensor of images: as any tensor, and with what was done to the first image. */
export type ImageTensor<T extends DataType = DataType> = Tensor<T> &
  ImagePlace & {
    /** The places of all images of the batch. */
    readonly images: readonly ImagePlace[];
  };

/** Makes the tensor of `fromImage`. @internal */
export function fromImage(context: Context, given: unknown, options: ImageOptions | undefined): ImageTensor {
  const { memory } = context;
  const { glue } = memory;
  const read = readImageOptions('fromImage', options);
  const images = readImages(context, given);
  memory.begin();
  writeOptions(memory, read);
  memory.number(images.length);
  for (const { height, width, channels } of images) {
    memory.number(height);
    memory.number(width);
    memory.number(channels);
  }
  memory.check(glue.startImages());
  for (;;) {
    const preparation = memory.take();
    const image = images[memory.take()] as ReadImage;
    const address = memory.take();
    const offset = memory.take();
    const length = memory.take();
    if (length === 0) {
      memory.check(glue.finishImages(preparation));
      return takeImages(context, images);
    }
    if (!memory.copyIn(address, partOf(image.bytes, offset, length))) {
      glue.disposeImages(preparation);
      throw invalidArgument('fromImage: the pixels were detached while the call was read');
    }
    memory.check(glue.continueImages(preparation));
  }
}

function readImages({ memory }: Context, given: unknown): ReadImage[] {
  if (!Array.isArray(given)) return [readImageSource(memory, given, 'fromImage: the image')];
  const length = lengthOfList(given, 'images');
  return Array.from({ length }, (_, i) => readImageSource(memory, given[i], `fromImage: image ${i}`));
}

function takeImages(context: Context, read: readonly ReadImage[]): ImageTensor {
  const tensor = context.takeOne();
  const { memory } = context;
  const [tensorHeight, tensorWidth] = memory.takeNumbers(2) as [number, number];
  const images = read.map(({ width, height }): ImagePlace => {
    const [resizedHeight, resizedWidth, padTop, padLeft] = memory.takeNumbers(4) as [number, number, number, number];
    const scaleX = resizedWidth / width;
    const scaleY = resizedHeight / height;
    return { scaleX, scaleY, padLeft, padTop, imageWidth: width, imageHeight: height, tensorWidth, tensorHeight };
  });
  return Object.assign(tensor, images[0], { images }) as ImageTensor;
}

interface DecodedImage {
  readonly width: number;
  readonly height: number;
  close(): void;
}
type Decoder = (blob: unknown) => Promise<DecodedImage>;

/** Decodes an image file by the host's decoder. @internal */
export async function decodeImage(blob: unknown): Promise<DecodedImage> {
  const decode = (globalThis as { readonly createImageBitmap?: Decoder }).createImageBitmap;
  if (decode === undefined)
    throw invalidArgument(
      'readImage: this host decodes no images; a package such as sharp gives { data, width, height } for ops.fromImage',
    );
  try {
    return await decode(blob);
  } catch (cause) {
    const text = `readImage: the host cannot decode ${show(blob)} (${(cause as Error).message})`;
    throw new OnnxError('INVALID_ARGUMENT', text, { cause });
  }
}

/** Makes an image of a tensor that `toImageData` was given: of the browser's class, where there is one. @internal */
export function toImageData(context: Context, tensor: unknown, options: unknown): Picture {
  const { memory } = context;
  const read = readPictureOptions('toImageData', options);
  const literals: Literal[] = [];
  const given = readTensor(context, tensor, literals);
  if (given === undefined) throw noTensor('toImageData: the tensor is ', tensor);
  try {
    makeAll(context, literals);
    const handle = handleOf(given);
    memory.begin();
    writeOptions(memory, read);
    memory.check(memory.glue.toImage(handle));
    return takePicture(context);
  } finally {
    freeAll(context, literals);
  }
}

function takePicture(context: Context): Picture {
  const [height, width, data] = context.runScope(() => {
    const tensor = context.takeOne();
    const bytes = tensor.toArray() as Uint8Array<ArrayBuffer>;
    return [tensor.dims[0] as number, tensor.dims[1] as number, new Uint8ClampedArray(bytes.buffer)] as const;
  });
  return newPicture(data, width, height);
}

/** The members of a prepared image that `toImageCoordinates` reads. */
const placeNames = ['scaleX', 'scaleY', 'padLeft', 'padTop'] as const;

/** Subtrahends and divisors of a pair of coordinates, or of a box of four. @internal */
export function coordinateScale(prepared: unknown, isBox: boolean): { offsets: number[]; scales: number[] } {
  const place = prepared as ImagePlace & { images?: readonly unknown[] };
  if (typeof place !== 'object' || place === null || placeNames.some((name) => typeof place[name] !== 'number'))
    throw invalidArgument(`toImageCoordinates: ${show(prepared)} is not what fromImage made`);
  if (place.images !== undefined && place.images.length > 1)
    throw invalidArgument(
      `toImageCoordinates: the tensor has ${place.images.length} images: give one of them, prepared.images[i]`,
    );
  const { scaleX, scaleY, padLeft, padTop } = place;
  return isBox
    ? { offsets: [padLeft, padTop, 0, 0], scales: [scaleX, scaleY, scaleX, scaleY] }
    : { offsets: [padLeft, padTop], scales: [scaleX, scaleY] };
}
