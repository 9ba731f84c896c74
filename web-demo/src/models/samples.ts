// The models that the page offers to begin with: files of public/samples, which tools/models/samples.mjs makes.
import type { DataType } from 'broadloom';
import type { TensorDraft } from '../drafts.js';

export interface Sample {
  readonly file: string;
  /** The first values of its inputs, by name. */
  readonly feeds: { readonly [input: string]: TensorDraft };
}

function draft(dims: string, text: string, type: DataType = 'float32'): TensorDraft {
  return { type, dims, values: { kind: 'text', text } };
}

export const samples = {
  zerosLike: { file: 'zeros-like.onnx', feeds: { x: draft('2, 3', '1, 2, 3, 4, 5, 6') } },
  expandLike: {
    file: 'expand-like.onnx',
    feeds: { x: draft('2, 1', '10, 20'), like: draft('2, 2, 3', '0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0') },
  },
  batchBias: { file: 'batch-bias.onnx', feeds: { x: draft('3, 1, 2', '1, 2, 3, 4, 5, 6') } },
  keepOrClear: {
    file: 'keep-or-clear.onnx',
    feeds: { x: draft('2, 3', '1, 2, 3, 4, 5, 6'), keep: draft('', '0', 'bool') },
  },
  edges: { file: 'edges.onnx', feeds: {} },
  loudness: { file: 'loudness.onnx', feeds: {} },
  unsupported: { file: 'unsupported-gelu.onnx', feeds: { x: draft('2, 4', '1, 2, 3, 4, 5, 6, 7, 8') } },
} as const satisfies { readonly [name: string]: Sample };

export type SampleName = keyof typeof samples;
