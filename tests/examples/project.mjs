// A folder with one of the examples, as its README makes it: the example's files and its packages. The package under test is
// installed from its tarball; the other packages are those of tests/consumers and tests/models.
import { cpSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pack } from '../../tools/pack.mjs';
import { root } from '../../tools/run.mjs';
import { install } from '../consumers/tools.mjs';

/** Under tests/consumers, so that programs find the packages that are installed there. */
const projects = join(root, 'tests/consumers/projects');

/**
 * Makes the folder anew.
 *
 * @param name - of the example
 * @param models - packages of tests/models that the example depends on
 * @param folderName - test files run at the same time, so each has a folder of its own
 * @returns its path
 */
export function makeProject(name, models = [], folderName = name) {
  const folder = join(projects, `example-${folderName}`);
  rmSync(folder, { recursive: true, force: true });
  cpSync(join(root, 'examples', name), folder, {
    recursive: true,
    filter: (path) => !path.includes('node_modules'),
  });
  const empty = `${folder}-package`;
  const packed = `${folder}-tarball`;
  const installed = install(pack(packed), empty);
  // Links as they are: those of .bin lead to the package beside them.
  cpSync(installed, join(folder, 'node_modules'), { recursive: true, verbatimSymlinks: true });
  for (const one of [empty, packed]) rmSync(one, { recursive: true });
  for (const model of models) {
    const to = join(folder, 'node_modules', model);
    mkdirSync(dirname(to), { recursive: true });
    symlinkSync(join(root, 'tests/models/node_modules', model), to);
  }
  return folder;
}
