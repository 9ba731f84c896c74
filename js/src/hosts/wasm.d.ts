declare module '*.wasm' {
  const module: WebAssembly.Module;
  export default module;
}
declare module '*.wasm?base64' {
  const text: string;
  export default text;
}

/** Version of the package: tools/build/package-js.mjs puts it here. */
declare const broadloomVersion: string;
