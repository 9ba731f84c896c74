import { invalidArgument } from '../basics/error.js';
import { isList, lengthOfList, readIntegers } from '../basics/lists.js';
import { checkedOptions } from '../basics/names.js';
import { isPlainObject } from '../basics/plain.js';
import { show } from '../basics/show.js';
import { readFlag, readWord } from '../basics/words.js';
import { channelNames, filters, fits, imageLayouts } from '../calls/bindings.generated.js';
import type { Memory } from '../calls/memory.js';
import { dtypeOf } from '../tensor/types.js';

/** The types of elements that {@link ImageMethods.fromImage} makes. */
export type ImageType = 'float32' | 'float16' | 'float64' | 'uint8';

/** A number for all channels, or one for each channel of the result. */
export type PerChannel = number | readonly number[];

/** How elements are made of bytes, and bytes of elements: element = (byte * scale - mean) / std. */
export interface PixelScale {
  /** Factor of a byte, such as 1 / 255. Default: 1. */
  readonly scale?: number | undefined;
  /** Is subtracted from the scaled byte. Default: 0. */
  readonly mean?: PerChannel | undefined;
  /** Divides what is left. Default: 1. */
  readonly std?: PerChannel | undefined;
}

/** Options of {@link ImageMethods.fromImage}. A step whose option is left out is not done. */
export interface ImageOptions<T extends ImageType = ImageType> extends PixelScale {
  /**
   * The size that the image gets: the length of its shorter side (the longer one is rounded down, as torchvision's `Resize`
   * does), or `[height, width]`.
   */
  readonly resize?: number | readonly number[] | undefined;
  /**
   * How the image gets `[height, width]`: `fill` (default) stretches it; `cover` keeps its proportions and cuts off evenly what
   * is too much; `contain` keeps its proportions and puts it into the middle of `fill`, as Ultralytics' `LetterBox` does.
   */
  readonly fit?: 'fill' | 'cover' | 'contain' | undefined;
  /** Where `contain` puts the image, and which part `cover` keeps. Default: `center`. */
  readonly position?: 'center' | 'top-left' | undefined;
  /** The filter of the resize, as Pillow defines it. Default: `bilinear`. */
  readonly filter?: 'nearest' | 'box' | 'bilinear' | 'hamming' | 'bicubic' | 'lanczos' | undefined;
  /** `false` samples two by two pixels, however small the image gets, as OpenCV's `INTER_LINEAR` does. Default: `true`. */
  readonly antialias?: boolean | undefined;
  /**
   * The part that is kept after the resize: `[height, width]` from the middle, as torchvision's `CenterCrop` does, or a box.
   * Parts outside of the image are filled.
   */
  readonly crop?: readonly number[] | Box | undefined;
  /** The byte, or the byte of each channel, where there is no image. Default: 0. */
  readonly fill?: PerChannel | undefined;
  /** The channels of the result, into which pixels are converted first. `gray` is Pillow's `L`. Default: `rgb`. */
  readonly channels?: 'rgb' | 'bgr' | 'rgba' | 'gray' | undefined;
  /** The axes of the result: batch, channels, height and width. Default: `nchw`. */
  readonly layout?: ImageLayout | undefined;
  /** The element type. `uint8` are the bytes themselves. Default: `float32`. */
  readonly type?: T | undefined;
}

/** The order of the axes of a tensor with images. */
export type ImageLayout = 'nchw' | 'nhwc' | 'chw' | 'hwc';

/** A part of an image, in pixels. */
export interface Box {
  /** The first row. */
  readonly top: number;
  /** The first column. */
  readonly left: number;
  /** How many rows. */
  readonly height: number;
  /** How many columns. */
  readonly width: number;
}

/** Options of {@link ImageMethods.toImageData}. */
export interface PictureOptions extends PixelScale {
  /** The order of the tensor's axes. Default: `nchw`. */
  readonly layout?: ImageLayout | undefined;
  /** The order of the tensor's colours. Default: `rgb`. */
  readonly channels?: 'rgb' | 'bgr' | undefined;
}

const positions = ['center', 'top-left'];
const types = ['float32', 'float16', 'float64', 'uint8'];
const box = ['top', 'left', 'height', 'width'];
const scaleNames = ['scale', 'mean', 'std'];
const steps = ['resize', 'fit', 'position', 'filter', 'antialias', 'crop', 'fill', 'channels', 'layout', 'type'];
const names = [...steps, ...scaleNames];

/** Options that were read, in the order in which the core takes them: a list is written with its length. @internal */
export type ReadOptions = readonly (number | readonly number[])[];

/** Reads the options of a call of `fromImage`: from here on, no code of the user's runs. The core checks their values. @internal */
export function readImageOptions(method: string, given: unknown): ReadOptions {
  const options = checkedOptions(`${method}: `, given as ImageOptions, names);
  const choice = (name: keyof ImageOptions, known: readonly string[], otherwise: string) =>
    known.indexOf(readWord(method, name, options[name], known, otherwise));
  return [
    readResize(method, options.resize),
    choice('fit', fits, 'fill'),
    choice('position', positions, 'center'),
    choice('filter', filters, 'bilinear'),
    readFlag(method, 'antialias', options.antialias, true) ? 1 : 0,
    readCrop(method, options.crop),
    readNumbers(method, 'fill', options.fill),
    choice('channels', channelNames, 'rgb'),
    choice('layout', imageLayouts, 'nchw'),
    dtypeOf(readWord(method, 'type', options.type, types, 'float32'))?.id as number,
    ...readScale(method, options),
  ];
}

/** Reads the options of a call of `toImageData`. @internal */
export function readPictureOptions(method: string, given: unknown): ReadOptions {
  const options = checkedOptions(`${method}: `, given as PictureOptions, ['layout', 'channels', ...scaleNames]);
  return [
    imageLayouts.indexOf(readWord(method, 'layout', options.layout, imageLayouts, 'nchw')),
    readWord(method, 'channels', options.channels, ['rgb', 'bgr'], 'rgb') === 'bgr' ? 1 : 0,
    ...readScale(method, options),
  ];
}

/** @internal */
export function writeOptions(memory: Memory, options: ReadOptions): void {
  for (const value of options) {
    if (typeof value === 'number') memory.number(value);
    else memory.numbers(value);
  }
}

function readScale(method: string, { scale, mean, std }: PixelScale): readonly number[][] {
  return Object.entries({ scale, mean, std }).map(([name, value]) => readNumbers(method, name, value));
}

function readResize(method: string, value: unknown): number[] {
  if (value === undefined) return [];
  if (Number.isSafeInteger(value)) return [value as number];
  if (!isList(value))
    throw invalidArgument(
      `${method}: resize is ${show(value)}, wanted the shorter side, an integer, or [height, width]`,
    );
  if (lengthOfList(value, `${method}: resize`) !== 2)
    throw invalidArgument(`${method}: resize has ${value.length} sizes, wanted [height, width]`);
  return readIntegers(value, `${method}: resize`);
}

function readCrop(method: string, value: unknown): number[] {
  if (value === undefined) return [];
  if (isList(value)) {
    if (lengthOfList(value, `${method}: crop`) !== 2)
      throw invalidArgument(`${method}: crop has ${value.length} sizes, wanted [height, width]`);
    return readIntegers(value, `${method}: crop`);
  }
  if (!isPlainObject(value))
    throw invalidArgument(`${method}: crop is ${show(value)}, wanted [height, width], or { top, left, height, width }`);
  const given = checkedOptions(`${method}: crop: `, value, box);
  return box.map((name) => {
    const number = given[name];
    if (!Number.isSafeInteger(number))
      throw invalidArgument(`${method}: crop.${name} is ${show(number)}, wanted an integer`);
    return number as number;
  });
}

/** The list of no number, of one number, or of several. */
function readNumbers(method: string, name: string, value: unknown): number[] {
  if (value === undefined) return [];
  if (typeof value === 'number') return [value];
  if (!isList(value)) throw invalidArgument(`${method}: ${name} is ${show(value)}, wanted a number, or a list of them`);
  const length = lengthOfList(value, name);
  if (length === 0) throw invalidArgument(`${method}: ${name} is an empty list`);
  return Array.from({ length }, (_, i) => {
    const number = value[i];
    if (typeof number !== 'number') throw invalidArgument(`${method}: ${name} has ${show(number)}, wanted a number`);
    return number;
  });
}
