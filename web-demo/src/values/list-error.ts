// The error of a text or a file that cannot be read. The library never sees it.

import { visible } from '../../../shared/visible.js';
import { listErrorTexts } from '../texts/list-errors.js';
import type { Language } from '../texts/texts.js';
import { clipped } from './visible.js';

type Texts = (typeof listErrorTexts)['en'];

/** The mistake as plain data: the page tells it in its own language when it shows it. */
export interface Finding {
  readonly what: keyof Texts;
  readonly values: readonly (string | number)[];
}

export function findingText({ what, values }: Finding, language: Language): string {
  return (listErrorTexts[language][what] as (...values: readonly (string | number)[]) => string)(...values);
}

/** The message is shown at the field: it quotes what is wrong and says where it stands. In itself it is English. */
export class ListError<W extends keyof Texts = keyof Texts> extends Error {
  override readonly name = 'ListError';
  readonly finding: Finding;
  constructor(what: W, ...values: Parameters<Texts[W]>) {
    super(findingText({ what, values }, 'en'));
    this.finding = { what, values };
  }
}

export const longestQuote = 40;

/** A part of a text for a message, cut short. */
export function quote(text: string): string {
  return `'${visible(clipped(text, longestQuote))}'`;
}
