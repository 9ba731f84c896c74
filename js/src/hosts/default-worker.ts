import type { WorkerLike } from '../worker/remote-types.js';

/** Starts a worker on a host whose workers differ from the web's. remote.js starts workers of the web. */
export const startWorker: (() => WorkerLike | Promise<WorkerLike>) | undefined = undefined;
