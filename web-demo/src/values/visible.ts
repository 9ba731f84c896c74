// Strings as the page and programs show them. shared/visible.ts has how hidden characters are shown.
import { visible } from '../../../shared/visible.js';

/** A string as JSON writes it, for the page and for programs. */
export function quoted(text: string): string {
  return visible(JSON.stringify(text));
}

/** The beginning of a text; three dots stand for the rest. */
export function clipped(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
