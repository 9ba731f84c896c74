// The messages between the page "Prepare" and the worker.
import type { ImageOptions, ImagePlace } from 'broadloom';
import type { TensorReport } from '../runtime/protocol.js';
import type { SoundSteps } from './options.js';

/** Red, green, blue and opacity of each pixel. */
export interface Pixels {
  readonly data: Uint8ClampedArray<ArrayBuffer>;
  readonly width: number;
  readonly height: number;
}

/** A sound that the browser has decoded. */
export interface Samples {
  readonly channels: readonly Float32Array<ArrayBuffer>[];
  readonly rate: number;
}

/** How far two pictures lie apart, in levels from 0 to 255 of red, green and blue. */
export interface Difference {
  readonly mean: number;
  readonly greatest: number;
  /** Parts of the levels that differ at all, and by more than one. */
  readonly differ: number;
  readonly differMore: number;
  /** Eight times the difference. */
  readonly picture: Pixels;
}

export interface ImageReport {
  readonly ok: true;
  readonly kind: 'image';
  readonly options: ImageOptions;
  readonly width: number;
  readonly height: number;
  readonly place: ImagePlace;
  /** The pictures after the steps; none where a step changes nothing. */
  readonly resized: Pixels | undefined;
  readonly prepared: Pixels;
  /** Made of the tensor. */
  readonly again: Pixels;
  /** By the canvas; none where the host draws none. */
  readonly canvas: { readonly picture: Pixels; readonly difference: Difference } | undefined;
  readonly tensor: TensorReport;
  /** Microseconds of `fromImage`. */
  readonly time: number;
}

/** The least and the greatest sample of each of equal parts, in turns. */
export type Envelope = Float32Array<ArrayBuffer>;

export interface SoundReport {
  readonly ok: true;
  readonly kind: 'sound';
  readonly steps: SoundSteps;
  readonly channels: number;
  readonly rate: number;
  readonly seconds: number;
  readonly wave: Envelope;
  /** At the rate of the model. */
  readonly samples: number;
  readonly resampled: Envelope;
  /** Low frequencies at the bottom, time from left to right. */
  readonly spectrogram: Pixels | undefined;
  readonly tensor: TensorReport;
  /** Microseconds of `fromAudio`, and of the features. */
  readonly resampleTime: number;
  readonly time: number;
}

export type PrepareReport = ImageReport | SoundReport;
