import { takesAtMost } from '../basics/superfluous.js';
import type { Context } from '../calls/context.js';
import type { Tensor } from '../tensor/tensor.js';
import { type FbankOptions, fbank } from './fbank.js';
import { type LogMelOptions, logMel, type logMelPresets, type Samples } from './log-mel.js';
import { newResampler, type Resampler, type ResamplerOptions } from './resampler.js';
import { type AudioBufferLike, fromAudio, type SoundOptions } from './sound.js';
import { readWav, type WavSound } from './wav.js';

/** The methods of {@link Runtime} for sounds. */
export interface SoundMethods {
  /**
   * Makes a tensor of a sound: one channel, at the rate that a model wants. Channels are mixed to their mean. Other rates go
   * through a polyphase filter (a sinc under a Kaiser window) without delay: its ripple is at most 0.1 dB up to 0.9 of the lower
   * Nyquist frequency, and sound above that frequency is 80 dB down. Beyond its ends, a sound is 0.
   *
   * @param sound - an AudioBuffer, or what {@link SoundMethods.readWav} gives; a Float32Array; or an Int16Array, whose samples are divided by 32768. It is copied
   * @param options - the rates `from` and `to` in Hz, one at most 256 times the other, and the `channels` of a typed array
   * @returns float32 with dims [ceil(n * to / from)] for n samples of each channel. At the same rate, one channel of floats keeps
   * its bits
   * @throws {@link OnnxError} `INVALID_ARGUMENT`, `OUT_OF_MEMORY`
   *
   * @example
   * ```ts
   * ops.fromAudio(new Float32Array(44100), { from: 44100, to: 16000 }); // float32 [16000]
   * ops.fromAudio(Int16Array.of(-32768, 0, 16384, 0), { channels: 2 }); // float32 [2] [-0.5   0.25]
   * ```
   */
  fromAudio(sound: AudioBufferLike | Float32Array | Int16Array, options?: SoundOptions): Tensor<'float32'>;

  /**
   * Reads a WAV file. Samples become float32: PCM of n bits is divided by 2^(n - 1), 8 bits after 128 was subtracted, and floats of
   * 32 or 64 bits are taken as they are. Extensible formats and RF64 are read, too. Where a stream's head tells no size, samples
   * go to the end of the file; a last frame that is not whole is left out.
   *
   * @param bytes - the file. Memory follows its length, not the sizes in it
   * @returns a sound for {@link SoundMethods.fromAudio}, with the members of an `AudioBuffer`: `sampleRate` in Hz,
   * `numberOfChannels`, `length` in samples of a channel, `duration` in seconds, and `getChannelData(channel)`, a Float32Array
   * @throws {@link OnnxError} `INVALID_ARGUMENT` for other files, other codecs, and files that were cut off; `OUT_OF_MEMORY`
   *
   * @example
   * ```ts
   * const head = '524946462800000057415645666d74201000000001000100401f0000803e0000020010006461746104000000';
   * const bytes = Uint8Array.from(`${head}00400080`.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
   * const sound = ops.readWav(bytes);
   * sound.sampleRate; // 8000
   * ops.fromAudio(sound); // float32 [2] [ 0.5 -1. ]
   * ops.fromAudio(sound, { to: 16000 }).dims; // [4]
   * ```
   */
  readWav(bytes: Uint8Array): WavSound;

  /**
   * Makes the spectrogram of a sound on the mel scale, as librosa and torchaudio define it. {@link LogMelOptions} has the steps.
   *
   * @param samples - one channel at the rate of the options, such as the result of {@link SoundMethods.fromAudio}
   * @param options - the name of one of the {@link logMelPresets}, or the options
   * @returns float32 with dims [bins, frames]; [frames, bins] with `framesFirst`. A sound that is shorter than a frame has none.
   * Frames with a sample that is NaN have NaN
   * @throws {@link OnnxError} `INVALID_ARGUMENT`, also for samples of another type or rank, and where no sample is there to be
   * reflected; `OUT_OF_MEMORY`, `DISPOSED`
   *
   * @example
   * ```ts
   * const second = ops.fromAudio(new Float32Array(16000));
   * ops.logMel(second, 'whisper').dims; // [80, 100]
   * // Whisper's models take 30 seconds.
   * ops.logMel(second, { ...logMelPresets.whisper, length: 480000 }).dims; // [80, 3000]
   * ```
   */
  logMel(samples: Samples, options: keyof typeof logMelPresets | LogMelOptions): Tensor<'float32'>;

  /**
   * Makes Kaldi's filter bank features of a sound, which models for speakers, voice activity and speech take. They equal the
   * features of torchaudio's `compliance.kaldi.fbank` without dither. Kaldi itself has 16-bit samples: models that expect these
   * want `sampleScale: 32768`.
   *
   * @param samples - one channel at the rate of the options, such as the result of {@link SoundMethods.fromAudio}
   * @param options - {@link FbankOptions}
   * @returns float32 with dims [frames, bins], or [frames, 1 + bins] with `useEnergy`
   * @throws {@link OnnxError} `INVALID_ARGUMENT`, also for samples of another type or rank; `OUT_OF_MEMORY`, `DISPOSED`
   *
   * @example
   * ```ts
   * ops.fbank(new Float32Array(16000), { melBins: 80 }).dims; // [98, 80]
   * ```
   */
  fbank(samples: Samples, options?: FbankOptions): Tensor<'float32'>;

  /**
   * Makes a resampler for a sound that comes in pieces. It gives the samples that {@link SoundMethods.fromAudio} gives for the whole
   * sound. It is freed by `dispose()`, or when JavaScript has collected it.
   *
   * @param options - the rates `from` and `to` in Hz, one at most 256 times the other
   * @throws {@link OnnxError} `INVALID_ARGUMENT`, `OUT_OF_MEMORY`
   *
   * @example
   * ```ts
   * const resampler = ops.resampler({ from: 48000, to: 16000 });
   * resampler.push(new Float32Array(48000)).length; // 15953
   * resampler.flush().length; // 47
   * ```
   */
  resampler(options: ResamplerOptions): Resampler;
}

/** A class with these methods. `contextOf` refuses all else than a runtime. @internal */
export const soundMethods = (contextOf: (runtime: object) => Context): { readonly prototype: object } =>
  class {
    fromAudio(sound: unknown, options?: SoundOptions): Tensor {
      takesAtMost(2, arguments.length, 'fromAudio');
      const context = contextOf(this);
      fromAudio(context, sound, options);
      return context.takeOne();
    }

    readWav(bytes: unknown): WavSound {
      takesAtMost(1, arguments.length, 'readWav');
      contextOf(this);
      return readWav(bytes);
    }

    logMel(samples: unknown, options: unknown): Tensor {
      takesAtMost(2, arguments.length, 'logMel');
      const context = contextOf(this);
      logMel(context, samples, options);
      return context.takeOne();
    }

    fbank(samples: unknown, options?: unknown): Tensor {
      takesAtMost(2, arguments.length, 'fbank');
      const context = contextOf(this);
      fbank(context, samples, options);
      return context.takeOne();
    }

    resampler(options: ResamplerOptions): Resampler {
      takesAtMost(1, arguments.length, 'resampler');
      return newResampler(contextOf(this), options);
    }
  };
