// Is the line of text in a picture upright, or on its head?
import { load } from 'broadloom';
import { classify } from 'broadloom/tasks';

/**
 * Opens the model.
 *
 * @param fetchFile - gives the Response of a file by its name
 * @returns a function from an ImageBitmap to { label, score, width, height }
 */
export async function openClassifier(fetchFile) {
  const [ops, model] = await Promise.all([
    load({ wasm: fetchFile('broadloom.wasm') }),
    bytesOf(fetchFile('model.onnx')),
  ]);
  const network = ops.loadModel(model);
  const labels = ['upright', 'on its head'];
  return (picture) =>
    ops.scope(() => {
      const { width, height } = picture;
      const x = ops.fromImage(picture, preparation(ops, width, height));
      const [scores] = Object.values(network.run({ x }));
      const [{ label, score }] = classify(ops, scores, { labels, activation: 'none' });
      return { label, score, width, height };
    });
}

async function bytesOf(response) {
  const { ok, status, url } = await response;
  if (!ok) throw new Error(`${url}: status ${status}`);
  return new Uint8Array(await (await response).arrayBuffer());
}

/** PaddleOCR squeezes a line that is longer than the model's input. */
function preparation(ops, width, height) {
  const preset = ops.presets['ppocr-direction'];
  const [rows, columns] = preset.resize;
  return { ...preset, fit: width * rows > height * columns ? 'fill' : 'contain' };
}
