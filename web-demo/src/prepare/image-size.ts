import type { ImageOptions, Tensor } from 'broadloom';

/** The height and the width of an image in a layout. */
export function sizeOf({ dims }: Pick<Tensor, 'dims'>, layout: ImageOptions['layout']): [number, number] {
  const sizes = layout === 'nhwc' || layout === 'hwc' ? dims.slice(-3, -1) : dims.slice(-2);
  return sizes as unknown as [number, number];
}
