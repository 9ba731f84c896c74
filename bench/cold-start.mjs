// The time from just before a process starts until it prints its first result, Expand [3,1] -> [2,3,6]; and the time of a process
// that does nothing. Contenders take turns.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { findPython } from './peers/numpy.mjs';
import { expandModel } from './peers/onnx-model.mjs';
import { median } from './statistics.mjs';

const folder = fileURLToPath(new URL('.', import.meta.url));
const model = expandModel({ type: 'float32', inputDims: [3, 1], outputDims: [2, 3, 6] }).toString('base64');

const onnxruntime = (name, setup, options) => `
  import { InferenceSession, Tensor, env } from '${name}';
  ${setup}
  const session = await InferenceSession.create(Buffer.from('${model}', 'base64'), ${options});
  const x = new Tensor('float32', Float32Array.of(1, 2, 3), [3, 1]);
  const shape = new Tensor('int64', BigInt64Array.of(2n, 1n, 6n), [3]);
  console.log((await session.run({ x, shape })).y.data.length);`;

// Broadloom is the file that an import of the package gives in Node.
const scripts = {
  'bare Node': 'console.log(36)',
  Broadloom: `
    import { load } from '../dist/node.js';
    const ops = await load();
    console.log(ops.expand(ops.tensor('float32', [1, 2, 3], [3, 1]), [2, 1, 6]).data.length);`,
  'onnxruntime-web': onnxruntime('onnxruntime-web', 'env.wasm.numThreads = 1;', "{ executionProviders: ['wasm'] }"),
  'onnxruntime-node': onnxruntime('onnxruntime-node', '', '{ intraOpNumThreads: 1 }'),
  'tfjs-wasm': `
    import { broadcastTo, setBackend, tensor } from '@tensorflow/tfjs-core';
    import { setThreadsCount, setWasmPaths } from '@tensorflow/tfjs-backend-wasm';
    setWasmPaths('node_modules/@tensorflow/tfjs-backend-wasm/dist/');
    setThreadsCount(1);
    await setBackend('wasm');
    console.log(broadcastTo(tensor([1, 2, 3], [3, 1]), [2, 3, 6]).dataSync().length);`,
  'numpy-ts': `
    import { array, broadcast_to } from 'numpy-ts';
    console.log(broadcast_to(array([[1], [2], [3]], 'float32'), [2, 3, 6]).copy().data.length);`,
};

const python = `
import numpy as np
print(np.broadcast_to(np.array([[1], [2], [3]], "float32"), (2, 3, 6)).copy().size, flush=True)`;

/** Milliseconds until the first output, which must be the 36 elements. Waits for the end of the process. */
function start(command, args) {
  const started = performance.now();
  const child = spawn(command, args, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
  let first;
  let text = '';
  child.stdout.on('data', (chunk) => {
    first ??= performance.now() - started;
    text += chunk;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', () => (text.trim() === '36' ? resolve(first) : reject(new Error(`cold start: ${text}`))));
  });
}

/** @returns rows { name, milliseconds, aboveBare }, all medians; `aboveBare` is the median of the differences within a round */
export async function measureColdStart(rounds) {
  const contenders = Object.entries(scripts).map(([name, script]) => ({
    name,
    command: process.execPath,
    args: ['--input-type=module', '-e', script],
  }));
  const withNumpy = findPython();
  if (withNumpy !== undefined) contenders.push({ name: 'NumPy', command: withNumpy, args: ['-c', python] });
  const all = contenders.map(({ name }) => ({ name, samples: [], above: [] }));
  for (let round = -1; round < rounds; round++) {
    const elapsed = [];
    for (const { command, args } of contenders) elapsed.push(await start(command, args));
    if (round < 0) continue; // loads the files into the system's cache
    all.forEach(({ samples, above }, i) => {
      samples.push(elapsed[i]);
      above.push(elapsed[i] - elapsed[0]);
    });
  }
  return all.map(({ name, samples, above }) => ({
    name,
    milliseconds: median(samples),
    // Python is not Node: nothing to subtract.
    aboveBare: name === 'NumPy' ? null : median(above),
  }));
}
