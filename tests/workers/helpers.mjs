// Models and runtimes for the tests of workers.
import { after } from 'node:test';
import { Worker } from 'node:worker_threads';
import { load, loadInWorker, loadPool } from '../../dist/node.js';

export { endless, plusOne } from './models.mjs';

export const ops = await load({});

/** A runtime in a worker, which ends with the file's tests. */
export async function remoteRuntime(options) {
  const remote = await loadInWorker(options);
  after(() => remote.terminate());
  return remote;
}

export const one = (...values) => ({ type: 'float32', dims: [values.length], data: Float32Array.from(values) });

/** The error that a promise is rejected with. */
export async function errorOf(promise) {
  const value = await promise.catch((error) => ({ error }));
  if (value?.error === undefined) throw new Error('the promise was fulfilled');
  return value.error;
}

/** A thread that runs the package's worker. */
export const thread = () => new Worker(new URL('../../dist/worker-node.js', import.meta.url), { execArgv: [] });

/** A pool that ends with the file's tests, and its workers. */
export async function openPool(options) {
  const workers = [];
  const worker = () => {
    workers.push(thread());
    return workers.at(-1);
  };
  const pool = await loadPool({ size: 2, worker, ...options });
  after(() => pool.close({ deadline: 0 }));
  return { pool, workers, live: () => workers.filter(({ threadId }) => threadId !== -1) };
}

export const until = async (holds) => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
};

export const many = (count, make) => Array.from({ length: count }, (_, i) => make(i));
