// The page's side of a worker. Comlink alone would leave a question open for ever whose worker could not be loaded, or was
// ended.
import { type Remote, wrap } from 'comlink';

export interface Connection<Api> {
  /** Asks the worker. Rejects with what the worker throws, or with why it has ended. */
  ask<R extends Promise<unknown>>(question: (api: Remote<Api>) => R): Promise<Awaited<R>>;
  /** Ends the worker: every question that is open, and every later one, is rejected with `why`. */
  end(why: Error): void;
}

/** @param onEnd is told when the worker has ended */
export function connect<Api>(worker: Worker, onEnd: () => void = () => {}): Connection<Api> {
  const api = wrap<Api>(worker);
  const open = new Set<(why: Error) => void>();
  let ended: Error | undefined;
  const end = (why: Error): void => {
    ended = why;
    worker.terminate();
    for (const reject of open) reject(why);
    open.clear();
    onEnd();
  };
  // This event comes for a script that cannot be loaded or evaluated. Errors in answers do not come here.
  worker.addEventListener('error', ({ message }) => end(new Error(message || 'the worker could not be loaded')));
  return {
    ask: (question) =>
      new Promise((resolve, reject) => {
        if (ended !== undefined) return reject(ended);
        open.add(reject);
        question(api)
          .then(resolve as (answer: unknown) => void, reject)
          .finally(() => open.delete(reject));
      }),
    end,
  };
}
