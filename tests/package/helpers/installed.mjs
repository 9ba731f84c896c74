// The packed package, unpacked as in an installation.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pack } from '../../../tools/pack.mjs';

const temporary = realpathSync(mkdtempSync(join(tmpdir(), 'broadloom-package-')));
process.on('exit', () => rmSync(temporary, { recursive: true, force: true }));

/** An empty project with the package installed. */
export const project = join(temporary, 'project');
export const installed = join(project, 'node_modules/broadloom');
export const tarball = pack(temporary);

mkdirSync(installed, { recursive: true });
execFileSync('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1']);
