// Texts that people wrote, so that what is seen is what is there. Control characters, and those that change the direction of
// what follows, are shown by their codes: `\u202e`. JSON, JavaScript and Python read them back.

/** Not the joiners of scripts and emoji, which belong to what is seen. */
const hidden = /[\p{Cc}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** A text of one line. */
export function visible(text: string): string {
  return text.replace(hidden, escaped);
}

/** A text whose line ends are meant. */
export function visibleLines(text: string): string {
  return text.replace(hidden, (character) => (character === '\n' ? character : escaped(character)));
}

/** Whether a text holds any of them; line ends and tabs are seen well enough. */
export function hasHidden(text: string): boolean {
  return text.replace(/[\t\n\r]/g, '').search(hidden) >= 0;
}

const longestQuote = 80;

/** A part of a text for a message, cut short. */
export function quote(text: string): string {
  return `'${visible(text.length > longestQuote ? `${text.slice(0, longestQuote)}...` : text)}'`;
}
