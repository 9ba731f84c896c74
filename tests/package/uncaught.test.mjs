// The output of an uncaught error: every runtime prints the message and the code, and no page of source.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { platformProgram } from '../consumers/tools.mjs';

const dist = fileURLToPath(new URL('../../dist/', import.meta.url));
const calls = `
const x = ops.tensor('float32', [1, 2, 3], [3, 1]);
ops.expand(x, [2, 4]);
`;
const imported = (entry) => `import { load } from ${JSON.stringify(pathToFileURL(join(dist, entry)).href)};
const ops = await load();${calls}`;
const required = `const { load } = require(${JSON.stringify(join(dist, 'cjs/index.js'))});
load().then((ops) => {${calls}});`;
const inBrowserEntry = `import { readFileSync } from 'node:fs';
import { loadSync } from ${JSON.stringify(pathToFileURL(join(dist, 'index.js')).href)};
const ops = loadSync(readFileSync(${JSON.stringify(join(dist, 'broadloom.wasm'))}));${calls}`;

const runs = [
  ['Node, import', process.execPath, [], 'main.mjs', imported('node.js')],
  ['Node, the entry of browsers', process.execPath, [], 'main.mjs', inBrowserEntry],
  ['Node, source maps', process.execPath, ['--enable-source-maps'], 'main.mjs', imported('node.js')],
  ['Node, require', process.execPath, [], 'main.cjs', required],
  ['Bun', platformProgram('@oven', 'bin/bun'), [], 'main.mjs', imported('inline.js')],
  ['Deno', platformProgram('@deno', 'deno'), ['run', '--no-prompt', '--no-remote'], 'main.mjs', imported('inline.js')],
];

for (const [what, program, args, file, text] of runs) {
  test(`${what} prints an uncaught error with its message and class, in a few lines`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'broadloom-'));
    try {
      writeFileSync(join(folder, file), text);
      const env = { ...process.env, NO_COLOR: '1', DENO_NO_UPDATE_CHECK: '1', DENO_DIR: join(folder, '.deno') };
      const { status, stderr, stdout } = spawnSync(program, [...args, join(folder, file)], { encoding: 'utf8', env });
      assert.notEqual(status, 0);
      const shown = stdout + stderr;
      assert.match(shown, /Expand-13: cannot broadcast \[3, 1\] to \[2, 4\]: axis 0 is 3, wanted 2/);
      assert.match(shown, /OnnxError/);
      assert.doesNotMatch(shown, /\w+ \[OnnxError\]/);
      assert.doesNotMatch(shown, /undefined/);
      assert.ok(shown.length < 3000, `${shown.length} characters:\n${shown.slice(0, 5000)}`);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}
