// Which inputs of a model can be fed with a picture or a sound, by their declarations alone.
import type { ValueInfo } from 'broadloom';
import type { PictureValues } from '../drafts.js';
import { typeRow } from '../facts.js';

/** A state that a run leaves for the next one. */
export function isState({ name, dims }: ValueInfo): boolean {
  return (dims?.length ?? 0) > 1 && /state|hidden|cell|cache|past|(?:^|[^a-z])[hc](?:_?(?:0|in))?$/i.test(name);
}

/** Axes of pictures and sounds are at least as long as these where they are known. */
const leastSide = 8;
const leastSamples = 64;

const isOpen = (dim: unknown): boolean => typeof dim !== 'number';
const isLong = (dim: unknown, least: number): boolean => typeof dim !== 'number' || dim >= least;

function isNumeric({ type }: ValueInfo): boolean {
  if (type === null) return false;
  const { kind, bits } = typeRow(type);
  return (
    kind !== 'string' &&
    kind !== 'boolean' &&
    kind !== 'complex' &&
    bits >= 8 &&
    !(kind.endsWith('integer') && bits > 32)
  );
}

/** The layout of an input that looks like a picture. */
export function pictureLayout(input: ValueInfo): PictureValues['layout'] | undefined {
  const { dims } = input;
  if (dims === null || dims.length < 3 || dims.length > 4 || !isNumeric(input) || isState(input)) return undefined;
  const [a, b, c] = dims.slice(-3);
  // With three axes, an open size does not tell channels from sides.
  const isChannels = (dim: unknown): boolean =>
    dims.length === 4 ? [1, 3, 4].includes(dim as number) : [3, 4].includes(dim as number);
  const areSides = (...sides: unknown[]): boolean => sides.every((side) => isLong(side, leastSide));
  if (isChannels(a) && areSides(b, c)) return 'NCHW';
  if (isChannels(c) && areSides(a, b)) return 'NHWC';
  return dims.length === 4 && isOpen(a) && isOpen(b) && isOpen(c) ? 'NCHW' : undefined;
}

/** Whether an input looks like samples of a sound: one long axis after axes of 1. */
export function holdsSamples(input: ValueInfo): boolean {
  const { type, dims } = input;
  if (type !== 'float32' || dims === null || dims.length < 1 || dims.length > 3 || isState(input)) return false;
  const before = dims.slice(0, -1);
  const isRow = before.every((dim, axis) => dim === 1 || (axis === 0 && isOpen(dim)));
  return isRow && isLong(dims.at(-1), leastSamples);
}

export type MediaKind = 'picture' | 'sound';

export function mediaOf(input: ValueInfo): readonly MediaKind[] {
  return [
    ...(pictureLayout(input) === undefined ? [] : (['picture'] as const)),
    ...(holdsSamples(input) ? (['sound'] as const) : []),
  ];
}
