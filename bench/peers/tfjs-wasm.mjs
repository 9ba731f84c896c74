// Measured: tf.fill or tf.broadcastTo on the wasm backend with one thread, dataSync(), dispose().

import { fileURLToPath } from 'node:url';
import { setThreadsCount, setWasmPaths } from '@tensorflow/tfjs-backend-wasm';
import * as tf from '@tensorflow/tfjs-core';
import { fillValue, inputData } from '../element-types.mjs';
import { timed } from '../measure.mjs';
import { digestOf, packageVersion, Unsupported } from './peer.mjs';

const files = new URL('../node_modules/@tensorflow/tfjs-backend-wasm/dist/', import.meta.url);

export async function tfjsWasm() {
  setWasmPaths(fileURLToPath(files));
  setThreadsCount(1);
  tf.env().set('DEBUG', false);
  await tf.setBackend('wasm');
  return {
    name: 'tfjs-wasm',
    version: packageVersion('@tensorflow/tfjs-backend-wasm'),
    prepare({ operator, type, inputDims, outputDims }) {
      if (type !== 'float32') throw new Unsupported(`no ${type} tensors`);
      const input = operator === 'Expand' ? tf.tensor(inputData(type, inputDims), inputDims, type) : undefined;
      const make = () => (input ? tf.broadcastTo(input, outputDims) : tf.fill(outputDims, fillValue, type));
      const use = (read) => {
        const y = make();
        const result = read(y.dataSync());
        y.dispose();
        return result;
      };
      const first = (data) => data[0];
      return { time: timed(() => use(first)), digest: () => use(digestOf), dispose: () => input?.dispose() };
    },
  };
}
