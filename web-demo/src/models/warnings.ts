// The warnings of a model: what was accepted though ONNX forbids it.
import { html, nothing, type TemplateResult } from 'lit-html';
import { visible } from '../../../shared/visible.js';
import type { State } from '../state.js';
import { modelsTexts } from '../texts/models.js';
import type { ModelReport } from './protocol.js';

const firstWarnings = 5;
/** The library tells of no more; then the last says that there are others. */
const mostWarnings = 100;

const warningList = (warnings: readonly string[]): TemplateResult =>
  html`<ul class="models-warnings" lang="en">${warnings.map((text) => html`<li>${visible(text)}</li>`)}</ul>`;

const countAfter = ({ length }: readonly string[], first: number): string =>
  length > mostWarnings ? `${mostWarnings - first}+` : String(length - first);

/** How many there are; nothing for none. */
export function warningsCount({ warnings }: ModelReport): string {
  return warnings.length === 0 ? '' : countAfter(warnings, 0);
}

export function warningsPart({ language }: State, { warnings }: ModelReport): TemplateResult | typeof nothing {
  const t = modelsTexts[language];
  if (warnings.length === 0) return nothing;
  const rest = warnings.slice(firstWarnings);
  return html`<section aria-labelledby="models-warnings">
    <h3 id="models-warnings">${t.warnings(countAfter(warnings, 0))}</h3>
    <p class="muted">${t.accepted}</p>
    ${warningList(warnings.slice(0, firstWarnings))}
    ${
      rest.length === 0
        ? nothing
        : html`<details class="models-more-warnings">
            <summary>${t.moreWarnings(countAfter(warnings, firstWarnings))}</summary>
            ${warningList(rest)}
          </details>`
    }
  </section>`;
}
