// In the place of a part of the site that did not come.
import { html, type TemplateResult } from 'lit-html';
import type { State } from '../state.js';
import { siteTexts } from '../texts/site.js';

export function missing({ language }: State, error: unknown): TemplateResult {
  return html`<div role="alert">
    <p>${siteTexts[language].missing}</p>
    <p class="problem" lang="en">${String(error)}</p>
  </div>`;
}
