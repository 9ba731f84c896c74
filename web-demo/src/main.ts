// Starts the site: renders the page after every change, and follows the address.
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { addressIsShown, resumeAddress } from './address.js';
import { defaultDraft } from './default-draft.js';
import { loadOperators, newestOpset } from './facts.js';
import { callToLink } from './link.js';
import { runCalls } from './live-call.js';
import { homePage } from './pages/home.js';
import { unknownPage } from './pages/unknown.js';
import { draftToLink } from './prepare/draft.js';
import { stateOf } from './router.js';
import { firstAnswer } from './runtime/client.js';
import { callOf } from './stage/calls.js';
import { change, current, edit, onChange, redo, type State, undo } from './state.js';
import './style.css';
import './forced-colors.css';
import { siteTexts } from './texts/site.js';
import { refuseStrayFiles } from './views/drops.js';
import { header, showCurrentPage } from './views/header.js';
import { followLead, startLead } from './views/lead.js';
import { missing } from './views/missing.js';
import { focusSearch, showCurrentOperator } from './views/operator-list.js';
import { pageTitle } from './views/title.js';

type Page = (state: State) => TemplateResult;

/** Pages that are loaded when they are first shown. */
const laterPages: { [name: string]: () => Promise<Page> } = {
  operator: async () => (await import('./pages/operator.js')).operatorPage,
  foreign: async () => (await import('./pages/foreign.js')).foreignPage,
  try: async () => (await import('./pages/try.js')).tryPage,
  embed: async () => (await import('./pages/embed.js')).embedPage,
  models: async () => (await import('./pages/models.js')).modelsPage,
  prepare: async () => (await import('./pages/prepare.js')).preparePage,
  benchmark: async () => (await import('./pages/benchmark.js')).benchmarkPage,
};
const pages = new Map<string, Page>([
  ['home', homePage],
  ['unknown', unknownPage],
]);

/** The page that shows a route: Simplify is a tab of Models. */
function pageName({ route }: State): string {
  return route.page === 'simplify' ? 'models' : route.page;
}

async function loadPage(name: string): Promise<void> {
  const page = await laterPages[name]?.().catch((error: unknown) => (state: State) => missing(state, error));
  if (page !== undefined) pages.set(name, page);
}

function pageOf(state: State): TemplateResult | typeof nothing {
  if (state.missing !== undefined) return missing(state, state.missing);
  const name = pageName(state);
  const page = pages.get(name);
  if (page !== undefined) return page(state);
  void loadPage(name).then(() => {
    change({});
    showCurrentOperator();
  });
  return nothing;
}

const root = document.getElementById('site') as HTMLElement;

function show(state: State): void {
  const { dataset, lang } = document.documentElement;
  const t = siteTexts[state.language];
  if (lang !== t.tag) document.documentElement.lang = t.tag;
  dataset.theme = state.theme;
  document.title = pageTitle(state);
  const content = html`<main id="main" tabindex="-1">${pageOf(state)}</main>`;
  render(
    state.route.page === 'embed'
      ? content
      : html`<a class="skip" href="#main" @click=${toContent}>${t.skip}</a>
          ${header(state)} ${content}
          <footer>${t.footer}</footer>`,
    root,
  );
}

function toContent(event: Event): void {
  event.preventDefault(); // the address belongs to the router
  // On the page of an operator, the list of all operators is not part of the content.
  (document.getElementById('content') ?? document.getElementById('main'))?.focus();
}

// ---- The address ----

/** Counts what addresses ask for: an older one must not come after a newer one. */
let timesAsked = 0;

/** The state of the address, once its operators are known; undefined when the address has changed meanwhile. */
async function asked(): Promise<(ReturnType<typeof stateOf> & Pick<State, 'missing'>) | undefined> {
  const number = ++timesAsked;
  const { opens, ...found } = stateOf(location.hash);
  const { route, call } = found;
  if (!pages.has(route.page)) void loadPage(route.page); // while the facts come
  const names = [route.page === 'operator' ? route.operator : undefined, call?.operator, opens];
  const missing = await loadOperators(names.filter((name) => name !== undefined)).then(() => undefined, String);
  if (number !== timesAsked) return undefined;
  if (missing === undefined) {
    const first = opens === undefined ? undefined : defaultDraft(opens, newestOpset);
    return { ...found, ...(first && { call: first }), missing };
  }
  return { route: current().route, isLinkDamaged: false, missing };
}

async function follow(): Promise<void> {
  const found = await asked();
  if (found === undefined) return;
  const { call, prepare, ...shown } = found;
  // A call that comes by a link can be undone. Going back in history brings the same one again, mostly.
  if (call && callToLink(call) !== callToLink(current().call)) edit({ call }, `link ${location.hash}`);
  if (prepare && draftToLink(prepare) !== draftToLink(current().prepare)) edit({ prepare }, `link ${location.hash}`);
  const { route, call: before, reported } = current();
  const isSame = route.page === shown.route.page || callOf({ ...shown, call: before }) === reported;
  change(isSame ? shown : { ...shown, ...nothingYet }); // the result of another page is not this one's
  addressIsShown();
}

const nothingYet = { report: undefined, reported: undefined, problem: undefined, times: undefined };

addEventListener('hashchange', () => void follow());

refuseStrayFiles(() => ['home', 'models', 'prepare', 'simplify'].includes(current().route.page)); // which takes them wherever they fall

// ---- Showing ----

/** The subject of a page: when it changes, a visitor starts at its top. */
function subjectOf(state: State): string {
  return 'operator' in state.route ? state.route.operator : pageName(state);
}

onChange(show);

// ---- Keys: fields' own keys come first ----

function isTextField(element: EventTarget | null): boolean {
  return element instanceof HTMLTextAreaElement || (element instanceof HTMLInputElement && element.type !== 'checkbox');
}

addEventListener('keydown', (event) => {
  const isSearch = event.key === '/' && !(event.ctrlKey || event.metaKey || event.altKey);
  const takesText = (event.target as Element).matches?.('input, textarea, select, [contenteditable]');
  if (isSearch && !takesText && focusSearch()) event.preventDefault();
  const isUndo = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'z';
  if (!isUndo || isTextField(event.target)) return;
  event.preventDefault();
  if (event.shiftKey) redo();
  else undo();
});

async function start(): Promise<void> {
  const found = await asked();
  // An address that came meanwhile was shown by `follow`.
  if (found !== undefined) {
    change(found);
    addressIsShown();
  }
  runCalls();
  showCurrentOperator();
  showCurrentPage();
  // Not before the first page: a visitor starts where the browser has it, at the top.
  onChange((state, before) => {
    if (subjectOf(state) === subjectOf(before)) return;
    scrollTo(0, 0);
    document.getElementById('main')?.focus({ preventScroll: true });
    showCurrentOperator();
    showCurrentPage();
    startLead(state);
  });
  startLead(current());
  onChange(followLead);
}

resumeAddress();
void start();
void firstAnswer.then(() => setTimeout(() => ['operator', 'try'].forEach(loadPage), 500)); // where links lead: no wait for them then

if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  // Browsers may refuse it, such as in private windows: then the site needs its server, as before.
  addEventListener('load', () => void navigator.serviceWorker.register('./service-worker.js').catch(() => {}));
}
