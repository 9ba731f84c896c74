// The models that the page offers to begin with: files of public/samples, which tools/models/samples.mjs makes. Pictures and sounds
// that they and real models begin with.
import type { DataType } from 'broadloom';
import type { PictureValues, SoundValues, TensorDraft } from '../drafts.js';

export interface Sample {
  readonly file: string;
  /** The first values of its inputs, by name. */
  readonly feeds: { readonly [input: string]: TensorDraft };
}

function draft(dims: string, text: string, type: DataType = 'float32'): TensorDraft {
  return { type, dims, values: { kind: 'text', text } };
}

export const samples = {
  edges: { file: 'edges.onnx', feeds: {} },
  loudness: { file: 'loudness.onnx', feeds: {} },
  keepOrClear: {
    file: 'keep-or-clear.onnx',
    feeds: { x: draft('2, 3', '1, 2, 3, 4, 5, 6'), keep: draft('', '0', 'bool') },
  },
  batchBias: { file: 'batch-bias.onnx', feeds: { x: draft('3, 1, 2', '1, 2, 3, 4, 5, 6') } },
  expandLike: {
    file: 'expand-like.onnx',
    feeds: { x: draft('2, 1', '10, 20'), like: draft('2, 2, 3', '0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0') },
  },
  zerosLike: { file: 'zeros-like.onnx', feeds: { x: draft('2, 3', '1, 2, 3, 4, 5, 6') } },
  unsupported: { file: 'unsupported-gelu.onnx', feeds: { x: draft('2, 4', '1, 2, 3, 4, 5, 6, 7, 8') } },
} as const satisfies { readonly [name: string]: Sample };

export type SampleName = keyof typeof samples;

/** A picture or a sound of the site that a sample begins with. */
export interface SampleMedia {
  readonly input: string;
  readonly file: 'photograph.jpg' | 'line.jpg' | 'voice.wav';
  readonly dims: string;
  readonly values: Omit<PictureValues, 'file'> | Omit<SoundValues, 'file'>;
}

const picture = { kind: 'picture', layout: 'NCHW', fit: 'stretch' } as const;
const sound = { kind: 'sound', rate: 16_000 } as const;

/** By the names of samples. */
export const sampleMedia: { readonly [name: string]: SampleMedia } = {
  edges: { input: 'image', file: 'photograph.jpg', dims: '1, 3, 240, 320', values: { ...picture, scale: 'unit' } },
  ppocrDetection: {
    ...{ input: 'x', file: 'photograph.jpg', dims: '1, 3, 480, 640' },
    values: { ...picture, scale: 'imagenet' },
  },
  ppocr: { input: 'x', file: 'line.jpg', dims: '1, 3, 48, 536', values: { ...picture, scale: 'signed' } },
  loudness: { input: 'samples', file: 'voice.wav', dims: '1, 1, 16000', values: { ...sound, start: 0.25 } },
  silero: { input: 'input', file: 'voice.wav', dims: '1, 512', values: { ...sound, start: 0.8 } },
};
