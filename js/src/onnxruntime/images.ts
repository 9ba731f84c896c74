import { show } from '../basics/show.js';
import { arrayName } from '../basics/typed-arrays.js';
import { OnnxError } from '../entries/index.js';
import { newPicture, type Picture } from '../image/picture.js';
import type { ImageSource, PixelData } from '../image/source.js';
import type { AnyTensor } from '../tensor/tensor.js';
import { host } from './env.js';
import { readFile } from './files.js';
import type {
  ImageFormat,
  OptionsNormalizationParameters,
  TensorFromImageDataOptions,
  TensorToImageDataOptions,
} from './tensor-options.js';

/** A picture's pixels, and what a tensor must have to become one. */
interface Elements {
  readonly type: string;
  readonly dims: readonly number[];
  readonly data: ArrayLike<unknown>;
}

/** For each channel in the order of the tensor, its place in a pixel of red, green, blue and alpha. */
const orders: Readonly<Record<ImageFormat, readonly number[]>> = {
  RGB: [0, 1, 2],
  RGBA: [0, 1, 2, 3],
  BGR: [2, 1, 0],
  RBG: [0, 2, 1],
};

function choice<T extends string>(name: string, value: unknown, known: readonly T[], otherwise: T): T {
  if (value === undefined) return otherwise;
  if (known.includes(value as T)) return value as T;
  throw new TypeError(`${name} is ${show(value)}, wanted ${known.join(', ')}`);
}

const formatOf = (name: string, value: unknown) => choice(name, value, Object.keys(orders) as ImageFormat[], 'RGB');
const isNhwc = (value: unknown) => choice('tensorLayout', value, ['NCHW', 'NHWC'], 'NCHW') === 'NHWC';

function normOf(
  name: 'mean' | 'bias',
  { norm }: OptionsNormalizationParameters,
  otherwise: number,
): (channel: number) => number {
  const value: unknown = norm?.[name] ?? otherwise;
  if (typeof value === 'number') return () => value;
  const isList = Array.isArray(value) && (value.length === 3 || value.length === 4);
  if (!isList || !value.every((one) => typeof one === 'number'))
    throw new TypeError(`norm.${name} is ${show(value)}, wanted a number, or one for each channel`);
  return (channel) => value[channel] ?? otherwise;
}

function sideOf(name: string, value: unknown, otherwise: number): number {
  if (value === undefined) return otherwise;
  if (Number.isSafeInteger(value) && (value as number) > 0) return value as number;
  throw new TypeError(`${name} is ${show(value)}, wanted pixels`);
}

/** The pixels of an image, row by row, in the sizes that the options want. */
async function pixelsOf(
  image: unknown,
  channels: 'rgb' | 'rgba',
  options: TensorFromImageDataOptions,
): Promise<PixelData> {
  const ops = await host.withRuntime((runtime) => runtime);
  const wanted = { type: 'uint8', layout: 'hwc', channels } as const;
  const bytes = typeof image === 'string' ? await readFile(image, 'Tensor.fromImage') : undefined;
  const pixels = taken(
    bytes === undefined
      ? ops.fromImage(image as ImageSource, wanted)
      : await ops.readImage(new Blob([bytes as Uint8Array<ArrayBuffer>]), wanted).catch((cause) => {
          throw new OnnxError('INVALID_ARGUMENT', `Tensor.fromImage: ${show(image)} cannot be read: ${cause.message}`, {
            cause,
          });
        }),
  );
  const resize = [
    sideOf('resizedHeight', options.resizedHeight, pixels.height),
    sideOf('resizedWidth', options.resizedWidth, pixels.width),
  ];
  const isResized = resize[0] !== pixels.height || resize[1] !== pixels.width;
  return isResized ? taken(ops.fromImage(pixels, { ...wanted, resize })) : pixels;
}

/** The pixels of a tensor of bytes with the dims [height, width, channels], which is disposed of. */
function taken(tensor: AnyTensor): PixelData & { readonly data: Uint8Array } {
  const [height, width, channels] = tensor.dims as [number, number, number];
  const data = tensor.toArray() as Uint8Array;
  tensor.dispose();
  return { data, width, height, channels };
}

/** Makes the tensor of `Tensor.fromImage`. */
export async function imageToTensor(image: unknown, given: unknown) {
  const options = (given ?? {}) as TensorFromImageDataOptions;
  const order = orders[formatOf('tensorFormat', options.tensorFormat)];
  const hasInnermostChannels = isNhwc(options.tensorLayout);
  const type = choice('dataType', options.dataType, ['float32', 'uint8'], 'float32');
  const bias = normOf('bias', options, 0);
  const mean = normOf('mean', options, type === 'uint8' ? 1 : 255);
  const { data, width, height } = await pixelsOf(image, order.length === 4 ? 'rgba' : 'rgb', options);
  const depth = order.length;
  const plane = width * height;
  const elements = type === 'uint8' ? new Uint8ClampedArray(depth * plane) : new Float32Array(depth * plane);
  for (const [place, channel] of order.entries()) {
    // All bytes have the element that one byte has.
    const table = Float64Array.from({ length: 256 }, (_, byte) => (byte + bias(channel)) / mean(channel));
    const [start, step] = hasInnermostChannels ? [place, depth] : [place * plane, 1];
    for (let i = 0; i < plane; i++) elements[start + i * step] = table[data[i * depth + channel] as number] as number;
  }
  const dims = hasInnermostChannels ? [1, height, width, depth] : [1, depth, height, width];
  return { type, data: type === 'uint8' ? new Uint8Array(elements.buffer) : elements, dims };
}

/** Makes the picture of `toImageData`. */
export function tensorToImageData(tensor: Elements, given: unknown): Picture {
  const options = (given ?? {}) as TensorToImageDataOptions;
  const hasInnermostChannels = isNhwc(options.tensorLayout);
  const { dims, type, data } = tensor;
  const [height, width, depth] = (hasInnermostChannels ? dims.slice(1) : [dims[2], dims[3], dims[1]]) as number[];
  const isPicture = dims.length === 4 && dims[0] === 1 && [1, 3, 4].includes(depth as number);
  const hasNumbers = /^(float(32|64)|u?int(8|16|32)|bool)$/.test(type) || arrayName(data) === 'Float16Array';
  if (!isPicture || !hasNumbers)
    throw new Error(
      `A picture is made of numbers such as float32 [1, C, H, W] with 1, 3 or 4 channels, not of ${type} [${dims}]`,
    );
  const order = orders[formatOf('format', options.format)];
  if (options.format !== undefined && depth !== 1 && order.length !== depth)
    throw new Error(`format is ${options.format}, and the tensor has ${depth} channels`);
  const bias = normOf('bias', options, 0);
  const mean = normOf('mean', options, type === 'uint8' ? 1 : 255);
  const plane = (height as number) * (width as number);
  const pixels = new Uint8ClampedArray(4 * plane).fill(255);
  for (const [at, channel] of order.entries()) {
    const place = depth === 1 ? 0 : at;
    if (depth === 1 && channel === 3) continue;
    const [start, step] = hasInnermostChannels ? [place, depth as number] : [place * plane, 1];
    const [subtrahend, factor] = [bias(channel), mean(channel)];
    for (let i = 0; i < plane; i++)
      pixels[4 * i + channel] = ((data[start + i * step] as number) - subtrahend) * factor;
  }
  return newPicture(pixels, width as number, height as number);
}

interface Canvas {
  width: number;
  height: number;
  getContext(kind: '2d'): { putImageData(image: Picture, x: number, y: number): void } | null;
  toDataURL(): string;
}

/** Makes the address of `toDataURL`, by a canvas of the page. */
export function tensorToDataUrl(tensor: Elements, options: unknown): string {
  const { document } = globalThis as { document?: { createElement(name: 'canvas'): Canvas } };
  if (document === undefined) throw new Error('toDataURL needs a page: toImageData() gives the pixels');
  const picture = tensorToImageData(tensor, options);
  const canvas = document.createElement('canvas');
  canvas.width = picture.width;
  canvas.height = picture.height;
  canvas.getContext('2d')?.putImageData(picture, 0, 0);
  return canvas.toDataURL();
}
