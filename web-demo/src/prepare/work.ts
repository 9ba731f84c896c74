// The work for the page "Prepare" in the worker. It keeps the last picture and the last sound, so that a change of options sends
// neither again.
import type { ImageOptions, Runtime, Tensor } from 'broadloom';
import { prepareImage } from './image-work.js';
import type { SoundSteps } from './options.js';
import type { ImageReport, Pixels, PrepareReport, Samples, SoundReport } from './protocol.js';
import { prepareSound } from './sound-work.js';

export type PrepareRequest =
  | {
      readonly kind: 'image';
      readonly options: ImageOptions;
      readonly source: Pixels | undefined;
      readonly isMoving: boolean;
    }
  | { readonly kind: 'sound'; readonly steps: SoundSteps; readonly source: Samples | undefined };

const last: { image?: Pixels; sound?: Samples } = {};

/** @param keep keeps tensors to be looked into, and gives the key of the first */
export function prepare(
  ops: Runtime,
  request: PrepareRequest,
  keep: (tensors: readonly Tensor[]) => string,
): PrepareReport {
  if (request.kind === 'image') {
    if (request.source !== undefined) last.image = request.source;
    return prepareImage(ops, last.image as Pixels, request.options, request.isMoving, keep);
  }
  if (request.source !== undefined) last.sound = request.source;
  return prepareSound(ops, last.sound as Samples, request.steps, keep);
}

function buffersOfImage({ resized, prepared, again, canvas }: ImageReport): ArrayBuffer[] {
  const pictures = [resized, prepared, again, canvas?.picture, canvas?.difference.picture];
  return pictures.flatMap((picture) => (picture === undefined ? [] : [picture.data.buffer]));
}

function buffersOfSound({ wave, resampled, spectrogram }: SoundReport): ArrayBuffer[] {
  return [wave.buffer, resampled.buffer, ...(spectrogram === undefined ? [] : [spectrogram.data.buffer])];
}

/** The buffers that are handed over to the page instead of being copied. */
export function buffersOf(report: PrepareReport): ArrayBuffer[] {
  return report.kind === 'image' ? buffersOfImage(report) : buffersOfSound(report);
}
