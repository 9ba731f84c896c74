import { readFileSync } from 'node:fs';
import type { WasmSource } from './load.js';

/** The file beside the CommonJS folder, which only Node and Jest read. */
export function defaultWasm(): WasmSource {
  return readFileSync(`${__dirname}/../broadloom.wasm`);
}
