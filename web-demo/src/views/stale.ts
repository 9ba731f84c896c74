// The stamp on what stands from before an error, so that nobody takes it for the answer.
import { nothing } from 'lit-html';
import type { Problem } from '../drafts.js';
import type { State } from '../state.js';
import { siteTexts } from '../texts/site.js';

/** The text for `data-note` beside `data-stale`; nothing while there is no error. */
export function staleNote({ language, problem }: Pick<State, 'language'> & { readonly problem: Problem | undefined }) {
  return problem === undefined ? nothing : siteTexts[language].beforeError;
}
