// The words of operators: data/operators has a file for each that runs, data/foreign one for each other of ONNX's;
// data/groups.json has the groups.
import { readdirSync, readFileSync } from 'node:fs';

const folder = new URL('../../data/', import.meta.url);
const read = (path) => JSON.parse(readFileSync(new URL(path, folder), 'utf8'));

const readAll = (name) =>
  Object.fromEntries(
    readdirSync(new URL(name, folder))
      .sort()
      .map((file) => [file.replace('.json', ''), read(`${name}/${file}`)]),
  );

/** By the operator's name. */
export const operatorWords = readAll('operators');

/** The words of ONNX's operators that do not run by themselves: one sentence in each language. */
export const foreignWords = readAll('foreign');

/** In the order of the list of operators; those without an operator that runs are not in the list. */
export const operatorGroups = read('groups.json');

/** The texts that an operator must have. */
export function wordsOf(operator) {
  const words = operatorWords[operator];
  if (words === undefined) throw new Error(`${operator} has no words: data/operators/${operator}.json`);
  return words;
}
