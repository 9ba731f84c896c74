// Reads the texts of a photograph with PP-OCR: finds the lines, makes each upright, and reads it. The models may run anywhere.
import { classify, decodeCtc, straighten, textBoxes } from 'broadloom/tasks';

/** The characters of the file that belongs to the model, and the space, which it does not have. */
export const charactersOf = (file) => [...file.trimEnd().split('\n'), ' '];

/** PaddleOCR stretches a photograph to sides that 32 divides, of 960 at most. */
function detectionSize({ imageWidth, imageHeight }) {
  const scale = Math.min(1, 960 / Math.max(imageWidth, imageHeight));
  return [imageHeight, imageWidth].map((side) => Math.max(32, Math.round((side * scale) / 32) * 32));
}

/**
 * The lines of text of a photograph, from top to bottom: { text, score, corners }.
 *
 * @param photograph - as `ops.fromImage` takes it
 * @param models - `detect`, `turn` and `recognize`: functions from a tensor to a tensor of whichever library, or to a promise
 * @param characters - those of the model that recognizes
 */
export async function readText(ops, photograph, models, characters) {
  const pixels = ops.fromImage(photograph, { type: 'uint8' });
  const resize = detectionSize(pixels);
  const prepared = ops.fromImage(photograph, { ...ops.presets['ppocr-detection'], resize, fit: 'fill' });
  const lines = [];
  for (const { corners } of textBoxes(ops, await models.detect(prepared), { prepared })) {
    const upright = straighten(ops, pixels, corners, { turnHigh: true });
    const line = await turned(ops, upright, models.turn);
    const input = ops.fromImage(line, recognition(ops, line));
    const [{ text, score }] = decodeCtc(ops, await models.recognize(input), { characters });
    input.dispose();
    if (score >= 0.5) lines.push({ text, score, corners });
  }
  pixels.dispose();
  prepared.dispose();
  return lines;
}

/** A line is 48 pixels high, and as wide as it needs to be. */
function recognition(ops, { width, height }) {
  const preset = ops.presets['ppocr-recognition'];
  return { ...preset, resize: [48, Math.max(320, Math.ceil((48 * width) / height))] };
}

/** PaddleOCR squeezes a line that is longer than the model's input. */
function direction(ops, { width, height }) {
  const preset = ops.presets['ppocr-direction'];
  const [rows, columns] = preset.resize;
  return { ...preset, fit: width * rows > height * columns ? 'fill' : 'contain' };
}

/** The line, turned by half a circle if it stands on its head. */
async function turned(ops, line, turn) {
  const input = ops.fromImage(line, direction(ops, line));
  const labels = ['upright', 'on its head'];
  const [best] = classify(ops, await turn(input), { labels, activation: 'none' });
  input.dispose();
  if (best.label === 'upright' || best.score < 0.9) return line;
  const { width, height } = line;
  const pixels = ops.fromImage(line, { type: 'uint8' });
  const picture = straighten(ops, pixels, [
    [width, height],
    [0, height],
    [0, 0],
    [width, 0],
  ]);
  pixels.dispose();
  return picture;
}
