import { takesAtMost } from '../basics/superfluous.js';
import { remoteOf } from '../worker/remote-code.js';
import { entry } from '../worker/remote-entry.js';
import type { Pool, PoolOptions } from './pool-types.js';

/**
 * Starts several workers with the same models, each with a runtime of its own, and returns the pool of them. A run goes to the next
 * worker that is free. A worker that dies, hangs or is ended is replaced, and the runs that wait wait on.
 *
 * The wasm module is compiled once. Browsers, Node, Bun and Deno have workers.
 *
 * @param options - those of {@link load}, for each worker; `size`, `maxQueue`, `restart` and `deadline`; `worker`, for bundlers that
 * do not find the worker's script by themselves; `signal`
 * @throws {@link OnnxError} `INVALID_ARGUMENT` for an option that is none, where the host has no workers, and when the worker's
 * script or its wasm module cannot be had
 *
 * @example
 * ```ts
 * const pool = await loadPool({ size: 2, maxQueue: 100 });
 * const model = await pool.loadModel(ops.nodeModel('Expand', [x, [3, 4]])['model.onnx']);
 * const feeds = { input: x, shape: ops.tensor('int64', [3, 4], [2]) };
 * const { output } = await pool.run(model, feeds, { timeout: 10_000 });
 * output.dims; // [3, 4]
 * await pool.close();
 * ```
 */
export async function loadPool(options?: PoolOptions): Promise<Pool> {
  takesAtMost(1, arguments.length, 'loadPool');
  const { openPool } = await remoteOf('loadPool');
  return openPool(entry, options);
}
