// From a request to a response: is the line of text in the picture upright, or on its head?
import { load, OnnxError } from 'broadloom';
import { classify } from 'broadloom/tasks';
import { decodePicture, mediaTypes } from './pictures.js';
import { headersOf, Refusal, Uploads } from './uploads.js';

/** Bounds of files: the bytes of one, those of all in the isolate, which are 16 at most, and the time in which one arrives. */
const limits = { bytes: 2 ** 20, least: 2 ** 18, inFlight: 2 ** 22, milliseconds: 10_000 };

/** The most bytes of the WebAssembly memory. The model takes 5 MB of it. */
const maximumMemory = 2 ** 24;

const untraced = { traced: (request, _, answer) => answer(request), spansOf: () => undefined };

/**
 * Opens the model, and returns a function that answers requests with it. Opening needs neither a request nor the network, so it may
 * be done in the global scope of a worker.
 *
 * @param model - the bytes of model.onnx
 * @param options.limits - those of files that differ
 * @param options.telemetry - the functions of telemetry.js; without them there are no spans
 */
export async function createHandler(model, options = {}) {
  const uploads = new Uploads({ ...limits, ...options.limits });
  const { traced, spansOf } = options.telemetry ?? untraced;
  const onRun = spansOf('ppocr-direction');
  let infer = await openClassifier(model, onRun);
  let opening;
  async function reopen() {
    try {
      infer = await openClassifier(model, onRun);
      return infer;
    } finally {
      opening = undefined;
    }
  }
  const open = () => (opening ??= reopen());
  async function answer(request) {
    const type = typeOf(request);
    return uploads.read(request, async (bytes) => {
      const used = infer ?? (await open());
      try {
        const picture = decodePicture(bytes, type); // one at a time: nothing from here to the answer waits
        const { label, score } = used(picture);
        return Response.json({ label, score, width: picture.width, height: picture.height });
      } catch (error) {
        // An error in WebAssembly has ended the runtime. The next request gets another.
        if (error instanceof OnnxError && error.code === 'DISPOSED' && infer === used) infer = undefined;
        throw error;
      }
    });
  }
  const routes = new Map([
    ['/', answer],
    ['/healthz', (request) => health(request, true)],
    ['/readyz', (request) => health(request, infer !== undefined)],
  ]);
  /** The process answers; or, the model was run, and its runtime has not ended since. A question opens it again. */
  async function health({ method }, isWell) {
    if (method !== 'GET' && method !== 'HEAD') throw new Refusal(405, 'ask with GET');
    if (isWell) return Response.json({ ok: true });
    await open();
    throw new Refusal(503, 'the model was not open');
  }
  return async function handle(request) {
    const { pathname } = new URL(request.url);
    const route = routes.get(pathname);
    return traced(request, route && pathname, async () => {
      try {
        if (!route) throw new Refusal(404, 'send a picture to /');
        return await route(request);
      } catch (error) {
        return refuse(error, pathname);
      }
    });
  };
}

/** A function from a picture to its most probable class: { label, score }. */
async function openClassifier(model, onRun) {
  const ops = await load({ maximumMemory, onRun });
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

/** The media type of the file that a request brings. */
function typeOf({ method, headers }) {
  if (method !== 'POST') throw new Refusal(405, 'send a picture with POST');
  const type = (headers.get('Content-Type') ?? '').split(';')[0].trim().toLowerCase();
  if (!mediaTypes.includes(type)) throw new Refusal(415, `the picture is ${type || 'of no media type'}`);
  return type;
}

const headers = { ...headersOf, 415: { Accept: mediaTypes.join(', ') } };

/** The sender hears what is wrong with the request. What is wrong here is for the log. */
function refuse(error, pathname) {
  const status = error.status ?? (error.code === 'INVALID_ARGUMENT' ? 400 : 500);
  if (status === 500) console.error(error);
  const message = status === 500 ? 'the picture could not be classified' : error.message;
  const allowed = status === 405 && { Allow: pathname === '/' ? 'POST' : 'GET, HEAD' };
  return Response.json({ error: message }, { status, headers: { ...headers[status], ...allowed } });
}
