// A note below a field of text about characters that cannot be seen.
import { html, nothing, type TemplateResult } from 'lit-html';
import { hasHidden, visible } from '../../../shared/visible.js';
import type { State } from '../state.js';
import { tryTexts } from '../texts/try.js';
import { clipped } from '../values/visible.js';

/** Says what a text looks like that holds characters which nobody sees, or which turn the direction of others. */
export function hiddenNote({ language }: State, text: string): TemplateResult | typeof nothing {
  if (!hasHidden(text)) return nothing;
  return html`<p class="muted hidden-note">${tryTexts[language].hidden} <span class="mono">${clipped(visible(text), 200)}</span></p>`;
}
