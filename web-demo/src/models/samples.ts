// The models that the page offers to begin with: files of public/samples, which tools/models/samples.mjs makes. Pictures that they
// and real models begin with.
import type { DataType } from 'broadloom';
import type { PictureValues, TensorDraft } from '../drafts.js';

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

/** A picture of the site (web-demo/real-models.ts) that a sample begins with. */
export interface SamplePicture extends Pick<PictureValues, 'fit' | 'scale'> {
  readonly input: string;
  readonly file: 'photograph.jpg' | 'line.jpg';
  readonly dims: string;
}

/** By the names of samples. */
export const samplePictures: { readonly [name: string]: SamplePicture } = {
  edges: { input: 'image', file: 'photograph.jpg', dims: '1, 3, 240, 320', fit: 'stretch', scale: 'unit' },
  ppocrDetection: { input: 'x', file: 'photograph.jpg', dims: '1, 3, 480, 640', fit: 'stretch', scale: 'imagenet' },
  ppocr: { input: 'x', file: 'line.jpg', dims: '1, 3, 48, 536', fit: 'stretch', scale: 'signed' },
};
