import type { WorkerLike } from '../worker/remote-types.js';

/** A thread of Node with the script beside this package's JavaScript. Node before 20.16 has only the import. */
export async function startWorker(): Promise<WorkerLike> {
  const { process } = globalThis; // bundlers for browsers look for a package where they see its bare name
  const threads = process.getBuiltinModule?.('node:worker_threads') ?? (await import('node:worker_threads'));
  // Flags of this process, such as --input-type, may be none of a thread's.
  return new threads.Worker(new URL('./worker-node.js', import.meta.url), { execArgv: [] });
}
