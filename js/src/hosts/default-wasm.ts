import type { WasmSource } from './wasm-source.js';

/**
 * What `load` compiles when it is given nothing: the file beside this package's JavaScript. Browsers fetch it, and
 * bundlers that know this form of URL take the file along. The development server of Vite before version 8 moves the
 * JavaScript alone.
 */
export function defaultWasm(): WasmSource {
  return new URL('./broadloom.wasm', import.meta.url).href.replace('.vite/deps', 'broadloom/dist');
}

/** Workers find the file themselves. */
export const wasmForWorkers: (() => WasmSource) | undefined = undefined;
