import { hostMilliseconds } from '../basics/clock.js';
import type { OnnxError } from '../basics/error.js';
import type { Context } from '../calls/context.js';

/** The figures of one run. */
export interface RunFigures {
  /** How many nodes the graph of the model has. */
  readonly nodes: number;
  /** From the call until the outputs were there, by the host's clock. */
  readonly microseconds: number;
  /** Bytes of the WebAssembly memory after the run. It grows, and never shrinks. */
  readonly bytes: number;
}

/** A run of a model, as the option `onRun` is told. */
export interface RunEvent<M> extends RunFigures {
  /** The model, as `loadModel` gave it. */
  readonly model: M;
  /** The error that ended the run; its `limit` names a limit that was exceeded. Absent where there was none. */
  readonly error?: OnnxError;
}

/** Calls a function of the user's. The run does not fail with its errors: the host reports them. */
function tell<E>(listener: (event: E) => void, event: E): void {
  try {
    listener(event);
  } catch (error) {
    void Promise.reject(error); // audio worklets have nothing else
  }
}

/** Tells the option `onRun` of runs in a worker, whose figures come with the answer. @internal */
export function tellerOf<M>(listener: ((event: RunEvent<M>) => void) | undefined, model: M) {
  return (
    listener &&
    ((figures: RunFigures, error?: OnnxError) => tell(listener, { ...figures, ...(error && { error }), model }))
  );
}

/** Runs a model, and tells the option `onRun` of it. @internal */
export function observed<M, R>(context: Context, model: M, nodes: number, run: () => R): R {
  const onRun = context.onRun as ((event: RunEvent<M>) => void) | undefined;
  if (onRun === undefined) return run();
  const began = hostMilliseconds();
  const event = () => ({
    model,
    nodes,
    microseconds: 1000 * (hostMilliseconds() - began),
    bytes: context.memory.heapBytes,
  });
  let result: R;
  try {
    result = run();
  } catch (error) {
    tell(onRun, { ...event(), error: error as OnnxError });
    throw error;
  }
  tell(onRun, event());
  return result;
}
