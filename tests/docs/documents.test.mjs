// Every code block of the README and of the guides, run.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { root } from '../../tools/run.mjs';
import { problemsOf } from './check.mjs';

const guides = readdirSync(join(root, 'docs/guides')).map((file) => `docs/guides/${file}`);

for (const path of ['README.md', ...guides])
  test(`every code block of ${path} runs and does what its comments say`, async () => {
    const text = readFileSync(join(root, path), 'utf8');
    assert.deepEqual(await problemsOf(basename(path, '.md'), text), []);
  });
