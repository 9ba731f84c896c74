// A sound as the elements of a tensor: mono samples at a rate. For pages only, since workers cannot decode sounds.
import type { SoundValues } from '../drafts.js';
import { ListError, quote } from './list-error.js';

/** Sounds that were decoded, by rate. */
const decoded = new WeakMap<File, Map<number, Promise<Float32Array>>>();

async function decode(file: File, rate: number): Promise<Float32Array> {
  try {
    const sound = await new OfflineAudioContext(1, 1, rate).decodeAudioData(await file.arrayBuffer());
    const mono = new Float32Array(sound.length);
    for (let channel = 0; channel < sound.numberOfChannels; channel++) {
      const samples = sound.getChannelData(channel);
      for (let i = 0; i < mono.length; i++) (mono[i] as number) += (samples[i] as number) / sound.numberOfChannels;
    }
    return mono;
  } catch {
    throw new ListError('noSound', quote(file.type));
  }
}

/**
 * All samples of a sound, its channels as one.
 *
 * @throws ListError for a file that is not a sound
 */
export function samplesOf(file: File, rate: number): Promise<Float32Array> {
  const rates = decoded.get(file) ?? new Map<number, Promise<Float32Array>>();
  decoded.set(file, rates);
  const samples = rates.get(rate) ?? decode(file, rate);
  rates.set(rate, samples);
  return samples;
}

/** The samples from `start` seconds on, cut or padded with zeros to the last size of dims; the same in every row. */
export function elementsOfSamples(
  samples: Float32Array,
  { rate, start }: Pick<SoundValues, 'rate' | 'start'>,
  dims: readonly number[],
): Float32Array {
  const length = dims.at(-1) ?? 0;
  const rows = dims.slice(0, -1).reduce((product, dim) => product * dim, 1);
  const first = Math.max(0, Math.round(start * rate));
  const part = samples.subarray(first, first + length);
  const all = new Float32Array(rows * length);
  for (let row = 0; row < rows; row++) all.set(part, row * length);
  return all;
}
