// A labelled control, with what is wrong with it below it.
import { html, nothing, type TemplateResult } from 'lit-html';
import { ifDefined } from 'lit-html/directives/if-defined.js';
import { visible } from '../../../shared/visible.js';
import type { Place, Problem } from '../drafts.js';
import { current } from '../state.js';
import { findingText } from '../values/list-error.js';
import { breakable } from './breakable.js';

/** The ids that tie a control to its label, its hint and its problem. */
export interface ControlAttributes {
  readonly id: string;
  readonly invalid: 'true' | 'false';
  readonly describedBy: ReturnType<typeof ifDefined>;
}

export interface Field {
  /** The place of the control in its form; its id. */
  readonly id: Place;
  readonly label: string;
  readonly hint?: string;
  readonly problem: Problem | undefined;
  readonly control: (attributes: ControlAttributes) => TemplateResult;
}

export function field({ id, label, hint, problem, control }: Field): TemplateResult {
  const isWrong = problem?.place === id;
  const described = [hint && `${id}:hint`, isWrong && `${id}:problem`].filter(Boolean).join(' ');
  return html`<div class="field">
    <label for=${id}>${breakable(label)}</label>
    ${control({ id, invalid: isWrong ? 'true' : 'false', describedBy: ifDefined(described || undefined) })}
    ${hint === undefined ? nothing : html`<small class="muted" id=${`${id}:hint`}>${hint}</small>`}
    ${problemAt(problem, id)}
  </div>`;
}

/** The problem in the language of the page; the library's messages are English. */
export function problemText({ message, finding }: Problem): TemplateResult {
  if (finding !== undefined) return html`${findingText(finding, current().language)}`;
  return html`<span lang="en">${visible(message)}</span>`;
}

/** The problem, if it stands at this place. */
export function problemAt(problem: Problem | undefined, place: Place): TemplateResult | typeof nothing {
  if (problem?.place !== place) return nothing;
  return html`<p class="problem" id=${`${place}:problem`}>${problemText(problem)}</p>`;
}
