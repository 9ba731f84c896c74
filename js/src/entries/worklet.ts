/**
 * The entry of worklets. `AudioWorkletGlobalScope` has no fetch, no URL, no TextDecoder and no workers, and no message can carry
 * a compiled module into it. So `processorOptions` carries the bytes of broadloom.wasm, and `loadSync` starts them.
 */
import { OnnxError } from '../basics/error.js';

export * from './index.js';

/** Worklets start no workers. */
export function loadInWorker(): Promise<never> {
  return Promise.reject(
    new OnnxError('INVALID_ARGUMENT', 'loadInWorker: a worklet starts no workers; loadSync(bytes) gives a runtime'),
  );
}
