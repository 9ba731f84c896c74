// The steps of a sound, in the worker: samples at the model's rate, features, and pictures of both.
import { logMelPresets, type Runtime, type Tensor } from 'broadloom';
import { reportTensor } from '../runtime/inspect.js';
import { colourOf } from '../views/heatmap.js';
import type { SoundSteps } from './options.js';
import type { Envelope, Pixels, Samples, SoundReport } from './protocol.js';
import { timed } from './timed.js';

/** Points of a wave from left to right. */
const points = 512;

/** The least and the greatest sample of each part. */
export function envelopeOf(samples: Float32Array): Envelope {
  const envelope = new Float32Array(2 * points);
  for (let point = 0; point < points; point++) {
    const from = Math.floor((point * samples.length) / points);
    const to = Math.max(from + 1, Math.floor(((point + 1) * samples.length) / points));
    let [least, greatest] = [Infinity, -Infinity];
    for (let i = from; i < to && i < samples.length; i++) {
      least = Math.min(least, samples[i] as number);
      greatest = Math.max(greatest, samples[i] as number);
    }
    envelope.set(least > greatest ? [0, 0] : [least, greatest], 2 * point);
  }
  return envelope;
}

/** The most columns of a spectrogram's picture: frames between are left out. */
const mostColumns = 1500;

/** A spectrogram as a picture: low frequencies at the bottom. */
export function spectrogramOf(
  values: Float32Array,
  bins: number,
  frames: number,
  framesFirst: boolean,
): Pixels | undefined {
  const width = Math.min(frames, mostColumns);
  if (width === 0 || bins === 0) return undefined;
  let [least, greatest] = [Infinity, -Infinity];
  for (const value of values) {
    least = Math.min(least, value);
    greatest = Math.max(greatest, value);
  }
  const scale = greatest > least ? 1 / (greatest - least) : 0;
  const data = new Uint8ClampedArray(4 * width * bins);
  for (let y = 0; y < bins; y++) {
    const bin = bins - 1 - y;
    for (let x = 0; x < width; x++) {
      const frame = Math.floor((x * frames) / width);
      const value = values[framesFirst ? frame * bins + bin : bin * frames + frame] as number;
      data.set([...colourOf((value - least) * scale), 255], 4 * (y * width + x));
    }
  }
  return { data, width, height: bins };
}

function resample(ops: Runtime, { channels, rate }: Samples, to: number): Tensor<'float32'> {
  const buffer = {
    numberOfChannels: channels.length,
    length: channels[0]?.length ?? 0,
    sampleRate: rate,
    getChannelData: (channel: number) => channels[channel] as Float32Array,
  };
  return ops.fromAudio(buffer, { to });
}

/** The samples, filled up with zeros at the end, or without their end. */
function cut(ops: Runtime, samples: Tensor<'float32'>, length: number | undefined): Tensor<'float32'> {
  if (length === undefined) return samples;
  const data = new Float32Array(length);
  data.set(samples.data.subarray(0, length));
  return ops.tensor('float32', data, [length]);
}

function featuresOf(ops: Runtime, samples: Tensor<'float32'>, steps: SoundSteps): Tensor<'float32'> {
  const { features, rate, bins } = steps;
  if (features === 'fbank') return ops.fbank(samples, { sampleRate: rate, melBins: bins });
  return ops.logMel(samples, { ...logMelPresets[features as keyof typeof logMelPresets], sampleRate: rate });
}

const rounds = 5;

/** Prepares a sound. The tensor goes to `keep`; what is refused leaves what was kept before. */
export function prepareSound(
  ops: Runtime,
  source: Samples,
  steps: SoundSteps,
  keep: (tensors: readonly Tensor[]) => string,
): SoundReport {
  const first = source.channels[0] ?? new Float32Array();
  const { features } = steps;
  const framesFirst = features === 'fbank' || features === 'openwakeword';
  const { tensor, ...found } = ops.scope(() => {
    const [whole, resampleTime] = timed(() => resample(ops, source, steps.rate), rounds);
    const samples = cut(ops, whole, steps.length);
    const resampled = envelopeOf(samples.data);
    const [tensor, time] =
      features === 'waveform' ? [samples, 0] : timed(() => featuresOf(ops, samples, steps), rounds);
    const [bins = 0, frames = 0] = framesFirst ? [...tensor.dims].reverse() : tensor.dims;
    const isFlat = features === 'waveform';
    const spectrogram = isFlat ? undefined : spectrogramOf(tensor.data, bins, frames, framesFirst);
    return { tensor, samples: samples.size, resampled, spectrogram, resampleTime, time };
  });
  return {
    ...{ ok: true, kind: 'sound', steps, channels: source.channels.length, rate: source.rate },
    ...{ seconds: first.length / source.rate, wave: envelopeOf(first), ...found },
    tensor: reportTensor(ops, tensor, keep([tensor]), 'tensor'),
  };
}
