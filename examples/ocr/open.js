// Opens the models in a page, in Broadloom or in onnxruntime-web.
import { load } from 'broadloom';
import { broadloomModels, onnxruntimeModels } from './models.js';
import { charactersOf, readText } from './reader.js';

const fetched = async (name) => {
  const response = await fetch(name);
  if (!response.ok) throw new Error(`${name}: ${response.status} ${response.statusText}`);
  return response;
};
const bytesOf = async (name) => new Uint8Array(await (await fetched(name)).arrayBuffer());

async function loadOnnxruntime() {
  const ort = await import('onnxruntime-web/wasm');
  ort.env.wasm.wasmPaths = { wasm: new URL('ort-wasm-simd-threaded.wasm', import.meta.url).href };
  ort.env.wasm.numThreads = 1;
  return ort;
}

/** A function from a photograph to its lines. `library` is `broadloom` or `onnxruntime-web`. */
export async function openReader(library) {
  const [detect, turn, recognize] = await Promise.all(['detect.onnx', 'turn.onnx', 'recognize.onnx'].map(bytesOf));
  const characters = charactersOf(await (await fetched('characters.txt')).text());
  const ops = await load();
  const files = { detect, turn, recognize };
  const models =
    library === 'broadloom' ? broadloomModels(ops, files) : await onnxruntimeModels(await loadOnnxruntime(), files);
  return (photograph) => readText(ops, photograph, models, characters);
}
