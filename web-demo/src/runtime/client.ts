// The page's side of the worker.
import { type Remote, wrap } from 'comlink';
import type { Api } from './worker.js';

export const worker: Remote<Api> = wrap<Api>(
  new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'broadloom' }),
);

/**
 * Runs `work` for the newest argument only: while one is under way, later ones replace each other, so that fast typing
 * queues nothing.
 */
export function latest<A, R>(
  work: (argument: A) => Promise<R>,
  use: (result: R, argument: A) => void,
): (argument: A) => void {
  let waiting: { argument: A } | undefined;
  let busy = false;
  const next = async (): Promise<void> => {
    busy = true;
    while (waiting !== undefined) {
      const { argument } = waiting;
      waiting = undefined;
      const result = await work(argument);
      if (waiting === undefined) use(result, argument);
    }
    busy = false;
  };
  return (argument) => {
    waiting = { argument };
    if (!busy) void next();
  };
}
