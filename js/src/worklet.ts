/**
 * The entry of worklets. `AudioWorkletGlobalScope` has no fetch, no URL, no TextDecoder and no workers, and a compiled module does
 * not get into it by a message: the bytes of broadloom.wasm come with `processorOptions`, and `loadSync` starts them.
 */
import { OnnxError } from './error.js';

export * from './index.js';

/** Worklets start no workers. */
export function loadInWorker(): Promise<never> {
  return Promise.reject(
    new OnnxError('INVALID_ARGUMENT', 'loadInWorker: a worklet starts no workers; loadSync(bytes) gives a runtime'),
  );
}
