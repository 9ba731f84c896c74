// The wasm backend on one thread.
import * as ort from 'onnxruntime-web';
import { onnxruntime } from './onnxruntime.mjs';

ort.env.wasm.numThreads = 1;
ort.env.logLevel = 'fatal';

export const onnxruntimeWeb = onnxruntime('onnxruntime-web', ort, { executionProviders: ['wasm'] });
