// The aliases for bundlers in the guide: names of onnxruntime's packages and entries.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../../tools/run.mjs';
import { fileOf } from './bundle.mjs';

const guide = readFileSync(join(root, 'docs/guides/from-onnxruntime-web.md'), 'utf8');
const aliases = /const alias = \{\n(.*?)\};/s.exec(guide)[1];
const names = [...aliases.matchAll(/'(.*?)': broadloom,\n/g)].map(([, name]) => name);

test('no alias of the guide comes behind one that its name begins with', () => {
  assert.equal(names.length, 5);
  for (const [at, name] of names.entries())
    assert.equal(
      names.slice(0, at).find((earlier) => name.startsWith(`${earlier}/`)),
      undefined,
    );
});

const folders = {
  '@huggingface/transformers': 'dist',
  '@ricky0123/vad-web': 'dist',
  '@gutenye/ocr-node': 'build',
  '@gutenye/ocr-common': 'build',
};
for (const [name, folder] of Object.entries(folders))
  test(`the aliases of the guide have what ${name} imports`, () => {
    const path = fileOf(join(name, folder));
    const files = readdirSync(path, { recursive: true }).filter((file) => /\.[cm]?js$/.test(file));
    const text = files.map((file) => readFileSync(join(path, file), 'utf8')).join('\n');
    const imported = [...text.matchAll(/(?:\bfrom|\brequire\(|\bimport\()\s*["'](onnxruntime-[\w/-]+)["']/g)];
    for (const [, one] of imported) assert.ok(names.includes(one), one);
  });
