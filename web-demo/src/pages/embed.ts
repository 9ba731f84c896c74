// A call alone, for the pages of others: its fields, its result, and a link to all the rest. main.ts loads this page when
// it is first shown.
import { html, type TemplateResult } from 'lit-html';
import { callToLink } from '../link.js';
import { stageView } from '../stage/stage-view.js';
import { stageOf } from '../stage/stages.js';
import type { State } from '../state.js';
import { stageTexts } from '../texts/stage.js';
import { tryTexts } from '../texts/try.js';
import { attributeForms } from '../views/attribute-form.js';
import { problemAt } from '../views/field.js';
import { inputForms } from '../views/input-forms.js';
import { callTitle } from '../views/title.js';
import { outcomeView } from '../views/viewer.js';
import './embed.css';

/** The forms of "Try it", for an operator that has no stage. */
function forms(state: State): TemplateResult {
  const t = tryTexts[state.language];
  const { problem, report, isLate } = state;
  return html`<div role="status">${state.isLinkDamaged ? html`<p class="problem">${t.damaged}</p>` : ''}</div>
    <div class="embed-forms">${inputForms(state)} ${attributeForms(state)}</div>
    ${problemAt(problem, 'call')}
    <h2 class="visually-hidden">${t.result}</h2>
    ${
      report === undefined
        ? html`<p class="muted">${problem === undefined ? t.waiting : t.refusedFirst}</p>`
        : html`<div class="outcome" data-stale=${problem !== undefined || isLate}>${outcomeView(state, report, true)}</div>`
    }`;
}

export function embedPage(state: State): TemplateResult {
  const { call, language } = state;
  return html`<div class="embed">
    <div class="embed-head">
      <h1>${callTitle(state)}</h1>
      <a href=${`#/try/${callToLink(call) ?? ''}`} target="_blank" rel="noopener">${stageTexts[language].openPage}</a>
    </div>
    ${stageOf(call.operator) === undefined ? forms(state) : stageView(state, false)}
  </div>`;
}
