// The download for one Expand in a browser, gzip -9: a minimal script, bundled for browsers, and the wasm files it requests.
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { bundle } from './bundle.mjs';

const dist = '../dist';
const modules = 'node_modules';

const contenders = [
  { name: 'Broadloom', files: [`${dist}/index.js`, `${dist}/error.js`, `${dist}/broadloom.wasm`] },
  {
    name: 'onnxruntime-web',
    note: 'its build with the wasm backend alone',
    script: `
      import { InferenceSession, Tensor } from 'onnxruntime-web/wasm';
      export const run = async (model, feeds) => (await InferenceSession.create(model)).run(feeds);
      export { Tensor };`,
    files: [`${modules}/onnxruntime-web/dist/ort-wasm-simd-threaded.wasm`],
  },
  {
    name: 'tfjs-wasm',
    note: 'core and the wasm backend, tree-shaken by esbuild; the SIMD module',
    script: `
      import { broadcastTo, setBackend, tensor } from '@tensorflow/tfjs-core';
      import '@tensorflow/tfjs-backend-wasm';
      export const run = async (data, dims, shape) => {
        await setBackend('wasm');
        return broadcastTo(tensor(data, dims), shape).dataSync();
      };`,
    files: [`${modules}/@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm-simd.wasm`],
  },
  {
    name: 'numpy-ts',
    note: 'its tree-shakeable entry; wasm is inside the JavaScript',
    script: `
      import { array, broadcast_to } from 'numpy-ts/core';
      export const run = (data, shape) => broadcast_to(array(data), shape).copy().data;`,
    files: [],
  },
];

const gzip = (bytes) => gzipSync(bytes, { level: 9 }).length;

/** @returns rows { name, javascript, wasm, total, note }; sizes are bytes after gzip */
export async function measureDownload() {
  const rows = [];
  for (const { name, note = '', script, files } of contenders) {
    const parts = files.map((file) => ({ file, bytes: gzip(readFileSync(new URL(file, import.meta.url))) }));
    if (script !== undefined) parts.push({ file: 'bundle.js', bytes: gzip(await bundle(script)) });
    const sum = (isWasm) =>
      parts.filter(({ file }) => file.endsWith('.wasm') === isWasm).reduce((total, { bytes }) => total + bytes, 0);
    rows.push({ name, javascript: sum(false), wasm: sum(true), total: sum(false) + sum(true), note });
  }
  return rows;
}
