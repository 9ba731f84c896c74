// The list of all operators in groups, as links to their pages, with a search that knows other names for them. Keys: / moves to
// the search from anywhere, arrows go through the list, Enter opens, Escape leaves.
import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { foreignIndex, foreignOf, operatorGroups, operatorIndex } from '../facts.js';
import { hashOf } from '../router.js';
import type { Found } from '../search.js';
import { change, type State } from '../state.js';
import { operatorPageTexts } from '../texts/operator-page.js';
import './operator-list.css';

let wanted = '';
/** Whether a phone shows the list; where there is room it is always seen. */
let isListed = false;
let search: ((text: string) => Found[]) | undefined;

/** Until the search has come, or where it does not, names are compared. */
function namesLike(text: string): Found[] {
  const part = text.trim().toLowerCase();
  return [...operatorIndex, ...foreignIndex]
    .filter(({ name }) => name.toLowerCase().includes(part))
    .map(({ name }) => ({ name, alias: undefined }));
}

async function loadSearch(): Promise<void> {
  if (search !== undefined) return;
  try {
    search = (await import('../search.js')).searchOperators;
    change({});
  } catch {} // names are compared
}

// ---- Keys ----

const searchBox = (): HTMLInputElement | null => document.querySelector('[aria-keyshortcuts="/"]');
const links = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('.operator-lists a')];

/** Goes to the search of the page, for operators or for everything; false on pages without one. */
export function focusSearch(): boolean {
  const box = searchBox();
  box?.focus();
  box?.select();
  return box !== null;
}

function leave(): void {
  wanted = '';
  isListed = false;
  change({});
  document.getElementById('content')?.focus();
}

/** Where a key leads from the link with a number, or from the search (-1); undefined for other keys. */
function numberAfterKey(key: string, from: number, count: number): number | undefined {
  if (key === 'ArrowDown') return Math.min(from + 1, count - 1);
  if (key === 'ArrowUp') return from - 1;
  if (from < 0) return undefined; // the keys of a text field
  return key === 'Home' ? 0 : key === 'End' ? count - 1 : undefined;
}

function useKey(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const all = links();
  const from = all.indexOf(event.target as HTMLElement);
  if (event.key === 'Escape') {
    if (from >= 0) focusSearch();
    else leave();
  } else if (event.key === 'Enter' && event.target === searchBox() && wanted.trim() !== '') all[0]?.click();
  else {
    const to = numberAfterKey(event.key, from, all.length);
    if (to === undefined) return;
    if (to < 0) focusSearch();
    else all[to]?.focus();
  }
  event.preventDefault();
  if (event.key !== 'Enter') return;
  wanted = '';
  change({});
}

// ---- The list ----

function searchField(label: string, hint: string): TemplateResult {
  const use = (event: Event): void => {
    wanted = (event.target as HTMLInputElement).value;
    change({});
  };
  return html`<div class="operator-search-box">
    <input
      class="operator-search"
      type="search"
      autocomplete="off"
      spellcheck="false"
      aria-label=${label}
      aria-keyshortcuts="/"
      placeholder=${hint}
      .value=${live(wanted)}
      @focus=${() => void loadSearch()}
      @input=${use}
    />
    <kbd aria-hidden="true">/</kbd>
  </div>`;
}

export function operatorList({ language }: State, current: string): TemplateResult {
  const t = operatorPageTexts[language];
  const link = ({ name, alias }: Found): TemplateResult => {
    const foreign = foreignOf(name);
    const route = { page: foreign ? 'foreign' : 'operator', operator: name } as const;
    const aliasLanguage = /\p{Script=Han}/u.test(alias ?? '') ? 'zh' : 'en';
    return html`<li>
      <a href=${hashOf(route)} aria-current=${name === current ? 'page' : 'false'}
        ><span>${name}</span>${alias === undefined ? nothing : html` <small lang=${aliasLanguage}>${alias}</small>`}${
          foreign ? html` <small class="operator-has">${t.has[foreign.has]}</small>` : nothing
        }</a
      >
    </li>`;
  };
  const grouped = (): TemplateResult[] =>
    operatorGroups.map((group) => {
      const rows = operatorIndex.filter((row) => row.group === group.name);
      if (rows.length === 0) return html``; // of operators that do not run
      const id = `group-${group.name}`;
      return html`<p class="group" id=${id}>${group[language]}</p>
        <ul aria-labelledby=${id}>
          ${rows.map(({ name }) => link({ name, alias: undefined }))}
        </ul>`;
    });
  const found = wanted.trim() === '' ? undefined : (search ?? namesLike)(wanted);
  const own = found?.filter(({ name }) => foreignOf(name) === undefined) ?? [];
  const others = found?.filter(({ name }) => foreignOf(name) !== undefined) ?? [];
  const results = (): TemplateResult => html`
    ${own.length === 0 ? nothing : html`<ul>${own.map(link)}</ul>`}
    ${
      others.length === 0
        ? nothing
        : html`<p class="group" id="group-foreign">${t.others}</p>
          <ul class="operators-foreign" aria-labelledby="group-foreign">${others.map(link)}</ul>`
    }
    ${found?.length === 0 ? html`<p class="muted">${t.noOperator}</p>` : nothing}
  `;
  const toggle = (): void => {
    isListed = !isListed;
    change({});
    showCurrentOperator();
  };
  const choose = (event: Event): void => {
    if ((event.target as Element).closest('a') !== null) isListed = false;
  };
  const isShown = isListed || found !== undefined;
  return html`<nav class="operators" aria-label=${t.operators} @keydown=${useKey}>
    <div class="operator-bar">
      ${searchField(t.search, t.searchHint)}
      <button class="button quiet operator-toggle" type="button" aria-expanded=${isShown} aria-controls="operator-lists" @click=${toggle}>
        ${t.operators}
      </button>
    </div>
    <p class="visually-hidden" role="status">
      ${found === undefined ? nothing : found.length === 0 ? t.noOperator : t.found(own.length, others.length)}
    </p>
    <div class="operator-lists" id="operator-lists" data-shown=${isShown} @click=${choose}>${found === undefined ? grouped() : results()}</div>
  </nav>`;
}

/** Scrolls the list, and only the list, to the operator whose page is shown. */
export function showCurrentOperator(): void {
  const lists = document.querySelector<HTMLElement>('.operator-lists');
  const link = lists?.querySelector<HTMLElement>('[aria-current="page"]');
  if (!lists || !link) return;
  const [around, own] = [lists.getBoundingClientRect(), link.getBoundingClientRect()];
  if (own.top < around.top || own.bottom > around.bottom) lists.scrollTop += own.top - around.top - around.height / 2;
}
