// The list of all operators, as links to their pages. A long list has a filter.
import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { operators } from '../facts.js';
import { hashOf } from '../router.js';
import { change, type State } from '../state.js';
import { operatorPageTexts } from '../texts/operator-page.js';
import { isLong, matching } from './operator-filter.js';
import './operator-list.css';

let filter = '';

function filterField(label: string): TemplateResult {
  const use = (event: Event): void => {
    filter = (event.target as HTMLInputElement).value;
    change({});
  };
  return html`<input
    class="operator-filter"
    type="search"
    autocomplete="off"
    spellcheck="false"
    aria-label=${label}
    placeholder=${label}
    .value=${live(filter)}
    @input=${use}
  />`;
}

export function operatorList({ language }: State, current: string): TemplateResult {
  const t = operatorPageTexts[language];
  const link = (name: string): TemplateResult => html`<li>
    <a href=${hashOf({ page: 'operator', operator: name })} aria-current=${name === current ? 'page' : 'false'}>${name}</a>
  </li>`;
  const shown = matching(operators, filter);
  return html`<nav class="operators" aria-label=${t.operators}>
    ${isLong(operators) ? filterField(t.filter) : nothing}
    ${shown.length === 0 ? html`<p class="muted">${t.noOperator}</p>` : html`<ul>${shown.map(({ name }) => link(name))}</ul>`}
  </nav>`;
}
