// npm run release -- <version>: writes the version into CHANGELOG.md, package.json and its lock file, does all that CI does,
// and packs. It ends with the steps that are left to a person. When anything fails, the files are as they were.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { releasedChangelog } from './check/changelog.mjs';
import { pack } from './pack.mjs';
import { root, run } from './run.mjs';

const version = process.argv[2];
const files = ['CHANGELOG.md', 'package.json', 'package-lock.json'];

function fail(why) {
  console.error(`release: ${why}`);
  process.exit(1);
}

if (version === undefined) fail('which version? npm run release -- 1.2.3');
if (run('git', ['status', '--porcelain'], { quiet: true }) !== '') fail('there are changes that are not committed');
if (run('git', ['branch', '--show-current'], { quiet: true }).trim() !== 'main') fail('this is not the branch main');

const changelog = join(root, 'CHANGELOG.md');
try {
  const today = new Date().toISOString().slice(0, 10);
  writeFileSync(changelog, releasedChangelog(readFileSync(changelog, 'utf8'), version, today));
} catch (error) {
  fail(error.message);
}
run('npm', ['version', version, '--no-git-tag-version', '--allow-same-version'], { quiet: true });

if (spawnSync(join(root, '.ci/run'), { stdio: 'inherit' }).status !== 0) {
  run('git', ['checkout', '--', ...files], { quiet: true });
  fail('.ci/run failed');
}

const tarball = pack(join(root, 'build/release'));
const sha512 = createHash('sha512').update(readFileSync(tarball)).digest('base64');
console.log(`
${tarball}
${statSync(tarball).size} bytes, sha512-${sha512}

Left to you:
  git commit -m "Release ${version}" ${files.join(' ')} && git tag v${version} && git push origin main v${version}
  then start the workflow Publish for the tag v${version}: npm's statement of provenance can only be made there`);
if (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).repository === undefined)
  console.log('  before that: name the repository in package.json, which npm compares with where the workflow runs');
