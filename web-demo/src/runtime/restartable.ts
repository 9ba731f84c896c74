// A worker whose work cannot be interrupted from within: to stop is to end the worker, and the next question starts another.
import type { Remote } from 'comlink';
import { type Connection, connect } from './connection.js';

/** The answer to a question when the worker was ended. */
export class Stopped extends Error {}

interface Restartable<Api> {
  /** Asks the worker. Rejects with `Stopped` when it is stopped meanwhile. */
  ask<R extends Promise<unknown>>(question: (api: Remote<Api>) => R): Promise<Awaited<R>>;
  stopWorker(): void;
}

/** @param start makes a worker: for the first question, and for the first one after each stop */
export function restartable<Api>(start: () => Worker): Restartable<Api> {
  let connection: Connection<Api> | undefined;
  return {
    ask: (question) => {
      connection ??= connect<Api>(start(), () => {
        connection = undefined;
      });
      return connection.ask(question);
    },
    stopWorker: () => connection?.end(new Stopped()),
  };
}
