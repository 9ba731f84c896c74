// The sizes in the README and in bench/README.md are those of the package.
import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { downloadSizes } from '../../tools/check/sizes.mjs';
import { root } from '../../tools/run.mjs';
import { tarball } from './helpers/installed.mjs';

const download = downloadSizes().find(({ name }) => name === 'download').bytes;
// Sizes change a little with each change of the code, and more with another compiler.
const tolerance = 0.03;

for (const [document, what, pattern, bytes] of [
  ['README.md', 'the download', /\| download, wasm and JavaScript, gzip +\| ([\d.]+) kB/, download],
  ['bench/README.md', 'the tarball', /\| tarball of the package +\| ([\d.]+) kB/, statSync(tarball).size],
]) {
  test(`${document} has the size of ${what}`, () => {
    const told = Number(readFileSync(join(root, document), 'utf8').match(pattern)[1]) * 1000;
    assert.ok(Math.abs(told - bytes) < tolerance * bytes, `${told} told, ${bytes} in the package`);
  });
}
