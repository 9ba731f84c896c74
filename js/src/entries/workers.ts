/**
 * The entry of workers on servers (Cloudflare's workerd, Vercel's edge functions). They refuse to compile bytes: a module is
 * imported there, and was compiled when the worker was deployed.
 */

import { isPlainObject } from '../basics/plain.js';
import { tooMany } from '../basics/superfluous.js';
import module from './broadloom.wasm';
import { type LoadOptions, load as loadFrom, OnnxError, type Runtime } from './index.js';

export * from './index.js';

let shared: Promise<Runtime> | undefined;

export function load(options?: LoadOptions): Promise<Runtime> {
  if (arguments.length > 1) return Promise.reject(tooMany('load', arguments.length, 1));
  if (options == null) {
    shared ??= loadFrom({ wasm: module }).catch((error) => {
      shared = undefined;
      throw error;
    });
    return shared;
  }
  return loadFrom(isPlainObject(options) && options.wasm === undefined ? { ...options, wasm: module } : options);
}

const noWorkers = (method: string) => async (): Promise<never> => {
  throw new OnnxError('INVALID_ARGUMENT', `${method}: this host starts no workers; load() gives a runtime`);
};

/** These hosts have no workers that a script could start. */
export const loadInWorker: () => Promise<never> = noWorkers('loadInWorker');
export const loadPool: () => Promise<never> = noWorkers('loadPool');
