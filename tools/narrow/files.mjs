// The files of tests.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from '../run.mjs';

/** Paths of files below a folder of the project, from its root. */
export function filesBelow(folder, pattern) {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => pattern.test(file) && !file.includes('node_modules'))
    .map((file) => join(folder, file))
    .sort();
}

export const read = (file) => readFileSync(join(root, file), 'utf8');

/** The name of a file without what says that it is a test or a program. */
export const stem = (file) => basename(file).replace(/(_test|\.test)?(\.\w+)?$/, '');

/** The paths of the project that an argument names: a file, or all below a folder. */
export function pathsOf(argument) {
  const path = join(root, argument);
  if (!/[./]/.test(argument) || !existsSync(path)) return [];
  return statSync(path).isFile() ? [join(argument)] : filesBelow(argument, /\.\w+$/);
}
