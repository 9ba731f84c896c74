// The files of tests.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from '../run.mjs';

/** A function that does the work once for each text that it is given: files stay as they are while tests are chosen. */
export function once(work) {
  const results = new Map();
  return (text = '') => {
    if (!results.has(text)) results.set(text, work(text));
    return results.get(text);
  };
}

const allBelow = once((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => !file.includes('node_modules'))
    .map((file) => join(folder, file))
    .sort(),
);

/** Paths of files below a folder of the project, from its root. */
export const filesBelow = (folder, pattern) => allBelow(folder).filter((file) => pattern.test(file));

export const read = once((file) => readFileSync(join(root, file), 'utf8'));

/** The name of a file without what says that it is a test or a program. */
export const stem = (file) => basename(file).replace(/(_test|\.test)?(\.\w+)?$/, '');

/** The paths of the project that an argument names: a file, or all below a folder. */
export function pathsOf(argument) {
  const path = join(root, argument);
  if (!/[./]/.test(argument) || !existsSync(path)) return [];
  return statSync(path).isFile() ? [join(argument)] : filesBelow(argument, /\.\w+$/);
}
