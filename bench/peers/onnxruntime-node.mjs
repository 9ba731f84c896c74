// Native code, on one thread.
import * as ort from 'onnxruntime-node';
import { onnxruntime } from './onnxruntime.mjs';

export const onnxruntimeNode = onnxruntime('onnxruntime-node', ort, {
  executionProviders: ['cpu'],
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
});
