import type { WorkerLike } from './remote-types.js';

/** Starts a worker on a host whose workers differ from the web's. remote.js starts workers of the web. */
export const startWorker: (() => WorkerLike | Promise<WorkerLike>) | undefined = undefined;
