// The search over everything on the first page.
import { html, nothing, type TemplateResult } from 'lit-html';
import { foreignOf } from '../facts.js';
import type { FoundRow } from '../search.js';
import type { State } from '../state.js';
import { homeTexts } from '../texts/home.js';
import { operatorPageTexts } from '../texts/operator-page.js';
import { colonOf } from '../texts/texts.js';
import { Combobox } from '../views/combobox.js';
import type { Destination } from './destinations.js';

type Hit = FoundRow<Destination>;

const box = new Combobox<Hit>({
  id: 'search',
  load: async () => (await import('./destinations.js')).searchEverything,
  addressOf: ({ row }) => row.address,
});

function option({ language }: State, { row, alias }: Hit): TemplateResult {
  const t = homeTexts[language].search;
  const { kind, name, names, summary } = row;
  const foreign = kind === 'foreign' ? foreignOf(name) : undefined;
  // Another name is told where none of the page's language was meant.
  const isTold = alias !== undefined && alias !== names[language];
  const summaryText = summary[language === 'en' ? 0 : 1];
  const note = foreign
    ? `${operatorPageTexts[language].has[foreign.has]}${colonOf(language)}${summaryText}`
    : summaryText;
  return html`<span class="search-name" lang=${kind === 'guide' ? 'en' : nothing}>${names[language]}</span>
    ${isTold ? html`<small lang=${/\p{Script=Han}/u.test(alias) ? 'zh' : 'en'}>${alias}</small>` : nothing}
    <small class="search-kind">${t.kinds[kind]}</small>
    <small class="search-note" lang=${kind === 'guide' ? 'en' : nothing}>${note}</small>`;
}

export function searchBox(state: State): TemplateResult {
  const { search: t } = homeTexts[state.language];
  return box.view({ label: t.label, hint: t.hint, keys: '/', texts: t, option: (hit) => option(state, hit) });
}
