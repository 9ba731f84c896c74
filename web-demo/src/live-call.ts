// Runs the call of "Try it" as it is edited, and keeps the address, and so what a reload shows, up to date.
import type { CallDraft } from './drafts.js';
import { callToLink } from './link.js';
import { placeInForm } from './places.js';
import { ask, latest, unanswered } from './runtime/client.js';
import type { CallReport, Refusal } from './runtime/protocol.js';
import { change, current, onChange, type State } from './state.js';

/** Does what nobody waits for when nothing has asked for it again for a while. */
function atRest<A>(work: (argument: A) => void): (argument: A) => void {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  return (argument) => {
    clearTimeout(waiting);
    waiting = setTimeout(() => work(argument), 300);
  };
}

const writeAddress = atRest((call: CallDraft): void => {
  const link = callToLink(call);
  const hash = `#/try${link === undefined ? '' : `/${link}`}`;
  if (current().route.page === 'try' && location.hash !== hash) history.replaceState(null, '', hash);
});

/** Making a call often enough to know its time would delay the results of edits. */
const measure = atRest(async (call: CallDraft): Promise<void> => {
  if (call !== current().call) return;
  const times = await ask((worker) => worker.times(call)).catch(unanswered);
  if (times.ok && call === current().reported) change({ times });
});

let lateness: ReturnType<typeof setTimeout> | undefined;

/** Most results come sooner than anybody could read that they are awaited. */
function expectResult(): void {
  clearTimeout(lateness);
  lateness = setTimeout(() => change({ isLate: true }), 500);
}

const run = latest(
  (call: CallDraft): Promise<CallReport | Refusal> => ask((worker) => worker.call(call)).catch(unanswered),
  (outcome, call) => {
    clearTimeout(lateness);
    if (outcome.ok) {
      change({ report: outcome, reported: call, times: undefined, problem: undefined, isLate: false });
      measure(call);
    } else {
      const { problem } = outcome;
      change({ problem: { ...problem, place: placeInForm(call, problem.place) }, isLate: false });
    }
  },
);

function follow(state: State, before: State | undefined): void {
  if (state.route.page !== 'try') return;
  if (state.call === before?.call && before.route.page === 'try') return;
  writeAddress(state.call);
  run(state.call);
  expectResult();
}

/** To be called once, when the page is first shown. */
export function runCalls(): void {
  onChange(follow);
  follow(current(), undefined);
}
