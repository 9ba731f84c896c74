// Measures the models in a separate process, because onnxruntime-web and onnxruntime-node share a registry of backends and other
// sections load both. Prints the rows as JSON.
import * as ort from 'onnxruntime-web';
import { measureModels } from './models.mjs';
import { newRuntime } from './peers/broadloom.mjs';

ort.env.wasm.numThreads = 1;
ort.env.logLevel = 'fatal';
process.stdout.write(JSON.stringify(await measureModels(await newRuntime(), ort, Number(process.argv[2]))));
