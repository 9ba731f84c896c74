// Sounds: what their functions take and give.
import {
  type AudioBufferLike,
  type FbankOptions,
  type LogMelOptions,
  load,
  logMelPresets,
  type Tensor,
} from 'broadloom';

const ops = await load();
declare const buffer: AudioBuffer;
declare const like: AudioBufferLike;

const samples: Tensor<'float32'> = ops.fromAudio(buffer, { to: 16000 });
ops.fromAudio(like);
ops.fromAudio(Int16Array.of(1), { from: 8000, to: 16000, channels: 1 });
// @ts-expect-error lists do not say their type
ops.fromAudio([1, 2]);
// @ts-expect-error another typed array
ops.fromAudio(new Float64Array(1));
// @ts-expect-error an unknown option
ops.fromAudio(like, { rate: 16000 });

const mel: Tensor<'float32'> = ops.logMel(samples, 'whisper');
ops.logMel(new Float32Array(1), { ...logMelPresets.openwakeword, length: 16000 });
const options: LogMelOptions = { sampleRate: 16000, fftLength: 400, hopLength: 160, melBins: 80, norm: null };
ops.logMel({ type: 'float32', dims: [1], data: [1] }, options);
// @ts-expect-error an unknown preset
ops.logMel(samples, 'wisper');
// @ts-expect-error options without a rate
ops.logMel(samples, { fftLength: 400, hopLength: 160, melBins: 80 });
// @ts-expect-error samples of another type
ops.logMel(ops.empty('float64', [1]), 'whisper');

const features: FbankOptions = { melBins: 80, window: 'hamming' };
ops.fbank(samples, features).dims;
// @ts-expect-error a window that there is not
ops.fbank(samples, { window: 'kaiser' });

using resampler = ops.resampler({ from: 48000, to: 16000 });
const piece: Float32Array<ArrayBuffer> = resampler.push(new Float32Array(1));
// @ts-expect-error both rates are needed
ops.resampler({ from: 1 });

export { mel, piece };
