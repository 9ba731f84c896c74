// The files with weights that a model names and that are not there.
import { html, nothing, type TemplateResult } from 'lit-html';
import { type MissingFile, mostNames } from '../../../shared/missing-files.js';
import { visible } from '../../../shared/visible.js';
import type { State } from '../state.js';
import { modelsTexts } from '../texts/models.js';
import type { ModelReport } from './protocol.js';

/** The most files that are named. */
const mostMissing = 5;

/** The initializers that a file has, the first by their names. */
function lackedText({ initializers }: MissingFile, t: (typeof modelsTexts)['en']): string {
  const first = initializers.slice(0, mostNames).map(visible);
  return t.lacked(initializers.length, first, initializers.length - first.length);
}

export function missingPart({ language }: State, { missing }: ModelReport): TemplateResult | typeof nothing {
  if (missing.length === 0) return nothing;
  const t = modelsTexts[language];
  const rest = missing.length - mostMissing;
  return html`<div class="models-lacks card" role="status">
    <p>${t.lacks(missing.length)}</p>
    <ul class="mono">
      ${missing
        .slice(0, mostMissing)
        .map((file) => html`<li>${visible(file.location)} <span class="muted">${lackedText(file, t)}</span></li>`)}
    </ul>
    ${rest > 0 ? html`<p class="muted">${t.moreFiles(rest)}</p>` : nothing}
  </div>`;
}
