// Runs the call of the page as it is edited.
import { writeAddressSoon } from './address.js';
import type { CallDraft } from './drafts.js';
import { expectPicture, firstPicture } from './pictures/index.js';
import { placeInForm } from './places.js';
import { ask, latest, unanswered } from './runtime/client.js';
import type { CallReport, Refusal } from './runtime/protocol.js';
import { callOf } from './stage/calls.js';
import { canUndo, change, current, onChange, type State } from './state.js';

/** Does what nobody waits for when nothing has asked for it again for a while. */
function atRest<A>(work: (argument: A) => void): (argument: A) => void {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  return (argument) => {
    clearTimeout(waiting);
    waiting = setTimeout(() => work(argument), 300);
  };
}

/** Making a call often enough to know its time would delay the results of edits. */
const measure = atRest(async (call: CallDraft): Promise<void> => {
  if (call !== callOf(current())) return;
  const times = await ask((worker) => worker.times(call)).catch(unanswered);
  if (times.ok && call === current().reported) change({ times });
});

/** For bench/first-card.mjs: when a visitor could see what an edit gives. */
function markFirstAnswer(call: CallDraft): void {
  if (canUndo() && call === callOf(current()) && performance.getEntriesByName('first-edit').length === 0)
    performance.mark('first-edit');
}

let lateness: ReturnType<typeof setTimeout> | undefined;

/** Most results come sooner than anybody could read that they are awaited. */
function expectResult(): void {
  clearTimeout(lateness);
  lateness = setTimeout(() => change({ isLate: true }), 500);
}

const run = latest(
  async (call: CallDraft): Promise<CallReport | Refusal> => {
    const outcome = await ask((worker) => worker.call(call)).catch(unanswered);
    const { language, reported } = current();
    if (outcome.ok && reported?.operator !== call.operator)
      await firstPicture(language, outcome, call).catch(unanswered);
    return outcome;
  },
  (outcome, call) => {
    clearTimeout(lateness);
    if (outcome.ok) {
      change({ report: outcome, reported: call, times: undefined, problem: undefined, isLate: false });
      if (current().route.page === 'try') measure(call);
      markFirstAnswer(call);
    } else {
      const { problem } = outcome;
      change({ problem: { ...problem, place: placeInForm(call, problem.place) }, isLate: false });
    }
  },
);

function follow(state: State, before: State | undefined): void {
  const call = callOf(state);
  if (call === undefined || (before && call === callOf(before) && state.route.page === before.route.page)) return;
  writeAddressSoon();
  expectPicture(call.operator);
  run(call);
  expectResult();
}

/** To be called once, when the first page is known. */
export function runCalls(): void {
  onChange(follow);
  follow(current(), undefined);
}
