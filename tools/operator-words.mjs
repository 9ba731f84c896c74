// The words of operators: data/operators has a file for each, data/groups.json their groups.
import { readdirSync, readFileSync } from 'node:fs';

const folder = new URL('../data/', import.meta.url);
const read = (path) => JSON.parse(readFileSync(new URL(path, folder), 'utf8'));

/** By the operator's name. */
export const operatorWords = Object.fromEntries(
  readdirSync(new URL('operators', folder))
    .sort()
    .map((file) => [file.replace('.json', ''), read(`operators/${file}`)]),
);

/** In the order of the list of operators. */
export const operatorGroups = read('groups.json');

/** The texts that an operator must have. */
export function wordsOf(operator) {
  const words = operatorWords[operator];
  if (words === undefined) throw new Error(`${operator} has no words: data/operators/${operator}.json`);
  return words;
}
