// The outcome of a call on the page of its operator. When the call is refused, or takes long, the outcome of the call before stays,
// so that nothing jumps, and is plainly marked as that.
import { html, nothing, type TemplateResult } from 'lit-html';
import type { State } from '../state.js';
import { stageTexts } from '../texts/stage.js';
import './outcome.css';

export function outcomeFrame({ language, problem, isLate }: State, content: TemplateResult): TemplateResult {
  const t = stageTexts[language];
  const isStale = problem !== undefined || isLate;
  return html`<div class="outcome" data-stale=${isStale}>
    ${isStale ? html`<p class="outcome-before"><strong>${t.before}</strong> ${isLate ? t.computing : t.refused}</p>` : nothing}
    <div class="outcome-content">${content}</div>
  </div>`;
}
