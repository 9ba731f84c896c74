import type { WasmFunction } from './embind.js';
import { endedError } from './error.js';

/**
 * The functions of the wasm module (bindings/functions.h; the comments of their definitions tell what each reads and
 * writes). Those that can fail return the address of the page with the result, or its negative when the page holds an error.
 */
export interface Glue {
  reservePage(bytes: number): number;
  memoryUse(): number;
  setLimits(): number;
  createTensor(dtype: number, length: number): number;
  tensorBytes(handle: number): number;
  checkTensor(handle: number): number;
  encodeTensor(dtype: number): number;
  createStrings(): number;
  replaceStrings(handle: number): number;
  tensorData(handle: number): number;
  tensorStrings(handle: number): number;
  tensorStrides(handle: number): number;
  tensorItem(handle: number, index: number): number;
  unpackTensor(handle: number): number;
  disposeTensor(handle: number): void;
  findOperator(): number;
  describeOperator(operator: number): number;
  newestOpset(): number;
  callOperator(operator: number, opset: number, wanted: number): number;
  openFile(bytes: number, isTensor: number): number;
  continueFile(file: number): number;
  readTensorFile(file: number): number;
  writeTensorFile(handle: number): number;
  readModelFile(file: number, unsupported: number, flags: number): number;
  describeExternal(handle: number): number;
  allocateExternal(initializer: number, fileBytes: number): number;
  checkExternal(initializer: number): number;
  describeNodes(handle: number): number;
  describeModel(handle: number): number;
  readStored(address: number): number;
  readInitializer(address: number): number;
  newWarnings(handle: number, known: number): number;
  runModel(handle: number): number;
  profileModel(handle: number): number;
  disposeModel(handle: number): void;
  bindModel(handle: number): number;
  runBinding(handle: number): number;
  resetBinding(handle: number): void;
  disposeBinding(handle: number): void;
  startSimplification(bytes: number): number;
  continueSimplification(handle: number): number;
  describeSimplification(handle: number): number;
  disposeSimplification(handle: number): void;
  fromAudio(handle: number): number;
  logMel(handle: number): number;
  fbank(handle: number): number;
  makeResampler(from: number, to: number): number;
  resamplerRoom(handle: number, count: number): number;
  runResampler(handle: number, count: number): number;
  finishResampler(handle: number): number;
  resetResampler(handle: number): void;
  disposeResampler(handle: number): void;
  startImages(): number;
  continueImages(preparation: number): number;
  finishImages(preparation: number): number;
  disposeImages(preparation: number): void;
  toImage(handle: number): number;
}

/** Whether a runtime lives, and what ended it. */
export interface Life {
  ended: boolean;
  cause?: unknown;
}

/**
 * The functions, made safe to call after a trap. An error of the host within wasm (a trap, or a stack overflow) leaves C++ in the
 * middle of its work, and the stack pointer where it was: the state of the instance is undefined. So the first such error ends
 * the life of the runtime. From then on no function is entered: functions that free do nothing, and the others fail. `onEnd` is
 * called once.
 */
export function guardedGlue(functions: { readonly [name: string]: WasmFunction }, life: Life, onEnd: () => void): Glue {
  // An object that gets these properties one by one would have slow look-ups: 5 ns a call.
  const glue = Object.entries(functions).map(([name, call]) => [
    name,
    guarded(call, life, name.startsWith('dispose'), onEnd),
  ]);
  return Object.fromEntries(glue) as Glue;
}

// Three parameters are what the functions have at most: a list of any length would take longer.
function guarded(call: WasmFunction, life: Life, frees: boolean, onEnd: () => void): WasmFunction {
  return (a?: number, b?: number, c?: number): number => {
    try {
      if (!life.ended) return call(a as number, b as number, c as number);
    } catch (cause) {
      // First, and without a call: the stack may be full.
      life.ended = true;
      life.cause = cause;
      onEnd();
      throw endedError(cause);
    }
    if (frees) return 0;
    throw endedError(life.cause);
  };
}
