// The search over everything on the first page: a field with a list of results below it (a combobox). Arrow keys go through the
// results, Enter opens one, Escape empties the field.
import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { foreignOf } from '../facts.js';
import type { FoundRow } from '../search.js';
import { change, current, type State } from '../state.js';
import { homeTexts } from '../texts/home.js';
import { operatorPageTexts } from '../texts/operator-page.js';
import type { Destination } from './destinations.js';
import './search-box.css';

type Hit = FoundRow<Destination>;

/** The most results that are listed. */
const most = 9;

let wanted = '';
/** The number of the result that Enter opens. */
let chosen = 0;
/** Whether the results are shown: they go when the field is left. */
let isOpen = false;
let search: ((text: string) => Hit[]) | undefined;
let failure: Error | undefined;

/** Loads the search; once, unless it does not come. */
export async function loadEverything(): Promise<void> {
  if (search !== undefined) return;
  try {
    search = (await import('./destinations.js')).searchEverything;
    failure = undefined;
  } catch (error) {
    failure = error as Error;
  }
  change({});
}

const asked = (): boolean => wanted.trim() !== '';
const hitsNow = (): Hit[] => (asked() ? (search?.(wanted).slice(0, most) ?? []) : []);

function set(text: string, opens: boolean): void {
  wanted = text;
  chosen = 0;
  isOpen = opens;
  change({});
}

function choose(number: number): void {
  const count = hitsNow().length;
  if (count === 0) return;
  chosen = (number + count) % count;
  isOpen = true;
  change({});
  document.getElementById(`hit-${chosen}`)?.scrollIntoView({ block: 'nearest' });
}

/** Opens the chosen result, once the search is there. */
async function open(): Promise<void> {
  const text = wanted;
  await loadEverything();
  const hit = hitsNow()[chosen];
  if (hit === undefined || wanted !== text || current().route.page !== 'home') return;
  set('', false);
  location.assign(hit.row.address);
}

/** A result is opened: its link must not go while it is followed. */
function forget(): void {
  wanted = '';
  isOpen = false;
}

function useKey(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.key === 'ArrowDown') choose(isOpen ? chosen + 1 : 0);
  else if (event.key === 'ArrowUp') choose(isOpen ? chosen - 1 : -1);
  else if (event.key === 'Enter' && asked()) void open();
  else if (event.key === 'Escape' && wanted !== '') set('', false);
  else return;
  event.preventDefault();
}

function option({ language }: State, { row, alias }: Hit, number: number): TemplateResult {
  const t = homeTexts[language].search;
  const { kind, address, name, names, summary } = row;
  const foreign = kind === 'foreign' ? foreignOf(name) : undefined;
  // Another name is told where none of the page's language was meant.
  const isTold = alias !== undefined && alias !== names[language];
  const summaryText = summary[language === 'en' ? 0 : 1];
  const note = foreign ? `${operatorPageTexts[language].has[foreign.has]}: ${summaryText}` : summaryText;
  return html`<a
    class="search-hit"
    role="option"
    id=${`hit-${number}`}
    tabindex="-1"
    href=${address}
    aria-selected=${number === chosen}
    @click=${forget}
  >
    <span class="search-name" lang=${kind === 'guide' ? 'en' : nothing}>${names[language]}</span>
    ${isTold ? html`<small lang=${/\p{Script=Han}/u.test(alias) ? 'zh' : 'en'}>${alias}</small>` : nothing}
    <small class="search-kind">${t.kinds[kind]}</small>
    <small class="search-note" lang=${kind === 'guide' ? 'en' : nothing}>${note}</small>
  </a>`;
}

export function searchBox(state: State): TemplateResult {
  const t = homeTexts[state.language].search;
  const hits = isOpen ? hitsNow() : [];
  const isShown = hits.length > 0;
  const isAnswered = isOpen && asked() && search !== undefined;
  return html`<div class="search-box" role="search" @keydown=${useKey}>
    <input
      id="search"
      type="search"
      role="combobox"
      autocomplete="off"
      spellcheck="false"
      aria-label=${t.label}
      aria-keyshortcuts="/"
      aria-autocomplete="list"
      aria-controls="search-hits"
      aria-expanded=${isShown}
      aria-activedescendant=${isShown ? `hit-${chosen}` : nothing}
      placeholder=${t.hint}
      .value=${live(wanted)}
      @focus=${() => void loadEverything()}
      @input=${(event: Event) => set((event.target as HTMLInputElement).value, true)}
      @click=${() => set(wanted, true)}
      @blur=${leave}
    />
    <kbd aria-hidden="true">/</kbd>
    <div class="search-hits" id="search-hits" role="listbox" aria-label=${t.hits} ?hidden=${!isShown} @pointerdown=${keepFocus}>
      ${hits.map((hit, number) => option(state, hit, number))}
    </div>
    ${isAnswered && !isShown ? html`<p class="search-hits search-nothing">${t.nothing}</p>` : nothing}
    ${failure === undefined ? nothing : html`<p class="problem" lang="en">${failure.message}</p>`}
    <p class="visually-hidden" role="status">${isAnswered ? (isShown ? t.found(hits.length) : t.nothing) : nothing}</p>
  </div>`;
}

/** The field may be left because the page goes: nothing is rendered while it does. */
function leave(): void {
  isOpen = false;
  queueMicrotask(() => change({}));
}

/** The field is not left by a click on a result. */
function keepFocus(event: Event): void {
  event.preventDefault();
}
