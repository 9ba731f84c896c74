// The models of the workers: two for images of a line of text and one for rows of numbers.
import { load } from 'broadloom';
import { classify, decodeCtc } from 'broadloom/tasks';
import { decode, mostProportion } from './decode.js';
import { readModel, readVersions } from './versions.js';

/** Rows that are computed at once. Between two such slices, a worker does other work. */
const slice = 1000;

/** The height of a line for the model that reads, and the least width. */
const [lineHeight, leastWidth] = [48, 320];

/**
 * The bytes that WebAssembly's memory may grow to. The largest job, a line of the widest proportions in an image of the most
 * pixels, takes 39 MiB with both models loaded. The rest is for the plans of other widths.
 */
const maximumMemory = 64 * 2 ** 20;

/**
 * A runtime with the models.
 *
 * @param limits - what a job may ask for, as `load` takes them
 */
export async function openModels(limits = { elements: 2 ** 26, milliseconds: 2_000 }) {
  const ops = await load({ limits, maximumMemory });
  const versions = await readVersions();
  const turn = ops.loadModel((await filesOf('image'))[0]);
  const { species, weights, bias } = JSON.parse((await filesOf('rows'))[0]);
  /** A promise of the model that reads, which is larger. */
  let reader;
  const [slopes, intercepts] = [ops.tensor('float32', weights), ops.tensor('float32', bias)];

  return {
    /** The version of the model for each kind of job. */
    versions,

    /**
     * Whether the line of text in an image is upright or on its head: `{ label, score }`.
     *
     * @param bytes - of a PNG or JPEG file
     */
    async image(bytes) {
      const picture = await decode(bytes);
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
      const picture = await decode(bytes);
      // As wide as the line needs to be. `decode` takes none that is wider.
      const wanted = Math.ceil((lineHeight * picture.width) / picture.height);
      const width = Math.min(Math.max(leastWidth, wanted), mostProportion * lineHeight);
      return ops.scope(() => {
        const input = ops.fromImage(picture, { ...ops.presets['ppocr-recognition'], resize: [lineHeight, width] });
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

  /** The files of a kind's model, of the version that was there at the start. */
  async function filesOf(kind) {
    const { version, files } = await readModel(kind);
    if (version !== versions[kind]) throw new Error(`the files of ${versions[kind]} are those of ${version} now`);
    return files;
  }

  async function readReader() {
    const [bytes, names] = await filesOf('text');
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
