// Measures the models in a process of its own: onnxruntime-web and onnxruntime-node, which other sections have in one process,
// share a registry of backends. Prints the rows as JSON.
import * as ort from 'onnxruntime-web';
import { measureModels } from './models.mjs';
import { newRuntime } from './peers/broadloom.mjs';

ort.env.wasm.numThreads = 1;
ort.env.logLevel = 'fatal';
process.stdout.write(JSON.stringify(await measureModels(await newRuntime(), ort, Number(process.argv[2]))));
