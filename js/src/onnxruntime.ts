/**
 * Broadloom with the interface of onnxruntime-common: programs for onnxruntime-web and onnxruntime-node run with this import.
 *
 * Sessions and tensors are those of {@link https://onnxruntime.ai/docs/api/js | onnxruntime-common}. The guide
 * "From onnxruntime-web" says what each option means here.
 *
 * @module broadloom/onnxruntime
 */

import { env } from './onnxruntime/env.js';
import { InferenceSession } from './onnxruntime/session.js';
import { Tensor } from './onnxruntime/tensor.js';

export * from './onnxruntime/session.js';
export * from './onnxruntime/tensor.js';
export { env };
export default { env, InferenceSession, Tensor };
