// Measures the section Models or Calls in a separate process, because onnxruntime-web and onnxruntime-node share a registry of
// backends and other sections load both. Prints the rows as JSON.
//
// node bench/models-child.mjs models|calls ROUNDS [OPERATOR ...]
import * as ort from 'onnxruntime-web';
import { measureCalls } from './calls.mjs';
import { measureModels } from './models.mjs';
import { newRuntime } from './peers/broadloom.mjs';

ort.env.wasm.numThreads = 1;
ort.env.logLevel = 'fatal';
const [section, rounds, ...operators] = process.argv.slice(2);
const measure = { models: measureModels, calls: measureCalls }[section];
process.stdout.write(JSON.stringify(await measure(await newRuntime(), ort, Number(rounds), operators)));
