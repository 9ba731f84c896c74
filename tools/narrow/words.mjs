// Names as words: `ReduceMax`, `reduce_max` and "reduce max" are the same name, and `Softmax` does not have the name `Max`.

import { once } from './files.mjs';

/** The words of a text, in lower case. */
const wordsOf = once((text) =>
  (text.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? []).map((word) => word.toLowerCase()),
);

/** Letters and digits alone. */
export const plain = (name) => name.toLowerCase().replace(/[\W_]/g, '');

/** Whether words of a text that follow one another are the name. */
export function hasName(text, name) {
  const wanted = plain(name);
  if (wanted === '') return false;
  const words = wordsOf(text);
  return words.some((_, first) => {
    let joined = '';
    for (let i = first; joined.length < wanted.length && i < words.length; i++) joined += words[i];
    return joined === wanted;
  });
}

export const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** A regular expression for titles that have the name, whatever stands between its words. */
export const patternOf = (name) => `(?<![a-z])${wordsOf(name).map(escaped).join('[ _-]?')}(?![a-z])`;
