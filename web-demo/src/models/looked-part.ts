// The elements of the value that is looked at, with what a run for it became.
import { html, nothing, type TemplateResult } from 'lit-html';
import { visible } from '../../../shared/visible.js';
import type { State } from '../state.js';
import { modelsTexts } from '../texts/models.js';
import { problemText } from '../views/field.js';
import { tensorView } from '../views/viewer.js';
import { closeLooked, currentLooked } from './looked.js';
import { stop } from './session.js';

export function lookedPart(state: State): TemplateResult | typeof nothing {
  const looked = currentLooked();
  if (looked === undefined) return nothing;
  const t = modelsTexts[state.language];
  const { outcome, name, feeds } = looked;
  const content = (): unknown => {
    if (outcome === undefined) {
      return html`<p class="muted" role="status">
        ${t.readingValue(visible(name))} <button class="button quiet" id="looked-stop" type="button" @click=${stop}>${t.stop}</button>
      </p>`;
    }
    if (outcome === 'stopped') return html`<p class="muted" role="status">${t.stopped}</p>`;
    if ('ok' in outcome) {
      return html`<div role="alert"><p>${t.noValue(visible(name))}</p><p class="problem" lang="en">${problemText(outcome.problem)}</p></div>`;
    }
    return html`${feeds === undefined || feeds === state.feeds ? nothing : html`<p class="muted">${t.stale}</p>`}
      ${tensorView(state, outcome)}`;
  };
  return html`<section class="panel-looked" id="panel-looked" aria-label=${t.elementsOf(visible(name))}>
    <button class="panel-close" id="looked-close" type="button" aria-label=${t.closeElements} @click=${closeLooked}>✕</button>
    ${content()}
  </section>`;
}
