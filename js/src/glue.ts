/**
 * What the wasm module exports (bindings/*_exports.cpp and tensors.cpp tell what each function reads and writes). Those
 * that return a number return the address of the page with the result, or its negative when the page holds an error.
 */
export interface Glue {
  /** Runs the constructors of static objects; once, before all others. */
  _initialize(): void;
  reservePage(bytes: number): number;
  memoryUse(): number;
  createTensor(dtype: number, length: number): number;
  tensorBytes(handle: number): number;
  checkTensor(handle: number): number;
  encodeTensor(dtype: number): number;
  createStrings(): number;
  replaceStrings(handle: number): number;
  tensorData(handle: number): number;
  tensorStrings(handle: number): number;
  tensorStrides(handle: number): number;
  unpackTensor(handle: number): number;
  disposeTensor(handle: number): void;
  findOperator(): number;
  describeOperator(operator: number): number;
  callOperator(operator: number, opset: number, wanted: number): number;
  readTensorFile(bytes: number): number;
  writeTensorFile(handle: number): number;
  readModelFile(bytes: number, unsupported: number, getsExternal: number): number;
  describeNodes(handle: number): number;
  runModel(handle: number): number;
  disposeModel(handle: number): void;
}
