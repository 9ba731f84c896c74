// Pictures and sounds as inputs: files become the tensors that a model declares.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import type { DataType, ImageOptions, Runtime, Tensor, ValueInfo, WavSound } from 'broadloom';
import { didYouMean } from '../../shared/names.js';
import { typeAndDims } from '../../shared/type-and-dims.js';
import { quote, visible } from '../../shared/visible.js';
import { Failure, UsageError } from './errors.js';
import { attempt, readBytes } from './files.js';
import { decodePng, type Picture } from './png.js';

/** A file that was read. Only the runtime reads sounds. */
export type Media = { readonly picture: Picture } | { readonly sound: Uint8Array };

/** How all pictures and sounds of a call are prepared. */
export interface MediaOptions {
  /** The name of one of the runtime's presets. */
  readonly preset?: string | undefined;
  /** Samples per second. */
  readonly sampleRate?: number | undefined;
}

type Wanted = Pick<ValueInfo, 'dims'> & { readonly type: DataType };

const ending = (path: string): string | undefined => /\.(png|jpe?g|wav)$/i.exec(path)?.[1]?.toLowerCase();

/** Reads a file with the ending of a picture or a sound; resolves to undefined for other values. */
export async function readMedia(path: string): Promise<Media | undefined> {
  const kind = ending(path);
  if (kind === undefined) return undefined;
  const bytes = readBytes(path);
  if (kind === 'wav') return { sound: bytes };
  return { picture: kind === 'png' ? attempt('read', path, () => decodePng(bytes)) : await decodeJpeg(path, bytes) };
}

/** The part of sharp that is used. */
type Sharp = (bytes: Uint8Array) => {
  rotate(): ReturnType<Sharp>;
  toColourspace(name: 'srgb'): ReturnType<Sharp>;
  raw(): ReturnType<Sharp>;
  toBuffer(options: { resolveWithObject: true }): Promise<{ data: Uint8Array; info: Omit<Picture, 'data'> }>;
};

/** The package sharp of the folder where the command runs, or of that where Broadloom lies. */
async function loadSharp(path: string): Promise<Sharp> {
  for (const base of [pathToFileURL(join(process.cwd(), 'package.json')).href, import.meta.url]) {
    let file: string;
    try {
      file = createRequire(base).resolve('sharp');
    } catch {
      continue;
    }
    const { default: sharp } = await import(pathToFileURL(file).href).catch((error: Error) => {
      throw new Failure(`cannot read ${quote(path)}: the package sharp does not start: ${visible(error.message)}`);
    });
    return sharp;
  }
  throw new Failure(
    `cannot read ${quote(path)}: JPEG files are read by the package sharp, which is not installed here: npm install sharp, or give a PNG file`,
  );
}

/** Pixels of a JPEG file, turned as its EXIF data tell. */
async function decodeJpeg(path: string, bytes: Uint8Array): Promise<Picture> {
  const sharp = await loadSharp(path);
  try {
    const { data, info } = await sharp(bytes)
      .rotate()
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true });
    return { width: info.width, height: info.height, channels: info.channels, data };
  } catch (error) {
    throw new Failure(`cannot read ${quote(path)}: ${visible((error as Error).message)}`);
  }
}

/** Fails for a preset that the runtime does not have. */
export function checkPreset(ops: Runtime, preset: string | undefined): void {
  const names = Object.keys(ops.presets);
  if (preset === undefined || names.includes(preset)) return;
  throw new UsageError(`--preset is ${quote(preset)}${didYouMean(preset, names) || `: there are ${names.join(', ')}`}`);
}

/** The tensor that a file becomes where `wanted` is declared. */
export function tensorOf(ops: Runtime, media: Media, wanted: Wanted, what: string, options: MediaOptions): Tensor {
  return ops.scope(() =>
    'picture' in media
      ? pictureTensor(ops, media.picture, wanted, what, options.preset)
      : soundTensor(ops, ops.readWav(media.sound), wanted, what, options.sampleRate),
  );
}

const isChannels = (size: number | string | null | undefined): boolean => size === 1 || size === 3 || size === 4;

/** Layout, channels and sizes that the declared dims ask for. */
function frameOf(dims: Wanted['dims'], picture: Picture): ImageOptions | undefined {
  const sizes = (height: unknown, width: unknown) => sizesOf(height, width, picture);
  if (dims === null) return { layout: 'nchw' };
  const [channelsFirst, height, width] = dims.slice(-3);
  if (dims.length === 2) return { layout: 'hwc', channels: 'gray', ...sizes(dims[0], dims[1]) };
  if (dims.length !== 3 && dims.length !== 4) return undefined;
  const isLast = !isChannels(channelsFirst) && (isChannels(width) || typeof channelsFirst === 'number');
  const count = isLast ? width : channelsFirst;
  const batch = dims.length === 4 ? 'n' : '';
  return {
    layout: `${batch}${isLast ? 'hwc' : 'chw'}` as 'nchw',
    channels: count === 1 ? 'gray' : count === 4 ? 'rgba' : 'rgb',
    ...(isLast ? sizes(channelsFirst, height) : sizes(height, width)),
  };
}

/** The declared sizes. A size that is not declared keeps the proportions of the picture. */
function sizesOf(height: unknown, width: unknown, picture: Picture): ImageOptions {
  const scaled = (size: number, other: number, by: number) => Math.max(Math.round((size * by) / other), 1);
  if (typeof height === 'number')
    return { resize: [height, typeof width === 'number' ? width : scaled(picture.width, picture.height, height)] };
  return typeof width === 'number' ? { resize: [scaled(picture.height, picture.width, width), width] } : {};
}

/** The type that a picture is made in; `undefined` for types that do not hold its bytes. */
function pictureType(type: DataType): 'float32' | 'float16' | 'float64' | 'uint8' | undefined {
  if (type === 'float16' || type === 'float64') return type;
  if (/^b?float/.test(type)) return 'float32';
  return /^(uint(8|16|32|64)|int(16|32|64))$/.test(type) ? 'uint8' : undefined;
}

/** Without a preset, floats are bytes / 255, and integers the bytes. A picture is stretched to the declared size. */
function pictureTensor(ops: Runtime, picture: Picture, wanted: Wanted, what: string, preset?: string): Tensor {
  const frame = frameOf(wanted.dims, picture);
  if (frame === undefined)
    throw new UsageError(`${what} is ${typeAndDims(wanted)}: a picture needs axes for height, width and channels`);
  const type = pictureType(wanted.type);
  if (type === undefined)
    throw new UsageError(
      `${what} is ${typeAndDims(wanted)}: a picture needs a type of floats, or of integers up to 255`,
    );
  const steps: ImageOptions = preset ? ops.presets[preset as 'imagenet'] : {};
  // A preset that crops has sizes of its own.
  const resize = frame.resize !== undefined && steps.crop === undefined ? frame.resize : steps.resize;
  const elements: Tensor = ops.fromImage(picture, { ...frame, ...steps, resize, type });
  const isWhole = preset !== undefined || type === 'uint8';
  const tensor = isWhole ? elements : (ops.div(elements, ops.tensor(type, [255], [])) as Tensor);
  const isFlat = wanted.dims?.length === 2;
  const shaped: Tensor = isFlat ? ops.reshape(tensor, tensor.dims.slice(0, 2)) : tensor;
  return shaped.type === wanted.type ? shaped : (ops.cast(shaped, { to: wanted.type }) as Tensor);
}

/** Samples of one channel, or of all where the declared dims ask for as many; other axes have size 1. */
function soundTensor(ops: Runtime, sound: WavSound, wanted: Wanted, what: string, rate?: number): Tensor {
  const { dims, type } = wanted;
  if (!/^b?float/.test(type) || dims?.length === 0)
    throw new UsageError(`${what} is ${typeAndDims(wanted)}: a sound needs a type of floats, and an axis`);
  const { numberOfChannels: channels, sampleRate: from } = sound;
  const rank = dims?.length ?? 1;
  const isApart = channels > 1 && dims?.at(-2) === channels;
  const parts = isApart
    ? Array.from({ length: channels }, (_, i) => ops.fromAudio(sound.getChannelData(i), { from, to: rate }))
    : [ops.fromAudio(sound, { to: rate })];
  const samples = parts.length > 1 ? (ops.concat(parts, { axis: 0 }) as Tensor) : (parts[0] as Tensor);
  const ones = Array(Math.max(rank - (isApart ? 2 : 1), 0)).fill(1);
  const shape = [...ones, ...(isApart ? [channels] : []), parts[0]?.dims[0] ?? 0];
  const shaped: Tensor = ops.reshape(samples, shape, { allowzero: 1 }); // a sound may have no samples
  return shaped.type === type ? shaped : (ops.cast(shaped, { to: type }) as Tensor);
}
