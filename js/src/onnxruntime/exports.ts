// What `broadloom/onnxruntime` exports: its default export has all of it, values and types.
export { env } from './env.js';
export * from './session.js';
export * from './tensor.js';
