// The exports of `broadloom/onnxruntime`. The default export has all of them, values and types.
export { env } from './env.js';
export * from './env-types.js';
export * from './session.js';
export * from './tensor.js';
export * from './tensor-options.js';
