// Strings that people wrote, so that what is seen is what is there. Control characters, and those that change the
// direction of what follows, are shown by their codes: `\u202e`. JSON, JavaScript, Python and `parseStrings` read them back.

/** Not the joiners of scripts and emoji, which belong to what is seen. */
const hidden = /[\p{Cc}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu;

export function visible(text: string): string {
  return text.replace(hidden, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Whether a text holds any of them; line ends and tabs are seen well enough. */
export function hasHidden(text: string): boolean {
  return text.replace(/[\t\n\r]/g, '').search(hidden) >= 0;
}

/** A string as JSON writes it, for the page and for programs. */
export function quoted(text: string): string {
  return visible(JSON.stringify(text));
}

/** The beginning of a text; three dots stand for the rest. */
export function clipped(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
