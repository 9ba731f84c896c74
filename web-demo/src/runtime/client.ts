// The page's side of the worker.
import { type Remote, wrap } from 'comlink';
import type { TensorDraft } from '../drafts.js';
import type { Api } from './worker.js';

export const worker: Remote<Api> = wrap<Api>(
  new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'broadloom' }),
);

/** The worker keeps what is too large for the page for as long as a draft, such as one that can be undone, has it. */
const unused = new FinalizationRegistry((id: number) => void worker.forget(id));

/** Takes over a draft from the worker. */
export function received<D extends Pick<TensorDraft, 'values'>>(draft: D): D {
  if (draft.values.kind === 'stored') unused.register(draft.values, draft.values.id);
  return draft;
}

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
