import type { WorkerLike } from '../worker/remote-types.js';

/** A thread of Node with the script beside this file. Jest runs no import in CommonJS. */
export function startWorker(): WorkerLike {
  const { Worker } = require('node:worker_threads') as typeof import('node:worker_threads');
  // Flags of this process, such as --input-type, may be none of a thread's.
  return new Worker(`${__dirname}/worker.js`, { execArgv: [] });
}
