// The page's worker, which computes; and how to ask it no more often than it can answer.
import type { TensorDraft } from '../drafts.js';
import { early, worker } from '../early.js';
import { connect } from './connection.js';
import type { Refusal } from './protocol.js';
import type { Api } from './worker.js';

const connection = connect<Api>(worker);
if (early.error !== undefined) connection.end(early.error);

let answered = (): void => {};
/** Resolves with the first answer: by then the wasm module has come, or does not come. */
export const firstAnswer = new Promise<void>((resolve) => {
  answered = resolve;
});

/** Asks the worker, which may not have come, or may have none of the memory that the answer needs: expect rejections. */
export const ask: typeof connection.ask = (question) => {
  const answer = connection.ask(question);
  answer.then(answered, answered);
  return answer;
};

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
