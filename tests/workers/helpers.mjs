// Models and runtimes for the tests of workers.
import { after } from 'node:test';
import { load, loadInWorker } from '../../dist/node.js';

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
