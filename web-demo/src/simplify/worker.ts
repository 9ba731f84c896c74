// The worker that simplifies, with a runtime of its own. To stop it is to end it; the next question starts another.
import type { RemoteRuntime } from 'broadloom';

interface Started {
  readonly remote: Promise<RemoteRuntime>;
  readonly stopper: AbortController;
}

let started: Started | undefined;

function start(): Started {
  const stopper = new AbortController();
  const { signal } = stopper;
  // The package's code is downloaded when it is first needed.
  const remote = import('broadloom').then(({ loadInWorker }) => loadInWorker({ signal }));
  remote.catch(() => {}); // told to whoever asks
  return { remote, stopper };
}

/** Asks the worker. The signal is aborted when the worker is stopped; then calls of the runtime are rejected, too. */
export async function ask<R>(
  question: (remote: Promise<RemoteRuntime>, signal: AbortSignal) => Promise<R>,
): Promise<R> {
  started ??= start();
  const asked = started;
  try {
    return await question(asked.remote, asked.stopper.signal);
  } catch (error) {
    // An error has ended the runtime.
    if (asked === started && (error as { code?: unknown }).code === 'DISPOSED') stopWorker();
    throw error;
  }
}

export function stopWorker(): void {
  started?.stopper.abort();
  started?.remote.then(
    (remote) => remote.terminate(),
    () => {},
  );
  started = undefined;
}
