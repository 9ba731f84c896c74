// The page of an operator of ONNX that does not run by itself: its purpose, how far Broadloom knows it, and where it runs.
import { html, nothing, type TemplateResult } from 'lit-html';
import { foreignOf } from '../facts.js';
import { hashOf } from '../router.js';
import type { State } from '../state.js';
import { operatorPageTexts } from '../texts/operator-page.js';
import type { ForeignText } from '../texts/operator-text.js';
import { missing } from '../views/missing.js';
import { operatorList } from '../views/operator-list.js';
import { wordsOf } from '../words.js';
import './operator.css';

export function foreignPage(state: State): TemplateResult {
  const { route, language } = state;
  const name = route.page === 'foreign' ? route.operator : '';
  const words = wordsOf(name, language);
  return html`<div class="operator-page">
    ${operatorList(state, name)}
    <div class="content" id="content" tabindex="-1">
      <h1>${name}</h1>
      ${words === undefined ? nothing : words instanceof Error ? missing(state, words) : about(state, name, words)}
    </div>
  </div>`;
}

function about({ language }: State, name: string, { summary }: ForeignText): TemplateResult {
  const t = operatorPageTexts[language].foreign;
  const has = foreignOf(name)?.has ?? 'nothing';
  const page = has === 'models' ? 'models' : 'simplify';
  return html`<p class="summary">${summary}</p>
    <p>${t[has]}</p>
    <p><a class="button quiet" href=${hashOf({ page })}>${page === 'models' ? t.openModels : t.simplify}</a></p>
    ${has === 'models' ? nothing : runtimes(t)}
    <p><a href="https://onnx.ai/onnx/operators/onnx__${name}.html">${t.reference(name)}</a></p>`;
}

function runtimes({ where, whereNote, runtimes }: (typeof operatorPageTexts)['en']['foreign']): TemplateResult {
  return html`<h2>${where}</h2>
    <p>${whereNote}</p>
    <ul>
      ${runtimes.map(([name, install, place]) => html`<li>${name}, ${place}: <code>${install}</code></li>`)}
    </ul>`;
}
