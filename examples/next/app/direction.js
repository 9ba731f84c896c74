// Whether a line of text is upright or on its head. The page, the route handler and the tests run this file.
import { load } from 'broadloom';
import { classify } from 'broadloom/tasks';

const labels = ['upright', 'on its head'];

/** The model's input is 48 x 192. PaddleOCR squeezes a longer line into it, and pads a shorter one. */
function inputOptions(ops, { width, height }) {
  const preset = ops.presets['ppocr-direction'];
  const [rows, columns] = preset.resize;
  return { ...preset, fit: width * rows > height * columns ? 'fill' : 'contain' };
}

async function open(readModel, options) {
  const [ops, bytes] = await Promise.all([load(options), readModel()]);
  const model = ops.loadModel(bytes);
  return (picture) =>
    ops.scope(() => {
      const x = ops.fromImage(picture, inputOptions(ops, picture));
      const [scores] = Object.values(model.run({ x }));
      const [{ label, score }] = classify(ops, scores, { labels, activation: 'none' });
      return { label, score };
    });
}

/**
 * Returns a function from a picture, as `ops.fromImage` takes it, to a promise of { label, score }. The first call loads the model.
 * The next call does so again if that failed, or if an error in WebAssembly has ended the runtime since.
 *
 * @param readModel - gives the bytes of the model, or a promise of them
 * @param options - those of `load`
 */
export function directionClassifier(readModel, options) {
  let opened;
  return async (picture) => {
    opened ??= open(readModel, options).catch((error) => {
      opened = undefined;
      throw error;
    });
    const used = opened;
    try {
      return (await used)(picture);
    } catch (error) {
      if (error.code === 'DISPOSED' && opened === used) opened = undefined;
      throw error;
    }
  };
}
