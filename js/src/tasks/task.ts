import { invalidArgument, OnnxError } from '../basics/error.js';
import { show } from '../basics/show.js';
import type { Runtime } from '../runtime/runtime.js';

/** Runs the work of a task, and frees the tensors that it made. */
export function runTask<R>(task: string, ops: Runtime, work: () => R): R {
  if (typeof ops !== 'object' || ops === null || typeof ops.scope !== 'function')
    throw invalidArgument(`${task}: the first argument is ${show(ops)}, wanted a runtime: const ops = await load()`);
  try {
    return ops.scope(work as () => never);
  } catch (error) {
    // This file has a class of errors of its own. Users test with the runtime's.
    if (error instanceof OnnxError) Object.setPrototypeOf(error, errorPrototype(ops));
    throw error;
  }
}

/** The prototype of the runtime's errors, taken from an error that is made on purpose. */
function errorPrototype(ops: Runtime): object {
  try {
    return ops.scope(undefined as never);
  } catch (error) {
    return Object.getPrototypeOf(error);
  }
}
