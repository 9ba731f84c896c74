/**
 * The forms in which the wasm module can be given: its URL, a `Response` that brings it, its bytes, or the compiled module. In Node,
 * Bun and Deno a string may be a path of the file system, too.
 */
export type WasmSource = string | URL | Response | ArrayBuffer | ArrayBufferView | (WebAssembly.Module & object);
