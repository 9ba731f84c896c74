import { takesAtMost } from '../basics/superfluous.js';
import { remoteOf } from './remote-code.js';
import { entry } from './remote-entry.js';
import type { RemoteRuntime, WorkerOptions } from './remote-types.js';

/**
 * Starts a worker with a runtime of its own, and returns a stand-in for that runtime: the same models, with promises. Long runs
 * do not block the caller's thread, and can be stopped. To stop a call that is going on ends the worker: its models are gone, and
 * all its other calls are rejected. The guide on many requests has a pool of workers, where a stopped call costs no other one.
 *
 * Browsers, Node, Bun and Deno have workers. Its code is loaded when it is first called, from `remote.js` and `worker.js`, which
 * lie beside the package's JavaScript. On pages that require Trusted Types, the script's address gets the policy `broadloom`.
 *
 * @param options - those of {@link load}; `worker`, for bundlers that do not find the worker's script by themselves; `signal`
 * @throws {@link OnnxError} `INVALID_ARGUMENT` for an option that is none, where the host has no workers, and when the worker's
 * script or its wasm module cannot be had
 *
 * @example
 * ```ts
 * const remote = await loadInWorker();
 * const model = await remote.loadModel(ops.nodeModel('Expand', [x, [3, 4]])['model.onnx']);
 * const feeds = { input: x, shape: ops.tensor('int64', [3, 4], [2]) };
 * const { output } = await model.run(feeds, { signal: AbortSignal.timeout(10_000) });
 * output.dims; // [3, 4]
 * remote.terminate();
 * ```
 */
export async function loadInWorker(options?: WorkerOptions): Promise<RemoteRuntime> {
  takesAtMost(1, arguments.length, 'loadInWorker');
  const { connect } = await remoteOf('loadInWorker');
  return connect(entry, options);
}
