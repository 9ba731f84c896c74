import type { WasmSource } from './wasm-source.js';

/**
 * The file beside this package's JavaScript. Bundlers, which may lose it, get the entry that has the bytes within. Node has
 * loaded its own `fs` already; an import of it would take 1 ms. Node before 20.16 has only the import.
 *
 * Node compiles functions when they are first called, so to compile the module is to check it. That takes 2 ms here; by
 * `WebAssembly.compile` 3 ms, and 14 where other programs have the cores, since it waits for other threads.
 */
export function defaultWasm(): WasmSource | Promise<WasmSource> {
  const file = new URL('./broadloom.wasm', import.meta.url);
  const { process } = globalThis; // bundlers for browsers look for a package where they see its bare name
  const fs = process.getBuiltinModule?.('node:fs');
  if (fs) return new WebAssembly.Module(fs.readFileSync(file));
  return import('node:fs').then(({ readFileSync }) => readFileSync(file));
}

/** Workers find the file themselves. */
export const wasmForWorkers = undefined;
