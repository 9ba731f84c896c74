// The page's side of the worker that measures. A measurement cannot be interrupted from within, so to stop is to end the
// worker; the next question starts another.
import { type Remote, wrap } from 'comlink';
import type { Api } from './worker.js';

/** What a question is answered with when the worker was ended. */
export class Stopped extends Error {}

interface Connection {
  readonly worker: Worker;
  readonly api: Remote<Api>;
  /** Rejects when the worker ends, or could not be started. */
  readonly ended: Promise<never>;
  readonly end: (error: Error) => void;
}

let connection: Connection | undefined;

function connect(): Connection {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'benchmark' });
  let end = (_: Error): void => {};
  const ended = new Promise<never>((_, reject) => {
    end = reject;
  });
  ended.catch(() => {}); // nobody may be waiting
  worker.addEventListener('error', ({ message }) => disconnect(new Error(message || 'worker.js')));
  return { worker, api: wrap<Api>(worker), ended, end };
}

function disconnect(error: Error): void {
  connection?.worker.terminate();
  connection?.end(error);
  connection = undefined;
}

/** Asks the worker. Rejects with `Stopped` when it is stopped meanwhile. */
export function ask<R>(question: (api: Remote<Api>) => Promise<R>): Promise<R> {
  connection ??= connect();
  return Promise.race([question(connection.api), connection.ended]);
}

export function stopWorker(): void {
  disconnect(new Stopped());
}
