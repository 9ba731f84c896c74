import { invalidArgument, OnnxError } from '../basics/error.js';
import { show, tagOf } from '../basics/show.js';
import { arrayName, lengthOf } from '../basics/typed-arrays.js';
import type { Memory, Source } from '../calls/memory.js';

/**
 * Pixels as decoders for JavaScript give them: rows from the top, pixels from the left, their channels side by side. `ImageData`
 * is such an object.
 */
export interface PixelData extends PixelSizes {
  /** Bytes of `channels` channels: gray; gray and alpha; red, green and blue; or those and alpha. */
  readonly data: Uint8Array | Uint8ClampedArray;
}

/** The sizes of an image. */
export interface PixelSizes {
  /** Pixels of a row. */
  readonly width: number;
  /** How many rows. */
  readonly height: number;
  /** Bytes of a pixel. Default: the number that follows from the length of the data. */
  readonly channels?: number | undefined;
}

/** Raw pixels as sharp's `toBuffer({ resolveWithObject: true })` gives them. */
export interface PixelBuffer {
  /** Bytes, as {@link PixelData.data} has them. */
  readonly data: Uint8Array;
  /** The sizes. */
  readonly info: PixelSizes;
}

/**
 * Sources that browsers draw: `ImageBitmap`, `HTMLImageElement`, `HTMLVideoElement`, `VideoFrame`, `HTMLCanvasElement`,
 * `OffscreenCanvas`. Written by their members, since a program's types may know no browser.
 */
export type DrawableImage =
  | (Readonly<Record<'width' | 'height', number>> & Readonly<Record<'close', () => void>>)
  | Readonly<Record<'naturalWidth' | 'naturalHeight', number>>
  | Readonly<Record<'videoWidth' | 'videoHeight', number>>
  | Readonly<Record<'displayWidth' | 'displayHeight', number>>
  | (Readonly<Record<'width' | 'height', number>> & Readonly<Record<'getContext', (kind: '2d') => unknown>>);

/** The forms in which {@link ImageMethods.fromImage} takes an image. */
export type ImageSource = PixelData | PixelBuffer | DrawableImage;

/** An image whose pixels can be copied: no code of the user's is needed any more. @internal */
export interface ReadImage {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly bytes: Source;
}

interface Context2d {
  drawImage(image: unknown, x: number, y: number, width: number, height: number): void;
  getImageData(x: number, y: number, width: number, height: number): PixelData;
  isContextLost?(): boolean;
  globalCompositeOperation: string;
}

interface Canvas {
  width: number;
  height: number;
  getContext(kind: '2d', options?: object): Context2d | null;
}

/** Parts of a browser that are used where they exist. */
interface Host {
  readonly OffscreenCanvas?: new (width: number, height: number) => Canvas;
}

/** The sizes of objects that can be drawn, by their tags: objects of other frames have other classes. */
const drawableSizes: ReadonlyMap<string, readonly [width: string, height: string]> = new Map([
  ['ImageBitmap', ['width', 'height']],
  ['HTMLImageElement', ['naturalWidth', 'naturalHeight']],
  ['HTMLVideoElement', ['videoWidth', 'videoHeight']],
  ['VideoFrame', ['displayWidth', 'displayHeight']],
  ['HTMLCanvasElement', ['width', 'height']],
  ['OffscreenCanvas', ['width', 'height']],
]);

const emptyReasons: ReadonlyMap<string, string> = new Map([
  ['ImageBitmap', 'it was closed'],
  ['HTMLImageElement', 'it is not loaded, or broken: await image.decode() first'],
  ['HTMLVideoElement', "it has no frame yet: wait for 'loadeddata'"],
  ['VideoFrame', 'it was closed'],
]);

/** Reads an image. `what` names it in errors. @internal */
export function readImageSource(memory: Memory, image: unknown, what: string): ReadImage {
  if (typeof image !== 'object' || image === null) throw noImage(what, image);
  const size = drawableSizes.get(tagOf(image));
  if (size !== undefined) return readPixels(memory, drawn(image, size, what), what);
  if (isPixels(image)) return readPixels(memory, image, what);
  if (typeof (image as Partial<Canvas>).getContext === 'function')
    return readPixels(memory, ownPixels(image as Canvas, what), what);
  throw noImage(what, image);
}

function isPixels(image: object): image is PixelData | PixelBuffer {
  return 'data' in image && ('info' in image || ('width' in image && 'height' in image));
}

function noImage(what: string, value: unknown): OnnxError {
  const tag = tagOf(value);
  const advice =
    tag === 'Blob' || tag === 'File'
      ? ': a file is read by await ops.readImage(blob, options)'
      : ArrayBuffer.isView(value)
        ? ': bytes alone do not tell their width; give { data, width, height }'
        : typeof value === 'string'
          ? ': fetch it and call await ops.readImage(await response.blob(), options)'
          : typeof (value as { then?: unknown } | null | undefined)?.then === 'function'
            ? ': await it before the call'
            : '';
  return invalidArgument(
    `${what} is ${show(value)}, wanted { data, width, height }, ImageData, or what a browser draws${advice}`,
  );
}

function readPixels(memory: Memory, image: PixelData | PixelBuffer, what: string): ReadImage {
  const { data } = image;
  const sizes = 'info' in image ? image.info : image;
  if (typeof sizes !== 'object' || sizes === null)
    throw invalidArgument(`${what}: info is ${show(sizes)}, wanted { width, height, channels }`);
  const { width, height, channels } = sizes;
  const name = arrayName(data);
  if (name !== 'Uint8Array' && name !== 'Uint8ClampedArray')
    throw invalidArgument(`${what}: data is ${show(data)}, wanted the bytes of its pixels (Uint8Array)`);
  for (const [side, value] of Object.entries({ width, height }))
    if (!Number.isSafeInteger(value) || value < 1)
      throw invalidArgument(`${what}: ${side} is ${show(value)}, wanted a size from 1`);
  const bytes = memory.sourceOf(data, `${what}: its pixels`);
  const length = lengthOf(data);
  const count = channels ?? length / (width * height);
  if (![1, 2, 3, 4].includes(count) || width * height * count !== length) {
    const told = channels === undefined ? '1, 2, 3 or 4 channels' : `${show(channels)} channels`;
    throw invalidArgument(
      `${what}: data has ${length} bytes, which ${width} x ${height} pixels of ${told} (of 8 bits) have not`,
    );
  }
  return { width, height, channels: count, bytes };
}

let canvas: Canvas | undefined;

/** The pixels of something that can be drawn. */
function drawn(image: object, [widthName, heightName]: readonly [string, string], what: string): PixelData {
  const width = (image as { [name: string]: number })[widthName] as number;
  const height = (image as { [name: string]: number })[heightName] as number;
  if (!(width > 0 && height > 0)) {
    const reason = emptyReasons.get(tagOf(image));
    throw invalidArgument(`${what} is ${show(image)} of ${width} x ${height} pixels${reason ? `; ${reason}` : ''}`);
  }
  canvas = canvasOf(canvas, width, height, what);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  const noCanvas = `the host has no canvas of ${width} x ${height} pixels`;
  if (context === null) throw noPixels(what, noCanvas);
  try {
    context.globalCompositeOperation = 'copy'; // nothing of the image before shines through
    context.drawImage(image, 0, 0, width, height);
    const pixels = context.getImageData(0, 0, width, height);
    // A canvas that is too large for Chromium is lost when something is drawn, and has zeros.
    if (context.isContextLost?.()) throw new Error(noCanvas);
    return pixels;
  } catch (cause) {
    canvas = undefined; // pixels of another origin close it for good
    throw noPixels(what, (cause as Error).message, cause);
  }
}

/** A canvas of the size; frames of a video have the same one. */
function canvasOf(last: Canvas | undefined, width: number, height: number, what: string): Canvas {
  if (last?.width === width && last.height === height) return last;
  const { OffscreenCanvas } = globalThis as Host;
  if (OffscreenCanvas === undefined) throw noPixels(what, 'the host has no OffscreenCanvas');
  return new OffscreenCanvas(width, height);
}

/** The pixels of a canvas of a package for servers. */
function ownPixels(image: Canvas, what: string): PixelData {
  let pixels: unknown;
  try {
    pixels = image.getContext('2d')?.getImageData(0, 0, image.width, image.height);
  } catch (cause) {
    throw noPixels(what, (cause as Error | null)?.message, cause);
  }
  if (typeof pixels === 'object' && pixels !== null) return pixels as PixelData;
  throw noPixels(what, "its context '2d' gives none");
}

function noPixels(what: string, reason: string | undefined, cause?: unknown): OnnxError {
  return new OnnxError('INVALID_ARGUMENT', `${what}: its pixels cannot be read (${reason})`, { cause });
}
