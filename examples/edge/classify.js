// From a request to a response: is the line of text in the picture upright, or on its head?
import { load, OnnxError } from 'broadloom';
import { classify } from 'broadloom/tasks';
import { decodePicture, mediaTypes, Refusal } from './pictures.js';

/** The most bytes of a file. */
const mostBytes = 2 ** 20;

/** The most bytes of the WebAssembly memory. The model takes 5 MB of it. */
const maximumMemory = 2 ** 24;

/**
 * Opens the model, and returns a function that answers requests with it. Opening needs neither a request nor the network, so it may
 * be done in the global scope of a worker.
 *
 * @param model - the bytes of model.onnx
 */
export async function createHandler(model) {
  let infer = await openClassifier(model);
  let opening;
  async function reopen() {
    try {
      infer = await openClassifier(model);
      return infer;
    } finally {
      opening = undefined;
    }
  }
  return async function handle(request) {
    let used;
    try {
      const picture = decodePicture(...(await readPicture(request)));
      used = infer ?? (await (opening ??= reopen()));
      const { label, score } = used(picture);
      return Response.json({ label, score, width: picture.width, height: picture.height });
    } catch (error) {
      // An error in WebAssembly has ended the runtime. The next request gets another.
      if (error instanceof OnnxError && error.code === 'DISPOSED' && infer === used) infer = undefined;
      return refuse(error);
    }
  };
}

/** A function from a picture to its most probable class: { label, score }. */
async function openClassifier(model) {
  const ops = await load({ maximumMemory });
  const network = ops.loadModel(model);
  const labels = ['upright', 'on its head'];
  const infer = (picture) =>
    ops.scope(() => {
      const x = ops.fromImage(picture, preparation(ops, picture));
      const [scores] = Object.values(network.run({ x }));
      return classify(ops, scores, { labels, activation: 'none' })[0];
    });
  // The first run lays out weights and plans the memory. Engines compile functions when they are called first.
  infer({ data: new Uint8Array(192 * 48 * 3), width: 192, height: 48 });
  return infer;
}

/** PaddleOCR squeezes a line that is longer than the model's input. */
function preparation(ops, { width, height }) {
  const preset = ops.presets['ppocr-direction'];
  const [rows, columns] = preset.resize;
  return { ...preset, fit: width * rows > height * columns ? 'fill' : 'contain' };
}

/** The file that a request brings, and its media type. */
async function readPicture(request) {
  if (request.method !== 'POST') throw new Refusal(405, 'send a picture with POST');
  const type = (request.headers.get('Content-Type') ?? '').split(';')[0].trim().toLowerCase();
  if (!mediaTypes.includes(type)) throw new Refusal(415, `the picture is ${type || 'of no media type'}`);
  if (Number(request.headers.get('Content-Length')) > mostBytes) throw tooLarge();
  const parts = [];
  let size = 0;
  try {
    for await (const part of request.body ?? []) {
      size += part.length;
      if (size > mostBytes) throw tooLarge(); // which ends the stream
      parts.push(part);
    }
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal(400, `the picture did not arrive: ${error.message}`, { cause: error });
  }
  const bytes = new Uint8Array(size);
  for (const part of parts.reverse()) bytes.set(part, (size -= part.length));
  return [bytes, type];
}

const tooLarge = () => new Refusal(413, `the file has more than ${mostBytes} bytes`);

const headers = { 405: { Allow: 'POST' }, 415: { Accept: mediaTypes.join(', ') } };

/** The sender hears what is wrong with the picture. What is wrong here is for the log. */
function refuse(error) {
  const status = error.status ?? (error.code === 'INVALID_ARGUMENT' ? 400 : 500);
  if (status === 500) console.error(error);
  const message = status === 500 ? 'the picture could not be classified' : error.message;
  return Response.json({ error: message }, { status, headers: headers[status] });
}
