// A call alone, for the pages of others: its fields, its result, and a link to all the rest. main.ts loads this page when
// it is first shown.
import { html, type TemplateResult } from 'lit-html';
import { callToLink } from '../link.js';
import { stageView } from '../stage/stage-view.js';
import type { State } from '../state.js';
import { stageTexts } from '../texts/stage.js';
import { callTitle } from '../views/title.js';
import './embed.css';

export function embedPage(state: State): TemplateResult {
  const { call, language } = state;
  return html`<div class="embed">
    <div class="embed-head">
      <h1>${callTitle(state)}</h1>
      <a href=${`#/try/${callToLink(call) ?? ''}`} target="_blank" rel="noopener">${stageTexts[language].openPage}</a>
    </div>
    ${stageView(state, false)}
  </div>`;
}
