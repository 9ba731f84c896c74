// Starts the site: renders the page after every change, follows the address, runs the call as it is edited.
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { operatorOf } from './facts.js';
import { callToLink } from './link.js';
import { operatorPage } from './pages/operator.js';
import { tryPage } from './pages/try.js';
import { stateOf } from './router.js';
import { latest, worker } from './runtime/client.js';
import type { CallReport, Refusal } from './runtime/protocol.js';
import { change, current, onChange, redo, type State, undo } from './state.js';
import './style.css';
import { siteTexts } from './texts/site.js';
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
  void laterPages[name]?.().then((loaded) => {
    pages.set(name, loaded);
    change({});
  });
  return nothing;
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
  if (asked.route?.page === 'operator' && !operatorOf(asked.route.operator)) return;
  change(asked);
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

// ---- The call ----

const runCall = latest(
  async (call: State['call']): Promise<CallReport | Refusal> => worker.call(call, 'call'),
  (outcome, call) => {
    change(outcome.ok ? { report: outcome, reported: call, problem: undefined } : { problem: outcome.problem });
  },
);

/** What a page is about: when it changes, a visitor starts at its top. */
function subjectOf({ route }: State): string {
  return route.page === 'operator' ? route.operator : route.page;
}

onChange((state, before) => {
  show(state);
  if (state.route.page === 'try' && (state.call !== before.call || before.route.page !== 'try')) {
    writeAddress(state);
    runCall(state.call);
  }
  if (subjectOf(state) !== subjectOf(before)) {
    scrollTo(0, 0);
    document.getElementById('main')?.focus({ preventScroll: true });
  }
});

// ---- Undo: fields have their own, so the keys work outside of them ----

function isTextField(element: EventTarget | null): boolean {
  return element instanceof HTMLTextAreaElement || (element instanceof HTMLInputElement && element.type !== 'checkbox');
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
  addEventListener('load', () => void navigator.serviceWorker.register('./service-worker.js'));
}
