import type { WasmSource } from './load.js';

/**
 * The file beside this package's JavaScript. Bundlers, which may lose it, get the entry that has the bytes within. Node has
 * loaded its own `fs` already; an import of it would take 1 ms. Node before 20.16 has only the import.
 */
export function defaultWasm(): WasmSource | Promise<WasmSource> {
  const file = new URL('./broadloom.wasm', import.meta.url);
  const fs = process.getBuiltinModule?.('node:fs');
  return fs ? fs.readFileSync(file) : import('node:fs').then(({ readFileSync }) => readFileSync(file));
}
