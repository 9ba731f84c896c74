/** The glue that Emscripten makes for the wasm module: broadloom-wasm.mjs in the build, wasm-glue.js in the package. */
export default function createGlue(module: {
  wasmMemory: WebAssembly.Memory;
  instantiateWasm(imports: WebAssembly.Imports, receive: (instance: WebAssembly.Instance) => void): WebAssembly.Exports;
}): unknown;
