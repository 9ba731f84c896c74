// Starts the site: renders the page after every change, follows the address, runs the call as it is edited.
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { callToLink } from './link.js';
import { operatorPage } from './pages/operator.js';
import { tryPage } from './pages/try.js';
import { placeInForm } from './places.js';
import { stateOf } from './router.js';
import { ask, latest, unanswered } from './runtime/client.js';
import type { CallReport, Refusal } from './runtime/protocol.js';
import { change, current, edit, onChange, redo, type State, undo } from './state.js';
import './style.css';
import { siteTexts } from './texts/site.js';
import { refuseStrayFiles } from './views/drops.js';
import { header } from './views/header.js';

type Page = (state: State) => TemplateResult;

/** Pages that are loaded when they are first shown. */
const laterPages: { [name: string]: () => Promise<Page> } = {
  models: async () => (await import('./pages/models.js')).modelsPage,
  benchmark: async () => (await import('./pages/benchmark.js')).benchmarkPage,
};
const pages = new Map<string, Page>([
  ['operator', operatorPage],
  ['try', tryPage],
]);

function pageOf(state: State): TemplateResult | typeof nothing {
  const name = state.route.page;
  const page = pages.get(name);
  if (page !== undefined) return page(state);
  void laterPages[name]?.()
    .catch((error: unknown) => (state: State) => missingPage(state, error))
    .then((loaded) => {
      pages.set(name, loaded);
      change({});
    });
  return nothing;
}

/** In the place of a page that does not come: browsers do not ask again for a module that failed. */
function missingPage({ language }: State, error: unknown): TemplateResult {
  return html`<div role="alert">
    <p>${siteTexts[language].missing}</p>
    <p class="problem" lang="en">${String(error)}</p>
  </div>`;
}

const root = document.getElementById('site') as HTMLElement;

function show(state: State): void {
  const { dataset, lang } = document.documentElement;
  const t = siteTexts[state.language];
  if (lang !== t.tag) document.documentElement.lang = t.tag;
  dataset.theme = state.theme;
  document.title = t.title(state.route.page === 'operator' ? state.route.operator : t.pages[state.route.page]);
  render(
    html`<a class="skip" href="#main" @click=${toContent}>${t.skip}</a>
      ${header(state)}
      <main id="main" tabindex="-1">${pageOf(state)}</main>
      <footer>${t.footer}</footer>`,
    root,
  );
}

function toContent(event: Event): void {
  event.preventDefault(); // the address belongs to the router
  document.getElementById('main')?.focus();
}

// ---- The address ----

function follow(): void {
  const asked = stateOf(location.hash);
  if (asked === undefined) return;
  const { call, ...shown } = asked;
  // A call that comes by a link can be undone. Going back in history brings the same one again, mostly.
  if (call && callToLink(call) !== callToLink(current().call)) edit({ call }, `link ${location.hash}`);
  change(shown);
}

let writingAddress: ReturnType<typeof setTimeout> | undefined;

/** Keeps the address, and so what a reload shows, up to date while a call is edited. */
function writeAddress(state: State): void {
  clearTimeout(writingAddress);
  writingAddress = setTimeout(() => {
    const link = callToLink(state.call);
    const hash = `#/try${link === undefined ? '' : `/${link}`}`;
    if (current().route.page === 'try' && location.hash !== hash) history.replaceState(null, '', hash);
  }, 300);
}

addEventListener('hashchange', follow);

refuseStrayFiles(() => current().route.page === 'models'); // which takes them wherever they fall

// ---- The call ----

const runCall = latest(
  (call: State['call']): Promise<CallReport | Refusal> => ask((worker) => worker.call(call, 'call')).catch(unanswered),
  (outcome, call) => {
    clearTimeout(lateness);
    if (outcome.ok) return change({ report: outcome, reported: call, problem: undefined, isLate: false });
    const { problem } = outcome;
    change({ problem: { ...problem, place: placeInForm(call, problem.place) }, isLate: false });
  },
);

let lateness: ReturnType<typeof setTimeout> | undefined;

/** Most results come sooner than anybody could read that they are awaited. */
function expectResult(): void {
  clearTimeout(lateness);
  lateness = setTimeout(() => change({ isLate: true }), 500);
}

/** What a page is about: when it changes, a visitor starts at its top. */
function subjectOf({ route }: State): string {
  return route.page === 'operator' ? route.operator : route.page;
}

onChange((state, before) => {
  show(state);
  if (state.route.page === 'try' && (state.call !== before.call || before.route.page !== 'try')) {
    writeAddress(state);
    runCall(state.call);
    expectResult();
  }
  if (subjectOf(state) !== subjectOf(before)) {
    scrollTo(0, 0);
    document.getElementById('main')?.focus({ preventScroll: true });
  }
});

// ---- Undo: fields have their own, so the keys work outside of them ----

function isTextField(element: EventTarget | null): boolean {
  if (!(element instanceof HTMLInputElement)) return element instanceof HTMLTextAreaElement;
  return !['checkbox', 'range', 'file'].includes(element.type);
}

addEventListener('keydown', (event) => {
  const isUndo = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'z';
  if (!isUndo || isTextField(event.target)) return;
  event.preventDefault();
  if (event.shiftKey) redo();
  else undo();
});

change(stateOf(location.hash) ?? {});

if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  // Browsers may refuse it, such as in private windows: then the site needs its server, as before.
  addEventListener('load', () => void navigator.serviceWorker.register('./service-worker.js').catch(() => {}));
}
