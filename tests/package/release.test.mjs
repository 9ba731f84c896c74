// npm run release, in a clone whose .ci/run is a stub.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../../tools/run.mjs';

/** A clone of the working tree's files on the branch main, with everything committed. */
function clone(t, ci) {
  const folder = mkdtempSync(join(tmpdir(), 'broadloom-release-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const git = (...args) => {
    const result = spawnSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@test', ...args], {
      cwd: folder,
      encoding: 'utf8',
    });
    assert.equal(result.status, 0, result.stderr);
    return result.stdout;
  };
  for (const part of [
    'tools',
    'dist',
    'js',
    'CHANGELOG.md',
    'README.md',
    'LICENSE',
    'package.json',
    'package-lock.json',
    '.gitignore',
  ])
    cpSync(join(root, part), join(folder, part), { recursive: true });
  cpSync(join(root, '.ci'), join(folder, '.ci'), { recursive: true });
  writeFileSync(join(folder, '.ci/run'), ci, { mode: 0o755 });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  git('init', '--quiet', '--initial-branch=main');
  writeFileSync(join(folder, '.git/info/exclude'), 'node_modules\n'); // the pattern of .gitignore is for a folder
  git('add', '.');
  git('commit', '--quiet', '-m', 'All');
  const release = (...args) =>
    spawnSync(process.execPath, ['tools/release.mjs', ...args], { cwd: folder, encoding: 'utf8' });
  return { folder, git, release, read: (file) => readFileSync(join(folder, file), 'utf8') };
}

const content = '#!/bin/sh\nexit 0\n';

test('a release writes the version and packs, but does not commit, tag or publish', (t) => {
  const { folder, git, release, read } = clone(t, content);
  const { status, stdout, stderr } = release('3.1.4');
  assert.equal(status, 0, stderr);
  assert.match(read('CHANGELOG.md'), /^## 3\.1\.4 - \d{4}-\d\d-\d\d$/m);
  assert.equal(JSON.parse(read('package.json')).version, '3.1.4');
  assert.equal(JSON.parse(read('package-lock.json')).version, '3.1.4');
  assert.ok(existsSync(join(folder, 'build/release/broadloom-3.1.4.tgz')));
  assert.match(stdout, /broadloom-3\.1\.4\.tgz\n\d+ bytes, sha512-/);
  assert.match(stdout, /git tag v3\.1\.4/);
  assert.deepEqual(
    git('status', '--porcelain')
      .trim()
      .split('\n')
      .map((line) => line.trim()),
    ['M CHANGELOG.md', 'M package-lock.json', 'M package.json'],
  );
  assert.equal(git('tag'), '');
});

test('a release that fails its checks leaves the files as they were', (t) => {
  const { folder, git, release } = clone(t, '#!/bin/sh\necho no; exit 1\n');
  const { status, stderr } = release('3.1.4');
  assert.equal(status, 1);
  assert.match(stderr, /release: \.ci\/run failed/);
  assert.equal(git('status', '--porcelain'), '');
  assert.ok(!existsSync(join(folder, 'build/release')));
});

test('a release is refused without a version, with uncommitted changes, or on another branch', (t) => {
  const { folder, git, release } = clone(t, content);
  assert.match(release().stderr, /which version/);
  assert.match(release('soon').stderr, /soon is not a semantic version/);
  assert.equal(git('status', '--porcelain'), '');
  git('checkout', '--quiet', '-b', 'other');
  assert.match(release('3.1.4').stderr, /not the branch main/);
  writeFileSync(join(folder, 'README.md'), 'changed');
  assert.match(release('3.1.4').stderr, /not committed/);
});
