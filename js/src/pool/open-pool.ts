// The caller's side of a pool of workers.
import type { OnnxError as OnnxErrorType } from '../basics/error.js';
import { show } from '../basics/show.js';
import { checkedSignal } from '../worker/remote-connection.js';
import { copied } from '../worker/remote-copies.js';
import type { Entry } from '../worker/remote-entry.js';
import { checkedOnRun, startConnection } from '../worker/remote-runtime.js';
import { checkedMilliseconds } from './milliseconds.js';
import { WorkerPool } from './pool.js';
import type { Pool, PoolOptions } from './pool-types.js';

const method = 'loadPool';
/** More threads than a machine has processors. */
const mostWorkers = 1024;
const ownOptions = ['size', 'maxQueue', 'restart', 'deadline', 'worker', 'signal'];

/** Starts the workers of a pool, and resolves when all of them are there. */
export async function openPool(entry: Entry, given: PoolOptions | undefined): Promise<Pool> {
  const { OnnxError, loadOptions } = entry;
  const options = entry.checkedOptions(`${method}: `, given, [...loadOptions, ...ownOptions]);
  const {
    size = processors(),
    maxQueue = Infinity,
    restart = true,
    deadline,
    worker,
    signal,
    wasm,
    onRun,
    ...rest
  } = options;
  const wrong = (name: string, value: unknown, wanted: string) =>
    new OnnxError('INVALID_ARGUMENT', `${method}: ${name} is ${show(value)}, wanted ${wanted}`);
  if (!(Number.isInteger(size) && size >= 1 && size <= mostWorkers))
    throw wrong('size', size, `a whole number from 1 to ${mostWorkers}`);
  if (!(Number.isSafeInteger(maxQueue) && maxQueue >= 0) && maxQueue !== Infinity)
    throw wrong('maxQueue', maxQueue, 'a whole number or Infinity');
  if (typeof restart !== 'boolean') throw wrong('restart', restart, 'true or false');
  if (worker !== undefined && typeof worker !== 'function')
    throw wrong('worker', worker, 'a function that makes a Worker');
  const limit = checkedMilliseconds(entry, method, 'deadline', deadline);
  const checked = checkedSignal(entry, method, signal);
  const watched = checkedOnRun(entry, method, onRun);
  const { value } = copied(entry, { ...rest, ...watched }, `${method}: an option`);
  const module = await entry.moduleOf(wasm).catch((error: OnnxErrorType) => {
    throw new OnnxError(error.code, error.message.replace(/^load:/, `${method}:`), error);
  });
  const start = (stop: AbortSignal) =>
    startConnection(entry, method, { worker, signal: stop, options: { ...(value as object), wasm: module } });
  return WorkerPool.open(entry, { size, maxQueue, restart, deadline: limit, onRun }, start, checked);
}

/** How many processors the machine has. */
function processors(): number {
  const { navigator, process } = globalThis as {
    navigator?: { hardwareConcurrency?: number };
    process?: { getBuiltinModule?(name: string): typeof import('node:os') | undefined };
  };
  return navigator?.hardwareConcurrency ?? process?.getBuiltinModule?.('node:os')?.availableParallelism() ?? 4;
}
