// The worker that simplifies. Work cannot be interrupted from within, so to stop is to end the worker; the next question
// starts another.
import type { Remote } from 'comlink';
import { type Connection, connect } from '../runtime/connection.js';
import type { Api } from './worker.js';

/** What a question is answered with when the worker was ended. */
export class Stopped extends Error {}

let connection: Connection<Api> | undefined;

function start(): Connection<Api> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'simplify' });
  return connect<Api>(worker, () => {
    connection = undefined;
  });
}

/** Asks the worker. Rejects with `Stopped` when it is stopped meanwhile. */
export function ask<R extends Promise<unknown>>(question: (api: Remote<Api>) => R): Promise<Awaited<R>> {
  connection ??= start();
  return connection.ask(question);
}

export function stopWorker(): void {
  connection?.end(new Stopped());
}
