// The sizes in the README are those of the package.
import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../../tools/run.mjs';
import { downloadSizes } from '../../tools/sizes.mjs';
import { tarball } from './helpers/installed.mjs';

const readme = readFileSync(join(root, 'README.md'), 'utf8');
const download = downloadSizes().find(({ name }) => name === 'download').bytes;
// Sizes change a little with each change of the code, and more with another compiler.
const tolerance = 0.03;

for (const [what, pattern, bytes] of [
  ['the download, in the first lines', /The download is ([\d.]+) kB/, download],
  ['the download, in the table', /\| download, wasm and JavaScript, gzip +\| ([\d.]+) kB/, download],
  ['the tarball', /\| tarball of the package +\| ([\d.]+) kB/, statSync(tarball).size],
]) {
  test(`the README has the size of ${what}`, () => {
    const told = Number(readme.match(pattern)[1]) * 1000;
    assert.ok(Math.abs(told - bytes) < tolerance * bytes, `${told} told, ${bytes} in the package`);
  });
}
