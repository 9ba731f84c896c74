// The steps of a picture as a graph of ONNX's operators, for pictures of any size: bytes [1, height, width, 3] go in.
import type { ImageOptions } from 'broadloom';
import { typeId } from '../../../shared/onnx.js';
import { type ElementType, GraphWriter } from './onnx-writer.js';

/** Resize has antialias from here on. */
const opset = 18;

/** Why there is no such graph. */
export type NoOnnx = { readonly why: 'filter' | 'rgba' | 'sound'; readonly word: string };

const modes: { readonly [filter: string]: string } = { nearest: 'nearest', bilinear: 'linear', bicubic: 'cubic' };

export function noImageOnnx({ filter = 'bilinear', channels, resize }: ImageOptions): NoOnnx | undefined {
  if (channels === 'rgba') return { why: 'rgba', word: channels };
  if (resize !== undefined && modes[filter] === undefined) return { why: 'filter', word: filter };
  return undefined;
}

/** Sizes and places of the graph: values of two int64 each, of height and width. */
interface Geometry {
  readonly resized: string;
  /** Where the output begins in the resized picture; negative where it is filled. None: at the corner. */
  readonly start: string | undefined;
  readonly extent: string;
}

class ImageGraph extends GraphWriter {
  pair(values: readonly number[]): string {
    return this.constant('int64', [2], values);
  }

  /** One of a pair, as a list of one. */
  entry(pair: string, index: number): string {
    const at = (place: number): string => this.constant('int64', [1], [place]);
    return this.node('Slice', [pair, at(index), at(index + 1)]);
  }

  double(values: readonly number[]): string {
    return this.constant('float64', values.length === 1 ? [] : [values.length], values);
  }

  cast(value: string, type: ElementType): string {
    return this.node('Cast', [value], { to: typeId(type) });
  }

  /** Halves go to the even neighbour. */
  rounded(value: string): string {
    return this.cast(this.node('Round', [value]), 'int64');
  }

  /** Half of what is cut off, rounded to even; half of what is added, rounded down. */
  centered(size: string, wanted: string): string {
    const cut = this.cast(this.node('Sub', [size, wanted]), 'float64');
    const half = this.node('Div', [cut, this.double([2])]);
    const isCut = this.node('GreaterOrEqual', [half, this.double([0])]);
    return this.cast(this.node('Where', [isCut, this.node('Round', [half]), this.node('Ceil', [half])]), 'int64');
  }
}

/** `resize`: the size of the picture, and which part of it is kept. */
function resized(graph: ImageGraph, size: string, options: ImageOptions): Geometry {
  const { resize, fit = 'fill', position = 'center' } = options;
  const atCorner = { start: undefined };
  if (resize === undefined) return { resized: size, ...atCorner, extent: size };
  if (typeof resize === 'number') {
    const shorter = graph.node('ReduceMin', [size], { keepdims: 1 });
    const times = graph.node('Mul', [size, graph.constant('int64', [1], [resize])]);
    const to = graph.node('Div', [times, shorter]);
    return { resized: to, ...atCorner, extent: to };
  }
  const extent = graph.pair(resize);
  if (fit === 'fill') return { resized: extent, ...atCorner, extent };
  const exact = graph.cast(size, 'float64');
  const ratios = graph.node('Div', [graph.double(resize), exact]);
  const ratio = graph.node(fit === 'contain' ? 'ReduceMin' : 'ReduceMax', [ratios], { keepdims: 1 });
  const to = graph.node('Max', [graph.rounded(graph.node('Mul', [exact, ratio])), graph.pair([1, 1])]);
  if (position === 'top-left') return { resized: to, ...atCorner, extent };
  if (fit === 'cover') return { resized: to, start: graph.centered(to, extent), extent };
  const rest = graph.cast(graph.node('Sub', [extent, to]), 'float64');
  const half = graph.node('Sub', [graph.node('Div', [rest, graph.double([2])]), graph.double([0.1])]);
  return { resized: to, start: graph.node('Neg', [graph.rounded(half)]), extent };
}

function cropped(graph: ImageGraph, before: Geometry, { crop }: ImageOptions): Geometry {
  if (crop === undefined) return before;
  const isBox = 'top' in crop;
  const extent = graph.pair(isBox ? [crop.height, crop.width] : crop);
  const more = isBox ? graph.pair([crop.top, crop.left]) : graph.centered(before.extent, extent);
  return { ...before, start: before.start === undefined ? more : graph.node('Add', [before.start, more]), extent };
}

/** The picture as floats [1, channels, height, width]. */
function withChannels(graph: ImageGraph, bytes: string, channels: ImageOptions['channels']): string {
  const order = channels === 'bgr' ? graph.constant('int64', [3], [2, 1, 0]) : undefined;
  const pixels = order === undefined ? bytes : graph.node('Gather', [bytes, order], { axis: 3 });
  const floats = graph.cast(pixels, 'float32');
  if (channels !== 'gray') return graph.node('Transpose', [floats], { perm: [0, 3, 1, 2] });
  // Pillow's weights in units of 1 / 65536: sums of products are exact in float32.
  const weights = graph.constant('float32', [3, 1], [19595, 38470, 7471]);
  const sums = graph.node('Add', [graph.node('MatMul', [floats, weights]), graph.constant('float32', [], [32768])]);
  const levels = graph.node('Floor', [graph.node('Div', [sums, graph.constant('float32', [], [65536])])]);
  return graph.node('Transpose', [levels], { perm: [0, 3, 1, 2] });
}

/** Levels from 0 to 255: halves are rounded up. */
function levels(graph: ImageGraph, picture: string, isCubic: boolean): string {
  const number = (value: number): string => graph.constant('float32', [], [value]);
  const rounded = graph.node('Floor', [graph.node('Add', [picture, number(0.5)])]);
  return isCubic ? graph.node('Clip', [rounded, number(0), number(255)]) : rounded;
}

/** Rows and then columns get their length, with whole levels between the passes as Pillow has them; else both at once. */
function resizedPicture(graph: ImageGraph, picture: string, size: string, to: string, options: ImageOptions): string {
  const { filter = 'bilinear', antialias = true, channels } = options;
  const mode = modes[filter] as string;
  const isCubic = mode === 'cubic';
  const isAveraged = antialias && mode !== 'nearest';
  const batchAndChannels = graph.pair([1, channels === 'gray' ? 1 : 3]);
  // All sizes are given: onnxruntime fails on some graphs whose Resize or Pad has axes beside a Transpose.
  const pass = (value: string, heightAndWidth: readonly string[]): string => {
    const sizes = graph.node('Concat', [batchAndChannels, ...heightAndWidth], { axis: 0 });
    return graph.node('Resize', [value, '', '', sizes], {
      ...{ mode, coordinate_transformation_mode: 'half_pixel' },
      ...(isAveraged && { antialias: 1, exclude_outside: 1 }),
      ...(isCubic && { cubic_coeff_a: { float: -0.5 } }),
      ...(mode === 'nearest' && { nearest_mode: 'round_prefer_ceil' }),
    });
  };
  if (mode === 'nearest') return pass(picture, [to]);
  if (!antialias) return levels(graph, pass(picture, [to]), isCubic);
  const wide = levels(graph, pass(picture, [graph.entry(size, 0), graph.entry(to, 1)]), isCubic);
  return levels(graph, pass(wide, [to]), isCubic);
}

/** Numbers for each channel, as [1, channels, 1, 1]; one number is alike for all. */
function perChannel(graph: ImageGraph, given: number | readonly number[]): string {
  const numbers = [given].flat() as number[];
  return graph.constant('float32', numbers.length === 1 ? [] : [1, numbers.length, 1, 1], numbers);
}

/** The part of the picture that is kept, with what is filled around it. */
function keptPart(
  graph: ImageGraph,
  picture: string,
  { resized, start, extent }: Geometry,
  fill: number | readonly number[],
) {
  const zero = graph.pair([0, 0]);
  const from = start ?? zero;
  const first = graph.node('Max', [from, zero]);
  const before = graph.node('Max', [graph.node('Neg', [from]), zero]);
  const end = graph.node('Add', [from, extent]);
  const after = graph.node('Max', [graph.node('Sub', [end, resized]), zero]);
  const pads = graph.node('Concat', [zero, before, zero, after], { axis: 0 });
  const axes = graph.pair([2, 3]);
  // Pad knows one number for all channels: it adds zeros to the distance from the colour.
  const isZero = [fill].flat().every((level) => level === 0);
  const colour = isZero ? undefined : perChannel(graph, fill);
  const shifted = colour === undefined ? picture : graph.node('Sub', [picture, colour]);
  const padded = graph.node('Pad', [shifted, pads]);
  const filled = colour === undefined ? padded : graph.node('Add', [padded, colour]);
  return graph.node('Slice', [filled, first, graph.node('Add', [first, extent]), axes]);
}

/** Element = (byte * scale - mean) / std. */
function scaled(graph: ImageGraph, picture: string, { scale, mean, std }: ImageOptions): string {
  let value = picture;
  if (scale !== undefined) value = graph.node('Mul', [value, graph.constant('float32', [], [scale])]);
  if (mean !== undefined) value = graph.node('Sub', [value, perChannel(graph, mean)]);
  if (std !== undefined) value = graph.node('Div', [value, perChannel(graph, std)]);
  return value;
}

/** The .onnx file. `sizes` are the height and the width of the result, which not every picture need have. */
export function imageModel(options: ImageOptions, [height, width]: readonly [number, number]): Uint8Array {
  const graph = new ImageGraph();
  const { channels = 'rgb', layout = 'nchw', type = 'float32', resize, crop, fill = 0 } = options;
  const bytes = graph.input('image', 'uint8', [1, 'height', 'width', 3]);
  const size = graph.node('Shape', [bytes], { start: 1, end: 3 });
  const kept = resized(graph, size, options);
  const geometry = cropped(graph, kept, options);
  let picture = withChannels(graph, bytes, channels);
  if (resize !== undefined) picture = resizedPicture(graph, picture, size, geometry.resized, options);
  if (geometry.extent !== geometry.resized) picture = keptPart(graph, picture, geometry, fill);
  picture = scaled(graph, picture, options);
  if (type !== 'float32') picture = graph.cast(picture, type);
  const isFixed = crop !== undefined || typeof resize === 'object';
  const [rows, columns] = isFixed ? [height, width] : ['rows', 'columns'];
  const count = channels === 'gray' ? 1 : 3;
  if (layout === 'nhwc' || layout === 'hwc') picture = graph.node('Transpose', [picture], { perm: [0, 2, 3, 1] });
  const [first, second, third] = layout.endsWith('hwc') ? [rows, columns, count] : [count, rows, columns];
  const hasBatch = layout.length === 4;
  if (!hasBatch) picture = graph.node('Squeeze', [picture, graph.constant('int64', [1], [0])]);
  const dims = [first, second, third] as (number | string)[];
  graph.output(picture, 'tensor', type, hasBatch ? [1, ...dims] : dims);
  return graph.model('prepare', opset);
}
