// The page's worker, which computes; and how to ask it no more often than it can answer.
import type { TensorDraft } from '../drafts.js';
import { connect } from './connection.js';
import type { Refusal } from './protocol.js';
import type { Api } from './worker.js';

/** Asks the worker, which may not have come, or may have none of the memory that the answer needs: expect rejections. */
export const { ask } = connect<Api>(
  new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'broadloom' }),
);

/** The worker keeps what is too large for the page for as long as a draft, such as one that can be undone, has it. */
const unused = new FinalizationRegistry((id: number) => void ask((worker) => worker.forget(id)).catch(() => {}));

/** Takes over a draft from the worker. */
export function received<D extends Pick<TensorDraft, 'values'>>(draft: D): D {
  if (draft.values.kind === 'stored') unused.register(draft.values, draft.values.id);
  return draft;
}

/** The answer when the worker gives none. Whoever asked made no mistake, but should be told. */
export function unanswered(error: unknown): Refusal {
  return { ok: false, problem: { place: 'call', message: error instanceof Error ? error.message : String(error) } };
}

/**
 * Runs `work`, which must not reject, for the newest argument only. While a run is under way, a later argument replaces the
 * waiting one, so that fast typing queues nothing.
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
