// The models that the page offers to begin with.
import type { Form } from './form.js';

export interface Sample {
  readonly name: string;
  /** Within the site. */
  readonly file: string;
  /** The first content of its form, by the places of the fields. */
  readonly texts: Form['texts'];
}

/** The model in public/simplify, which tools/models/samples.mjs makes. */
const own: Sample = { name: 'parts', file: 'simplify/parts.onnx', texts: { 'dim:0': '1' } };

/** Real models, which the site has if the packages of tests/models were there when it was built (web-demo/real-models.ts). */
const real: readonly Sample[] = [
  { name: 'ppocrDetection', file: 'simplify/real/ch_PP-OCRv4_det_infer.onnx', texts: { 'dim:0': '1' } },
  { name: 'ppocr', file: 'simplify/real/ch_PP-OCRv4_rec_infer.onnx', texts: { 'dim:0': '1' } },
  { name: 'silero', file: 'simplify/real/silero_vad_v5.onnx', texts: { 'value:2': '16000' } },
];

export const realSamples = real.filter(({ file }) => realModels.some((name) => file.endsWith(`/${name}`)));
export const samples: readonly Sample[] = [...realSamples, own];
export const licencesFile = 'simplify/real/LICENSES.txt';
