declare module '*.wasm' {
  const module: WebAssembly.Module;
  export default module;
}
declare module '*.wasm?base64' {
  const text: string;
  export default text;
}
