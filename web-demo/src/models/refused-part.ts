// A file that is not opened, and why.
import { html, nothing, type TemplateResult } from 'lit-html';
import { visible } from '../../../shared/visible.js';
import type { Problem } from '../drafts.js';

export interface Refused {
  readonly name: string;
  /** At `media` for a picture or a sound, at `file` for one that cannot be read. */
  readonly problem: Problem;
}

interface Texts {
  readonly unreadable: string;
  readonly refused: (name: string) => string;
  readonly media: string;
  readonly stillOpen: (name: string) => string;
}

const id = 'refused';

/** Brings it into view: a file may have been dropped far below. */
export function showRefused(): void {
  document.getElementById(id)?.scrollIntoView({ block: 'nearest' });
}

/** With the name of the model that stays open, if there is one. */
export function refusedPart(t: Texts, { name, problem }: Refused, open?: string): TemplateResult {
  const { place, message } = problem;
  return html`<div role="alert" id=${id}>
    <p>${place === 'file' ? t.unreadable : t.refused(visible(name))}</p>
    ${place === 'media' ? html`<p class="problem">${t.media}</p>` : html`<p class="problem" lang="en">${visible(message)}</p>`}
    ${open === undefined ? nothing : html`<p>${t.stillOpen(visible(open))}</p>`}
  </div>`;
}
