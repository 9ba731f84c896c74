import { invalidArgument } from '../basics/error.js';
import { checkedOptions } from '../basics/names.js';
import { show } from '../basics/show.js';
import { arrayName, lengthOf } from '../basics/typed-arrays.js';
import { logNames, melScales, windowNames } from '../calls/bindings.generated.js';
import type { Context } from '../calls/context.js';
import { freeAll, handleOf, type Literal, makeAll, noTensor, readTensor } from '../tensor/elements.js';
import type { TensorLike } from '../tensor/types.js';
import { optionalNumber } from './sound.js';

/** Samples of one channel: a tensor as {@link SoundMethods.fromAudio} gives it, anything with its three fields, or an array. */
export type Samples = TensorLike<'float32'> | Float32Array;

/** Windows of {@link LogMelOptions} and {@link FbankOptions}. */
export type WindowName = 'hann' | 'hamming' | 'blackman' | 'rectangular' | 'povey';

/**
 * How {@link SoundMethods.logMel} makes a spectrogram. Names come from librosa and torchaudio. The steps are
 *
 * 1. samples: `length` zero-pads or cuts the sound; samples are multiplied by `sampleScale`
 * 2. frames: `fftLength` samples, `hopLength` apart, the `windowLength` in their middle multiplied by the window. With
 * `center`, the middle of frame i is at sample i * hopLength, and the sound is padded by `padMode`
 * 3. spectrum: |FFT|^`power`
 * 4. mel bins: sums with triangular filters
 * 5. logarithm: log(max(sum + `logOffset`, `floor`)); with `log: null`, max(sum + `logOffset`, `floor`) itself
 * 6. what lies more than `range` below the largest element becomes the largest element less `range`
 * 7. result: (x + `offset`) * `scale`
 */
export interface LogMelOptions {
  /** Samples per second. */
  readonly sampleRate: number;
  /** Samples of a transform, at most 2^20; any number is fast whose prime factors are 13 at most. */
  readonly fftLength: number;
  /** Samples of the window, which lies in the middle of the transform. Default: `fftLength`. */
  readonly windowLength?: number | undefined;
  /** Samples from the start of a frame to the start of the next one. */
  readonly hopLength: number;
  /** Default: `'hann'`. */
  readonly window?: WindowName | undefined;
  /** Whether the window's period is its length, as in spectra, or one less, as in filters. Default: true. */
  readonly periodic?: boolean | undefined;
  /** Whether frames lie around their places, and not after them. Default: true. */
  readonly center?: boolean | undefined;
  /** Samples beyond the ends, with `center`: those within mirrored, as NumPy's `pad` does it, or zeros. Default: `'reflect'`. */
  readonly padMode?: 'reflect' | 'constant' | undefined;
  /** Whether the last frame is left out, as Whisper does it. Default: false. */
  readonly dropLast?: boolean | undefined;
  /** 2 for powers, 1 for magnitudes. Default: 2. */
  readonly power?: 1 | 2 | undefined;
  /** How many filters. */
  readonly melBins: number;
  /** Where the first filter starts, in Hz. Default: 0. */
  readonly minFrequency?: number | undefined;
  /** Where the last filter ends, in Hz. Default: half of `sampleRate`. */
  readonly maxFrequency?: number | undefined;
  /** `'slaney'`: linear up to 1000 Hz; `'htk'`: 2595 log10(1 + f / 700). Default: `'slaney'`. */
  readonly melScale?: 'slaney' | 'htk' | undefined;
  /** `'slaney'`: filters have equal areas; null: equal peaks of 1. Default: `'slaney'`. */
  readonly norm?: 'slaney' | null | undefined;
  /** The logarithm; `'decibels'` is 10 log10, and null none. Default: `'log10'`. */
  readonly log?: 'log' | 'log10' | 'decibels' | null | undefined;
  /** Default: 1e-10; with `log: null` 0, which leaves sums as they are. */
  readonly floor?: number | undefined;
  /** Default: 0. */
  readonly logOffset?: number | undefined;
  /** In units of the logarithm; librosa's `top_db`. Default: null, without limit. */
  readonly range?: number | null | undefined;
  /** Default: 0. */
  readonly offset?: number | undefined;
  /** Default: 1. */
  readonly scale?: number | undefined;
  /** 32768 for models that were made for 16-bit samples. Default: 1. */
  readonly sampleScale?: number | undefined;
  /** Samples that the sound is padded with zeros to, or cut at. Default: null, its own. */
  readonly length?: number | null | undefined;
  /** Whether dims are [frames, bins], and not [bins, frames]. Default: false. */
  readonly framesFirst?: boolean | undefined;
}

const whisper = {
  sampleRate: 16000,
  fftLength: 400,
  hopLength: 160,
  dropLast: true,
  melBins: 80,
  range: 8,
  offset: 4,
  scale: 0.25,
} as const;

/**
 * Options of {@link SoundMethods.logMel} by the names that it takes.
 *
 * - `whisper`, `whisper-128`: `log_mel_spectrogram` of openai/whisper, with 80 bins, or 128 as large-v3 has them
 * - `openwakeword`: `melspectrogram.onnx` of openWakeWord, and x / 10 + 2 after it
 */
export const logMelPresets: { readonly [name in 'whisper' | 'whisper-128' | 'openwakeword']: LogMelOptions } =
  /* @__PURE__ */ Object.freeze({
    whisper: /* @__PURE__ */ Object.freeze(whisper),
    'whisper-128': /* @__PURE__ */ Object.freeze({ ...whisper, melBins: 128 }),
    openwakeword: /* @__PURE__ */ Object.freeze({
      sampleRate: 16000,
      fftLength: 512,
      windowLength: 400,
      hopLength: 160,
      center: false,
      melBins: 32,
      minFrequency: 60,
      maxFrequency: 3800,
      log: 'decibels',
      range: 80,
      offset: 20,
      scale: 0.1,
      sampleScale: 32768,
      framesFirst: true,
    }),
  });

const names = [
  ...['sampleRate', 'fftLength', 'windowLength', 'hopLength', 'window', 'periodic', 'center', 'padMode', 'dropLast'],
  ...['power', 'melBins', 'minFrequency', 'maxFrequency', 'melScale', 'norm', 'log', 'floor', 'logOffset', 'range'],
  ...['offset', 'scale', 'sampleScale', 'length', 'framesFirst'],
];

/** Makes the tensor that `logMel` returns. @internal */
export function logMel(context: Context, samples: unknown, options: unknown): void {
  const read = new OptionReader('logMel', presetOf(options), names);
  const sampleRate = read.number('sampleRate');
  const fftLength = read.number('fftLength');
  const log = read.choice('log', logNames, 'log10');
  const numbers = [
    sampleRate,
    fftLength,
    read.number('windowLength', fftLength),
    read.number('hopLength'),
    read.choice('window', windowNames),
    read.flag('periodic', true),
    read.flag('center', true),
    read.choice('padMode', ['constant', 'reflect'], 'reflect'),
    read.flag('dropLast', false),
    read.number('power', 2),
    read.number('melBins'),
    read.number('minFrequency', 0),
    read.number('maxFrequency', sampleRate / 2),
    read.choice('melScale', melScales),
    1 - read.choice('norm', ['slaney', null]),
    log,
    read.number('floor', log === 0 ? 0 : 1e-10),
    read.number('logOffset', 0),
    read.number('range', null) ?? Number.POSITIVE_INFINITY,
    read.number('offset', 0),
    read.number('scale', 1),
    read.number('sampleScale', 1),
    read.length('length'),
    read.flag('framesFirst', false),
  ];
  callWithSamples(context, 'logMel', samples, numbers);
}

function presetOf(options: unknown): unknown {
  if (typeof options !== 'string') return options;
  const known = Object.keys(logMelPresets);
  if (!known.includes(options))
    throw invalidArgument(`logMel: there is no preset ${show(options)}; known: ${known.join(', ')}, or an object`);
  return logMelPresets[options as keyof typeof logMelPresets];
}

/** Reads samples, calls the core's function of the name with the numbers on the page, and leaves its tensor to be taken. @internal */
export function callWithSamples(
  context: Context,
  call: 'logMel' | 'fbank',
  samples: unknown,
  numbers: readonly number[],
): void {
  const { memory } = context;
  const literals: Literal[] = [];
  const array = arrayName(samples) === 'Float32Array' ? (samples as Float32Array) : undefined;
  const value = array === undefined ? samples : { type: 'float32', dims: [lengthOf(array)], data: array };
  const given = readTensor(context, value, literals);
  if (given === undefined) throw noTensor(`${call}: the samples are `, samples);
  try {
    makeAll(context, literals);
    memory.begin();
    for (const number of numbers) memory.number(number);
    memory.check(memory.glue[call](handleOf(given)));
  } finally {
    freeAll(context, literals);
  }
}

/** Reads the options of a call as numbers: values are checked by the core, their JavaScript types here. */
export class OptionReader {
  readonly #call: string;
  readonly #options: { readonly [name: string]: unknown };

  constructor(call: string, options: unknown, known: string[]) {
    this.#call = call;
    this.#options = checkedOptions(`${call}: `, options as { readonly [name: string]: unknown }, known);
  }

  /** A number that must be given. */
  number(name: string): number;
  /** A number, or what stands for it where it is not given. */
  number<T extends number | null>(name: string, otherwise: T): number | T;
  number(name: string, otherwise?: number | null): number | null {
    const value = this.#options[name];
    if (value === null && otherwise === null) return null;
    const number = optionalNumber(this.#call, name, value);
    if (number !== undefined) return number;
    if (otherwise === undefined) throw invalidArgument(`${this.#call}: '${name}' is not given, wanted a number`);
    return otherwise;
  }

  /** A count of samples; -1 where it is not given. */
  length(name: string): number {
    const length = this.number(name, null);
    if (length !== null && !(length >= 0))
      throw invalidArgument(`${this.#call}: '${name}' is ${length}, wanted a count of samples`);
    return length ?? -1;
  }

  /** 1 or 0. */
  flag(name: string, otherwise: boolean): number {
    const value = this.#options[name] ?? otherwise;
    if (typeof value === 'boolean') return value ? 1 : 0;
    throw invalidArgument(`${this.#call}: '${name}' is ${show(value)}, wanted true or false`);
  }

  /** The place of one of the values. */
  choice(name: string, values: readonly (string | null)[], otherwise = values[0]): number {
    const value = this.#options[name];
    const place = values.indexOf(value === undefined ? (otherwise as string | null) : (value as string | null));
    if (place >= 0) return place;
    throw invalidArgument(
      `${this.#call}: '${name}' is ${show(value)}, wanted ${values.map((one) => show(one)).join(', ')}`,
    );
  }
}
