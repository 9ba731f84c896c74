// The options of `fromImage` that fields say, the fields that options say, and the steps of a sound.
import type { ImageOptions, LogMelOptions } from 'broadloom';
import { ListError, quote } from '../values/list-error.js';
import { type ImageField, type ImageFields, imageWords, noSteps, type SoundFields } from './draft.js';

/** The mistake in a field. */
export class FieldError extends Error {
  readonly field: string;
  readonly reason: ListError;
  constructor(field: string, reason: ListError) {
    super(reason.message);
    this.field = field;
    this.reason = reason;
  }
}

/** A number, or a fraction such as 1/255. */
function numberOf(field: string, word: string, index: number): number {
  const [above = '', below, ...more] = word.split('/');
  const number = Number(above) / (below === undefined ? 1 : Number(below));
  if (above === '' || below === '' || more.length > 0 || !Number.isFinite(number))
    throw new FieldError(field, new ListError('noNumber', index, quote(word)));
  return number;
}

/** The numbers of a text: between commas or spaces. */
export function numbersOf(field: string, text: string): number[] {
  const words = text
    .trim()
    .replace(/^\[(.*)\]$/, '$1')
    .replaceAll(/\s*\/\s*/g, '/')
    .split(/\s*[,\s]\s*/)
    .filter((word) => word !== '');
  return words.map((word, i) => numberOf(field, word, i));
}

/** The value of a field: undefined, a number, or a list. */
function perChannel(field: ImageField, text: string): number | number[] | undefined {
  const numbers = numbersOf(field, text);
  return numbers.length > 1 ? numbers : numbers[0];
}

function cropOf(text: string): ImageOptions['crop'] {
  const numbers = numbersOf('crop', text);
  if (numbers.length === 0 || numbers.length === 2) return numbers.length === 0 ? undefined : numbers;
  if (numbers.length !== 4) throw new FieldError('crop', new ListError('cropCount', numbers.length));
  const [top, left, height, width] = numbers as [number, number, number, number];
  return { top, left, height, width };
}

function resizeOf(text: string): ImageOptions['resize'] {
  const numbers = numbersOf('resize', text);
  return numbers.length === 1 ? numbers[0] : numbers.length === 0 ? undefined : numbers;
}

/**
 * The options, in the order of the steps, without those that are defaults.
 *
 * @throws FieldError for texts that cannot be read; the library checks what the numbers are
 */
export function imageOptions(fields: ImageFields): ImageOptions {
  const { fit, position, filter, antialias, channels, layout, type } = fields;
  const scale = numbersOf('scale', fields.scale);
  if (scale.length > 1) throw new FieldError('scale', new ListError('count', scale.length, 1));
  const all = {
    resize: resizeOf(fields.resize),
    fit,
    position,
    filter,
    antialias,
    crop: cropOf(fields.crop),
    fill: perChannel('fill', fields.fill),
    channels,
    layout,
    type,
    scale: scale[0],
    mean: perChannel('mean', fields.mean),
    std: perChannel('std', fields.std),
  };
  const words: { readonly [name: string]: readonly string[] } = imageWords;
  const given = Object.entries(all).filter(([name, value]) => value !== undefined && value !== words[name]?.[0]);
  return Object.fromEntries(
    given.map(([name, value]) => [name, name === 'antialias' ? value === 'true' : value]),
  ) as ImageOptions;
}

/** Factors that people write as fractions. */
const fractions: readonly (readonly [number, string])[] = [
  [1 / 255, '1/255'],
  [1 / 127.5, '1/127.5'],
];

function textOf(value: unknown): string {
  if (typeof value === 'number') return fractions.find(([number]) => number === value)?.[1] ?? String(value);
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  if (typeof value !== 'object' || value === null) return value === undefined ? '' : String(value);
  const { top, left, height, width } = value as { [name: string]: number };
  return [top, left, height, width].join(', ');
}

/** The fields that give the options. */
export function fieldsOfOptions(options: ImageOptions): ImageFields {
  const given = Object.entries(options).map(([name, value]) => [name, textOf(value)]);
  return { ...noSteps, ...Object.fromEntries(given) };
}

/** Names of presets that are alike, the first one of each group being its own. */
export function presetGroups(presets: { readonly [name: string]: ImageOptions }): ReadonlyMap<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const [name, options] of Object.entries(presets)) {
    const first = presetOf(fieldsOfOptions(options), presets) as string;
    groups.set(first, [...(groups.get(first) ?? []), name]);
  }
  return groups;
}

/** The name of the first preset that has these fields. */
export function presetOf(fields: ImageFields, presets: { readonly [name: string]: ImageOptions }): string | undefined {
  const names = Object.keys(noSteps) as ImageField[];
  return Object.keys(presets).find((preset) => {
    const own = fieldsOfOptions(presets[preset] as ImageOptions);
    return names.every((name) => own[name] === fields[name].trim());
  });
}

/** Options of `logMel` by the names of presets. */
export interface SoundPresets {
  readonly [name: string]: LogMelOptions;
}

/** Fields of a sound as numbers. */
export interface SoundSteps {
  readonly rate: number;
  readonly features: string;
  /** Samples that the sound is cut or padded to; none: its own. */
  readonly length: number | undefined;
  readonly bins: number;
}

/** @throws FieldError */
export function soundSteps({ rate, features, seconds, bins }: SoundFields): SoundSteps {
  const one = (field: string, text: string, otherwise?: number): number => {
    const numbers = numbersOf(field, text);
    const number = numbers[0] ?? otherwise;
    if (number === undefined || numbers.length > 1)
      throw new FieldError(field, new ListError('count', numbers.length, 1));
    return number;
  };
  const hertz = one('rate', rate, 16000);
  const length = seconds.trim() === '' ? undefined : Math.round(one('seconds', seconds) * hertz);
  return { rate: hertz, features, length, bins: one('bins', bins, 80) };
}
