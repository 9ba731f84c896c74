import { check } from './check.js';
import * as broadloom from './node_modules/broadloom/dist/index.js';
import * as onnxruntime from './node_modules/broadloom/dist/onnxruntime.js';
import * as ort from './node_modules/broadloom/dist/ort.js';
import * as common from './node_modules/onnxruntime-common/dist/esm/index.js';

globalThis.result = check(broadloom, { inWorker: {}, entries: { onnxruntime, ort, common } });
