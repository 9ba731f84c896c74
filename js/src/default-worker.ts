import type { WorkerLike } from './remote-types.js';

/** Starts a worker where the host has others than those of the web, which remote.js starts. */
export const startWorker: (() => WorkerLike | Promise<WorkerLike>) | undefined = undefined;
