// The stamp on what stands from before the newest edit, so that nobody takes it for the answer. It stays where it is, and nothing
// moves.
import { html, nothing, type TemplateResult } from 'lit-html';
import type { Problem } from '../drafts.js';
import type { State } from '../state.js';
import { siteTexts } from '../texts/site.js';

/** The text for `data-note` beside `data-stale`; nothing while there is no error. */
export function staleNote({ language, problem }: Pick<State, 'language'> & { readonly problem: Problem | undefined }) {
  return problem === undefined ? nothing : siteTexts[language].beforeError;
}

/** A part of the outcome of a call; the part that is looked at first has the stamp. */
export function staleFrame(state: State, content: TemplateResult, hasStamp = true): TemplateResult {
  const isStale = state.problem !== undefined || state.isLate;
  return html`<div class="outcome" data-stale=${isStale} data-note=${hasStamp ? staleNote(state) : nothing}>${content}</div>`;
}
