/**
 * Broadloom with the interface of onnxruntime-common: programs for onnxruntime-web and onnxruntime-node run with this import.
 *
 * Sessions and tensors are those of {@link https://onnxruntime.ai/docs/api/js | onnxruntime-common}. The guide
 * "From onnxruntime-web" says what each option means here.
 *
 * @module broadloom/onnxruntime
 */

import * as exports from '../onnxruntime/exports.js';

export * from '../onnxruntime/exports.js';
export default exports;
