// Measures the section Models, Calls or Architectures in a separate process, because onnxruntime-web and onnxruntime-node share a registry of
// backends and other sections load both. Prints the rows as JSON.
//
// node bench/models-child.mjs models|calls ROUNDS [OPERATOR ...]
// node bench/models-child.mjs architectures ROUNDS [CASE,... [DIST]]
import * as ort from 'onnxruntime-web';
import { measureArchitectures } from './architectures.mjs';
import { measureCalls } from './calls.mjs';
import { measureModels } from './models.mjs';
import { newRuntime } from './peers/broadloom.mjs';

ort.env.wasm.numThreads = 1;
ort.env.logLevel = 'fatal';
const [section, rounds, ...more] = process.argv.slice(2);
const measure = {
  models: async () => measureModels(await newRuntime(), ort, Number(rounds)),
  calls: async () => measureCalls(await newRuntime(), ort, Number(rounds), more),
  architectures: () => measureArchitectures(ort, Number(rounds), more),
};
process.stdout.write(JSON.stringify(await measure[section]()));
