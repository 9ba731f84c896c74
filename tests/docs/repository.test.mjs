// The documents of the repository, those for contributors among them: their links, paths and commands lead somewhere, the README and
// CONTRIBUTING.md fit on a page, and the README of a folder tells each folder in it.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';
import { root } from '../../tools/run.mjs';
import { lostLinks } from './links.mjs';

const tracked = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  .trim()
  .split('\n')
  .filter((file) => existsSync(join(root, file)));
const read = (path) => readFileSync(join(root, path), 'utf8');
const { scripts } = JSON.parse(read('package.json'));

// Examples are projects of their own.
const documents = tracked.filter((file) => file.endsWith('.md') && !/^examples\/[\w-]+\//.test(file));
// documents.test.mjs has the links of the README and of the guides.
const others = documents.filter((file) => !/^(README\.md|docs\/guides\/.*)$/.test(file));
const forContributors = others.filter((file) => !/^(CHANGELOG|SECURITY)\.md$/.test(file));

for (const path of ['README.md', ...others])
  test(`every npm script that ${path} names is one of package.json`, () => {
    const names = [...read(path).matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name);
    assert.deepEqual(
      names.filter((name) => !(name in scripts)),
      [],
    );
  });

for (const path of others)
  test(`every link of ${path} leads to a file, and to a heading in it`, () => assert.deepEqual(lostLinks(path), []));

/** Names that stand for those of the reader, and what is built. */
const elsewhere = /^(build|dist|node_modules)\/|\/[A-Z]+$|\b[nN]ame\.(cpp|json)$/;
const folders = new Set(tracked.flatMap((file) => file.split('/').map((_, i, parts) => parts.slice(0, i).join('/'))));
const isFile = (named) => tracked.some((file) => file === named || file.endsWith(`/${named}`));

/** The files that a text names, by their path or the end of it, and its folders that begin with one of the repository. */
function pathsOf(text) {
  const files = text.match(/(?<![\w./*-])\w[\w./-]*\.(ts|mjs|cpp|h|inc|py|json|xz)\b/g) ?? [];
  const paths =
    text.match(/(?<![\w./*-])(src|js|cli|web-demo|data|examples|tests|bench|tools|docs)\/[\w./-]*\w/g) ?? [];
  return [...files, ...paths].filter((path) => !elsewhere.test(path));
}

const lostPaths = (text) => pathsOf(text).filter((named) => !isFile(named) && !folders.has(named));

test('paths that are there, whole or from a folder on, are told from others', () => {
  const text =
    'src/core/size.h, core/size.h, `tests/ops`, src/core/sizes.hpp, src/cores, core/other.h, build/a.json, src/ops/name.cpp';
  assert.deepEqual(lostPaths(text).sort(), ['core/other.h', 'src/cores', 'src/core/sizes.hpp'].sort());
});

for (const path of forContributors)
  test(`every path that ${path} names is there`, () => assert.deepEqual(lostPaths(read(path)), []));

for (const [path, most] of [
  ['README.md', 1300],
  ['CONTRIBUTING.md', 1000],
])
  test(`${path} has fewer than ${most} words`, () => assert.ok(read(path).trim().split(/\s+/).length < most));

/** The folders of operators that src/README.md tells by their list. */
const groups = JSON.parse(read('data/groups.json')).map(({ name }) => `src/ops/${name}`);

for (const [folder, ...parts] of [
  ['src', 'src/graph', 'src/kernels', 'src/ops'],
  ...[['js/src'], ['tests'], ['tools'], ['examples'], ['data']],
])
  test(`${folder}/README.md tells each folder in ${[folder, ...parts].join(' and ')} in a sentence, and no other`, () => {
    const rows = [...read(`${folder}/README.md`).matchAll(/^\| `([\w-]+)` +\| ([A-Z].*\.) +\|$/gm)].map(
      ([, name]) => name,
    );
    const inside = [...folders].filter((path) => [folder, ...parts].includes(dirname(path)) && !groups.includes(path));
    assert.deepEqual(rows.sort(), inside.map((path) => basename(path)).sort());
  });
