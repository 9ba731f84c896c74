import { invalidArgument } from '../basics/error.js';
import type { WasmSource } from './wasm-source.js';

/** Worklets fetch nothing. */
export function defaultWasm(): WasmSource {
  throw invalidArgument(
    "load: a worklet fetches nothing: pass the bytes of broadloom.wasm in the node's processorOptions, and to loadSync",
  );
}

export const wasmForWorkers: (() => WasmSource) | undefined = undefined;
