import { invalidArgument } from '../basics/error.js';
import { isList, lengthOfList } from '../basics/lists.js';
import { show } from '../basics/show.js';
import type { Picture } from '../image/picture.js';
import type { Runtime } from '../runtime/runtime.js';
import type { TensorLike } from '../tensor/types.js';
import { call } from './call.js';

/** Red, green, blue and, if it is not opaque, alpha: each from 0 to 255. */
export type Color = readonly number[];

/** Red, green, blue and alpha of a colour that is an option; without it, `otherwise`. */
export function readColor(task: string, name: string, color: unknown, otherwise?: Color): number[] {
  const given = color === undefined ? otherwise : color;
  // One more than there may be: a list can have billions of holes.
  const length = isList(given) ? Math.min(lengthOfList(given, `${task}: ${name}`), 5) : 0;
  const parts = Array.from({ length }, (_, i): unknown => (given as ArrayLike<unknown>)[i]);
  const isRight = (part: unknown) => typeof part === 'number' && part >= 0 && part <= 255;
  if ((parts.length !== 3 && parts.length !== 4) || !parts.every(isRight))
    throw invalidArgument(
      `${task}: ${name} is ${isList(given) ? `[${parts.map(show)}]` : show(given)}, wanted [red, green, blue] or [red, green, blue, alpha], each from 0 to 255`,
    );
  return [...(parts as number[]), ...(parts.length === 3 ? [255] : [])];
}

/** A list of colours that is an option; without it, `otherwise`. */
export function readColors(task: string, colors: unknown, otherwise: readonly Color[], least: number): number[][] {
  const given = colors === undefined ? otherwise : colors;
  const length = Array.isArray(given) ? lengthOfList(given, `${task}: colors`) : 0;
  if (length < least)
    throw invalidArgument(`${task}: colors are ${show(given)}, wanted a list of at least ${least} colors`);
  return Array.from({ length }, (_, i) => readColor(task, `color ${i}`, (given as unknown[])[i]));
}

/** The picture in which each pixel has the colour whose number it is. Numbers are from 0 on, with dims [height, width]. */
export function paint(ops: Runtime, numbers: TensorLike<'int32' | 'int64'>, colors: readonly number[][]): Picture {
  const palette = {
    type: 'uint8',
    dims: [colors.length, 4],
    data: Uint8Array.from(colors.flat(), Math.round),
  } as const;
  return ops.toImageData(call(ops, 'Gather', [palette, numbers], { axis: 0 }), { layout: 'hwc' });
}

/** 256 colours along the way through some. */
export function gradient(stops: readonly number[][]): number[][] {
  return Array.from({ length: 256 }, (_, i) => {
    const place = (i / 255) * (stops.length - 1);
    const left = Math.min(Math.floor(place), stops.length - 2);
    const [from, to] = [stops[left] as number[], stops[left + 1] as number[]];
    return from.map((part, channel) => part + ((to[channel] as number) - part) * (place - left));
  });
}
