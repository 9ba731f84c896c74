import base64 from './broadloom.wasm?base64';
import type { WasmSource } from './load.js';

/** The module's bytes from within the script: for places that cannot serve a file, and for servers. */
export function defaultWasm(): WasmSource {
  // Where Node's decoder exists, it takes a tenth of a millisecond; this way takes a few.
  const { Buffer } = globalThis as { Buffer?: { from(text: string, encoding: string): Uint8Array } };
  return Buffer?.from(base64, 'base64') ?? Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
