import { windowNames } from '../calls/bindings.generated.js';
import type { Context } from '../calls/context.js';
import { callWithSamples, OptionReader, type WindowName } from './log-mel.js';

/**
 * Options of {@link SoundMethods.fbank}: names are Kaldi's, and defaults torchaudio's. Dither is 0, so results are the same each
 * time.
 */
export interface FbankOptions {
  /** Samples per second. Default: 16000. */
  readonly sampleRate?: number | undefined;
  /** In milliseconds. Default: 25. */
  readonly frameLength?: number | undefined;
  /** The time from the start of a frame to the start of the next one, in milliseconds. Default: 10. */
  readonly frameShift?: number | undefined;
  /** From each sample, the one before it times this is subtracted. Default: 0.97. */
  readonly preemphasis?: number | undefined;
  /** Whether the mean of a frame is subtracted from its samples. Default: true. */
  readonly removeDcOffset?: boolean | undefined;
  /** Default: `'povey'`, a Hann window to the power 0.85. Windows are symmetric. */
  readonly window?: WindowName | undefined;
  /** Whether zeros fill a frame up to a power of two. Default: true. */
  readonly roundToPowerOfTwo?: boolean | undefined;
  /** Whether only frames count that lie within the sound. Otherwise, samples are mirrored at its ends. Default: true. */
  readonly snipEdges?: boolean | undefined;
  /** How many filters. Default: 23. */
  readonly melBins?: number | undefined;
  /** Where the first filter starts, in Hz. Default: 20. */
  readonly lowFrequency?: number | undefined;
  /** Where the last filter ends, in Hz; 0 or less is added to half of the rate. Default: 0. */
  readonly highFrequency?: number | undefined;
  /** Whether the logarithm of the frame's energy comes before the bins. Default: false. */
  readonly useEnergy?: boolean | undefined;
  /** Whether the energy is that before preemphasis and window. Default: true. */
  readonly rawEnergy?: boolean | undefined;
  /** The least energy. 0 is float32's epsilon, as in Kaldi itself. Default: 1. */
  readonly energyFloor?: number | undefined;
  /** Whether bins are sums of powers, and not of magnitudes. Default: true. */
  readonly usePower?: boolean | undefined;
  /** Whether bins are natural logarithms, of float32's epsilon at least. Default: true. */
  readonly useLog?: boolean | undefined;
  /** Whether the mean over all frames is subtracted from each bin, as speaker models have it. Default: false. */
  readonly subtractMean?: boolean | undefined;
  /** Samples are multiplied by it: 32768 for models that were trained on 16-bit samples. Default: 1, as they are. */
  readonly sampleScale?: number | undefined;
}

const names = [
  ...['sampleRate', 'frameLength', 'frameShift', 'preemphasis', 'removeDcOffset', 'window', 'roundToPowerOfTwo'],
  ...['snipEdges', 'melBins', 'lowFrequency', 'highFrequency', 'useEnergy', 'rawEnergy', 'energyFloor', 'usePower'],
  ...['useLog', 'subtractMean', 'sampleScale'],
];

/** Makes the tensor that `fbank` returns. @internal */
export function fbank(context: Context, samples: unknown, options: unknown): void {
  const read = new OptionReader('fbank', options, names);
  callWithSamples(context, 'fbank', samples, [
    read.number('sampleRate', 16000),
    read.number('frameLength', 25),
    read.number('frameShift', 10),
    read.number('preemphasis', 0.97),
    read.flag('removeDcOffset', true),
    read.choice('window', windowNames, 'povey'),
    read.flag('roundToPowerOfTwo', true),
    read.flag('snipEdges', true),
    read.number('melBins', 23),
    read.number('lowFrequency', 20),
    read.number('highFrequency', 0),
    read.flag('useEnergy', false),
    read.flag('rawEnergy', true),
    read.number('energyFloor', 1),
    read.flag('usePower', true),
    read.flag('useLog', true),
    read.flag('subtractMean', false),
    read.number('sampleScale', 1),
  ]);
}
