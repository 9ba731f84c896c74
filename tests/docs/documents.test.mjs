// The README and the guides: runs every code block, follows every link, and compares the table of types with the package's.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { dataTypes, load } from '../../dist/index.js';
import { root } from '../../tools/run.mjs';
import { problemsOf } from './check.mjs';
import { lostLinks } from './links.mjs';

const documents = ['README.md', ...readdirSync(join(root, 'docs/guides')).map((file) => `docs/guides/${file}`)];
const read = (path) => readFileSync(join(root, path), 'utf8');

for (const path of documents)
  test(`every code block of ${path} runs and does what its comments say`, async () => {
    assert.deepEqual(await problemsOf(basename(path, '.md'), read(path)), []);
  });

for (const path of documents)
  test(`every link of ${path} leads to a file, and to a heading in it`, () => assert.deepEqual(lostLinks(path), []));

test('the guide to the types has every type with its number, bits and array', () => {
  const rows = [...read('docs/guides/types.md').matchAll(/^\| `(\w+)` +\| +(\d+) \| +(\d*) \| `([\w[\]]+)` /gm)];
  const expected = dataTypes.map(({ name, id, bits, array }) =>
    name === 'string' ? [name, `${id}`, '', 'string[]'] : [name, `${id}`, `${bits}`, array],
  );
  assert.deepEqual(
    rows.map(([, ...row]) => row),
    expected,
  );
});

test('the table of all operators has each of ONNX once, and says runs of those alone that run', async () => {
  const ops = await load();
  const rows = [...read('docs/guides/operators.md').matchAll(/^\| \[(\w+)\]\(\S+\) \| ([\w ]+) \|/gm)];
  const { rows: schemas } = JSON.parse(read('data/schemas.json'));
  assert.deepEqual(
    rows.map(([, name]) => name),
    [...new Set(schemas.map(({ operator }) => operator))].sort(),
  );
  assert.deepEqual(
    rows.filter(([, , state]) => state === 'runs').map(([, name]) => name),
    ops.operators().map(({ name }) => name),
  );
  assert.deepEqual([...new Set(rows.map(([, , state]) => state))].sort(), [
    'in models',
    'not yet',
    'runs',
    'shapes only',
  ]);
});

test('the table of groups in the guide to the operators has every supported operator once', async () => {
  const ops = await load();
  const [, rows] = read('docs/guides/operators.md').match(/^\| group .*?\n.*?\n(.*?)^$/ms);
  const names = [...rows.matchAll(/\| ([\w, ]+) \|$/gm)].flatMap(([, members]) => members.split(', '));
  assert.deepEqual(
    names.sort(),
    ops.operators().map(({ name }) => name),
  );
});
