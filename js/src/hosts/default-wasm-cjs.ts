import { readFileSync } from 'node:fs';
import type { WasmSource } from './wasm-source.js';

/** The file beside the CommonJS folder, which only Node and Jest read; compiled at once, as default-wasm-node.ts says. */
export function defaultWasm(): WasmSource {
  return new WebAssembly.Module(readFileSync(`${__dirname}/../broadloom.wasm`));
}

/** Workers find the file themselves. */
export const wasmForWorkers = undefined;
