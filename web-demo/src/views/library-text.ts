// A sentence of the library among the words of a page.
import { html, type TemplateResult } from 'lit-html';
import { visible } from '../../../shared/visible.js';
import { librarySentence } from '../texts/library.js';
import type { Language } from '../texts/texts.js';

export function libraryText(message: string, language: Language): TemplateResult {
  const { text, lang } = librarySentence(message, language);
  return html`<span lang=${lang}>${visible(text)}</span>`;
}
