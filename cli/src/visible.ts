// Texts that people wrote, so that what is seen is what is there, and no file writes to somebody's terminal.

/** Control characters, and those that change the direction of what follows. */
const hidden = /[\p{Cc}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** A text of one line: hidden characters are shown by their codes. */
export function visible(text: string): string {
  return text.replace(hidden, escaped);
}

/** A text whose line ends are meant. */
export function visibleLines(text: string): string {
  return text.replace(hidden, (character) => (character === '\n' ? character : escaped(character)));
}

const longestQuote = 80;

/** A part of a text for a message, cut short. */
export function quote(text: string): string {
  return `'${visible(text.length > longestQuote ? `${text.slice(0, longestQuote)}...` : text)}'`;
}
