// A folder with one of the examples, as its README makes it: the example's files and its packages. The package under test is
// installed from its tarball; the other packages are those of tests/consumers and tests/models.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pack } from '../../tools/pack.mjs';
import { root } from '../../tools/run.mjs';

/** Under tests/consumers, so that programs find the packages that are installed there. */
const projects = join(root, 'tests/consumers/projects');

/**
 * Makes the folder anew.
 *
 * @param name - of the example
 * @param models - packages of tests/models that the example depends on
 * @returns its path
 */
export function makeProject(name, models = []) {
  const folder = join(projects, `example-${name}`);
  const empty = `${folder}-package`;
  for (const one of [folder, empty]) {
    rmSync(one, { recursive: true, force: true });
    mkdirSync(one, { recursive: true });
  }
  writeFileSync(join(empty, 'package.json'), '{ "private": true }');
  const quiet = ['--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--offline', '--loglevel=error'];
  execFileSync('npm', ['install', ...quiet, pack(empty)], { cwd: empty });
  cpSync(join(root, 'examples', name), folder, {
    recursive: true,
    filter: (path) => !path.includes('node_modules'),
  });
  // Links as they are: those of .bin lead to the package beside them.
  cpSync(join(empty, 'node_modules'), join(folder, 'node_modules'), { recursive: true, verbatimSymlinks: true });
  for (const model of models) {
    const to = join(folder, 'node_modules', model);
    mkdirSync(dirname(to), { recursive: true });
    symlinkSync(join(root, 'tests/models/node_modules', model), to);
  }
  rmSync(empty, { recursive: true });
  return folder;
}
