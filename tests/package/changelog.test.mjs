// CHANGELOG.md, and how a release changes it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import semver from 'semver';
import { readChangelog, releasedChangelog } from '../../tools/check/changelog.mjs';
import { root } from '../../tools/run.mjs';

const text = readFileSync(`${root}CHANGELOG.md`, 'utf8');
const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));

const small = (body) => `# Changelog\n\nThe format is that of Keep a Changelog.\n\n${body}`;
const unreleased = '## Unreleased\n\n### Added\n\n- A thing.\n';

test('the changelog is in the form of Keep a Changelog, newest first', () => {
  const releases = readChangelog(text).releases;
  assert.ok(releases.length > 0 && !releases[0].isEmpty());
  const versions = releases.filter((release) => release.version !== undefined).map((release) => `${release.version}`);
  assert.deepEqual(versions, semver.rsort([...versions]));
});

test('the version of the package is a semantic version, and the changelog has it or is ahead of it', () => {
  assert.equal(semver.valid(version), version);
  const [newest] = readChangelog(text).releases;
  assert.ok(newest.version === undefined || `${newest.version}` === version);
});

test('a release dates the unreleased changes, and adds an empty section for the next ones', () => {
  const after = releasedChangelog(small(unreleased), '1.2.0', '2026-11-21');
  assert.equal(after.trim(), small('## Unreleased\n\n## 1.2.0 - 2026-11-21\n\n### Added\n\n- A thing.').trim());
});

test("a release loses nothing of the project's changelog", () => {
  const entries = (source) => readChangelog(source).releases.flatMap((release) => [...release.changes.values()].flat());
  const after = releasedChangelog(text, semver.inc(version, 'major'), '2026-11-21');
  assert.deepEqual(entries(after), entries(text));
  assert.ok(entries(text).length > 10);
});

for (const [what, body, wanted, says] of [
  ['a version that is none', unreleased, '1.2', 'not a semantic version'],
  ['a version with a v', unreleased, 'v1.2.3', 'not a semantic version'],
  [
    'a version below the last',
    `${unreleased}\n## 2.0.0 - 2026-01-01\n\n### Fixed\n\n- A bug.\n`,
    '1.9.9',
    'not above 2.0.0',
  ],
  [
    'the last version again',
    `${unreleased}\n## 2.0.0 - 2026-01-01\n\n### Fixed\n\n- A bug.\n`,
    '2.0.0',
    'not above 2.0.0',
  ],
  ['a changelog with nothing new', '## Unreleased\n', '1.0.0', 'nothing under Unreleased'],
  [
    'a changelog without Unreleased',
    '## 1.0.0 - 2026-01-01\n\n### Fixed\n\n- A bug.\n',
    '2.0.0',
    'nothing under Unreleased',
  ],
]) {
  test(`a release of ${what} is refused`, () => {
    assert.throws(
      () => releasedChangelog(small(body), wanted, '2026-11-21'),
      (error) => error.message.includes(says),
    );
  });
}
