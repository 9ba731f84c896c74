// The address follows what is edited, so that a reload, a bookmark and a shared link show the same.

import { defaultDraft } from './default-draft.js';
import type { CallDraft } from './drafts.js';
import { newestOpset } from './facts.js';
import { callToLink } from './link.js';
import { draftToLink } from './prepare/draft.js';
import { hashOf, stateOf, tryHash } from './router.js';
import { callOf, firstCall } from './stage/calls.js';
import { current, type State } from './state.js';

/** Whether a page shows the call without being told more than its operator. */
function isDefault(call: CallDraft, page: State['route']['page']): boolean {
  const first = page === 'operator' ? firstCall(call.operator) : defaultDraft(call.operator, newestOpset);
  return callToLink(call) === callToLink(first);
}

/** The address of what is shown, after #; undefined when the call is too large for one. */
export function addressOf(state: Pick<State, 'route' | 'call' | 'prepare'>): string | undefined {
  const { route } = state;
  if (route.page === 'prepare') {
    const steps = draftToLink(state.prepare);
    return steps === '' ? hashOf(route) : `${hashOf(route)}/${steps}`;
  }
  const call = callOf(state);
  if (call === undefined || (route.page === 'operator' && isDefault(call, route.page))) return hashOf(route);
  if (route.page === 'try' && isDefault(call, route.page)) return tryHash(call.operator);
  const link = callToLink(call);
  return link && `${hashOf(route)}/${link}`;
}

/** The address that a part of the site is due; none for embedded pages, which stay as their documents wrote them. */
function wantedAddress(): string | undefined {
  const state = current();
  const { page } = state.route;
  if (!['try', 'operator', 'prepare', 'models', 'simplify'].includes(page)) return undefined;
  const wanted = addressOf(state) ?? hashOf(state.route);
  // The page of the first operator has a shorter address, too.
  const isShort = wanted === hashOf(state.route) && stateOf(location.hash).call === undefined;
  return wanted === location.hash || (isShort && page === 'operator') ? undefined : wanted;
}

let waiting: ReturnType<typeof setTimeout> | undefined;
let shown: string | undefined;
/** The address before the newest one: a browser that is about to leave the page may not take that. */
let before: string | undefined;

/** To be called when the page shows what the address asks for. */
export function addressIsShown(): void {
  shown = location.hash;
}

function write(): void {
  clearTimeout(waiting);
  waiting = undefined;
  const wanted = wantedAddress();
  // An address that nobody has followed yet is newer than the page.
  if (wanted === undefined || location.hash !== shown) return;
  before = location.hash;
  history.replaceState(null, '', wanted);
  addressIsShown();
}

/** Writes the address when edits rest: browsers count how often it is written. */
export function writeAddressSoon(): void {
  clearTimeout(waiting);
  waiting = setTimeout(write, 300);
}

/** The edits just before the page was left: browsers may ignore an address that is written then. */
const storageKey = 'edited';

addEventListener('pagehide', () => {
  const to =
    (waiting === undefined ? undefined : wantedAddress()) ?? (before === undefined ? undefined : location.hash);
  if (to === undefined) return;
  try {
    sessionStorage.setItem(storageKey, JSON.stringify({ from: [before, location.hash], to }));
  } catch {} // a browser that stores nothing
});

/** Takes up what was edited just before a reload. To be called once, before the address is read. */
export function resumeAddress(): void {
  try {
    const { from, to } = JSON.parse(sessionStorage.getItem(storageKey) ?? '{}');
    sessionStorage.removeItem(storageKey);
    const [load] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    // Who follows a link to the former address wants that.
    if (load?.type !== 'navigate' && from.includes(location.hash)) history.replaceState(null, '', to);
  } catch {}
}
