// The list of all operators in groups, as links to their pages, with a search that knows other names for them.
import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { operatorGroups, operatorIndex } from '../facts.js';
import { hashOf } from '../router.js';
import type { Found } from '../search.js';
import { change, type State } from '../state.js';
import { operatorPageTexts } from '../texts/operator-page.js';
import './operator-list.css';

let wanted = '';
let search: ((text: string) => Found[]) | undefined;

/** Until the search has come, or where it does not, names are compared. */
function namesLike(text: string): Found[] {
  const part = text.trim().toLowerCase();
  return operatorIndex
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

function searchField(label: string): TemplateResult {
  const use = (event: Event): void => {
    wanted = (event.target as HTMLInputElement).value;
    change({});
  };
  return html`<input
    class="operator-search"
    type="search"
    autocomplete="off"
    spellcheck="false"
    aria-label=${label}
    placeholder=${label}
    .value=${live(wanted)}
    @focus=${() => void loadSearch()}
    @input=${use}
  />`;
}

export function operatorList({ language }: State, current: string): TemplateResult {
  const t = operatorPageTexts[language];
  const link = ({ name, alias }: Found): TemplateResult => html`<li>
    <a href=${hashOf({ page: 'operator', operator: name })} aria-current=${name === current ? 'page' : 'false'}
      ><span>${name}</span>${alias === undefined ? nothing : html` <small lang="en">${alias}</small>`}</a
    >
  </li>`;
  const grouped = (): TemplateResult[] =>
    operatorGroups.map((group) => {
      const rows = operatorIndex.filter((row) => row.group === group.name);
      const id = `group-${group.name}`;
      return html`<p class="group" id=${id}>${group[language]}</p>
        <ul aria-labelledby=${id}>
          ${rows.map(({ name }) => link({ name, alias: undefined }))}
        </ul>`;
    });
  const found = wanted.trim() === '' ? undefined : (search ?? namesLike)(wanted);
  return html`<nav class="operators" aria-label=${t.operators}>
    ${searchField(t.search)}
    <p class="visually-hidden" role="status">${found === undefined ? nothing : t.found(found.length)}</p>
    <div class="operator-lists">
      ${
        found === undefined
          ? grouped()
          : found.length === 0
            ? html`<p class="muted">${t.noOperator}</p>`
            : html`<ul>${found.map(link)}</ul>`
      }
    </div>
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
