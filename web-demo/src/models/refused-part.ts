// A file that is not opened, and why.
import { html, nothing, type TemplateResult } from 'lit-html';
import { visible } from '../../../shared/visible.js';
import type { Problem } from '../drafts.js';
import { refusedTexts } from '../texts/refused.js';
import type { Language } from '../texts/texts.js';
import { libraryText } from '../views/library-text.js';

export interface Refused {
  readonly name: string;
  /** At `media` for a picture or a sound, at `file` for one that cannot be read. */
  readonly problem: Problem;
}

const id = 'refused';

/** Brings it into view: a file may have been dropped far below. */
export function showRefused(): void {
  document.getElementById(id)?.scrollIntoView({ block: 'nearest' });
}

/** Errors of a reader that does not find a message of ONNX tell where it stopped, not what the file is. */
const isUnknown = (message: string): boolean => /^byte \d+: /.test(message);
const isOther = (message: string): boolean => /^not an ONNX file|^the file is empty|^this is a /.test(message);

/** Why a file is not opened, and what is wanted in its place. */
export function reasonPart(language: Language, { name, problem }: Refused, media?: string): TemplateResult {
  const t = refusedTexts[language];
  const { place, message } = problem;
  return html`<p>${place === 'file' ? t.unreadable : t.refused(visible(name))}</p>
    ${isUnknown(message) ? html`<p>${t.unknown}</p>` : nothing}
    <p class="problem">${place === 'media' ? (media ?? t.media) : libraryText(message, language)}</p>
    ${place === 'media' || isUnknown(message) || isOther(message) ? html`<p>${t.wanted}</p>` : nothing}`;
}

/**
 * @param open - the name of the model that stays open, if there is one
 * @param media - the words for a picture or a sound, where the page has its own
 */
export function refusedPart(language: Language, refused: Refused, open?: string, media?: string): TemplateResult {
  return html`<div role="alert" id=${id}>
    ${reasonPart(language, refused, media)}
    ${open === undefined ? nothing : html`<p>${refusedTexts[language].stillOpen(visible(open))}</p>`}
  </div>`;
}
