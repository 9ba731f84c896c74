// The dims that a picture may have.
import type { PictureValues } from '../drafts.js';

type Layout = PictureValues['layout'];

export interface Plane {
  /** Pictures: the product of the axes before the last three. */
  readonly count: number;
  readonly channels: number;
  readonly height: number;
  readonly width: number;
}

/** The most pixels of a canvas. */
const mostPixels = 2 ** 26;

/** The sizes of the picture that has these dims; undefined if no picture has them. */
export function planeOf(layout: Layout, dims: readonly number[]): Plane | undefined {
  const last = dims.slice(-3);
  const [channels = 0, height = 0, width = 0] = layout === 'NCHW' ? last : [last[2], last[0], last[1]];
  const isPicture = last.length === 3 && [1, 3, 4].includes(channels) && height > 0 && width > 0;
  const count = dims.slice(0, -3).reduce((product, dim) => product * dim, 1);
  return isPicture && height * width <= mostPixels ? { count, channels, height, width } : undefined;
}

/** The layout in which the dims fit a picture; channels first if both layouts fit. */
export function layoutOf(dims: readonly number[]): Layout {
  return !planeOf('NCHW', dims) && planeOf('NHWC', dims) ? 'NHWC' : 'NCHW';
}
