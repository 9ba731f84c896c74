// What the playground says when a text or a file cannot be read. The library never sees it.

/** The message is shown at the field: it quotes what is wrong and says where it stands. */
export class ListError extends Error {
  override readonly name = 'ListError';
}

const longestQuote = 40;

/** A part of a text for a message, cut short. */
export function quote(text: string): string {
  return `'${text.length > longestQuote ? `${text.slice(0, longestQuote)}…` : text}'`;
}
