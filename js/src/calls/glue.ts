import { endedError } from '../basics/error.js';
import type { Glue } from './bindings.generated.js';
import type { WasmFunction } from './embind.js';
import type { Life } from './memory.js';

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
