// The onnxruntimes that the drop-in stands beside: the packages of tests/differential.
import { createRequire } from 'node:module';

const require = createRequire(new URL('../differential/package.json', import.meta.url));

export const common = require('onnxruntime-common');
export const oldCommon = require('onnxruntime-common-old');
export const node = require('onnxruntime-node');

const runtime = require('onnxruntime-web');
runtime.env.wasm.numThreads = 1;

/** onnxruntime-web with one thread. It shares a registry with onnxruntime-node, whose backend comes first where none is named. */
export const web = {
  ...runtime,
  InferenceSession: {
    create: (model, options) => runtime.InferenceSession.create(model, { ...options, executionProviders: ['wasm'] }),
  },
};

/** Collects what is printed by `console.warn` while `work` runs. */
export async function warningsOf(work) {
  const { warn } = console;
  const texts = [];
  console.warn = (...parts) => texts.push(parts.join(' '));
  try {
    await work();
  } finally {
    console.warn = warn;
  }
  return texts;
}
