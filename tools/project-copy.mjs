// A copy of the project, for tools that change its code.
import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root, run } from './run.mjs';

const filesOf = (...args) =>
  run('git', ['ls-files', ...args, '--exclude-standard'], { quiet: true })
    .split('\n')
    .filter((path) => path !== '' && existsSync(join(root, path)));

/**
 * Copies what git knows, and new files that it does not ignore, into an empty folder.
 *
 * @param ignored - patterns of ignored files that are copied, too
 * @param linked - folders that are those of the project
 */
export function copyProject(to, { ignored = [], linked = [] }) {
  rmSync(to, { recursive: true, force: true });
  const generated = ignored.length > 0 ? filesOf('-oi', ...ignored) : [];
  for (const file of [...filesOf('-co'), ...generated]) {
    mkdirSync(dirname(join(to, file)), { recursive: true });
    cpSync(join(root, file), join(to, file));
  }
  for (const folder of linked) {
    if (!existsSync(join(root, folder))) continue;
    mkdirSync(dirname(join(to, folder)), { recursive: true });
    symlinkSync(join(root, folder), join(to, folder));
  }
}
