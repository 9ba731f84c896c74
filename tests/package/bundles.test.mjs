// The parts of the package that bundlers take.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { build } from 'esbuild';
import { installed, project } from './helpers/installed.mjs';

test('a page that imports OnnxError alone gets under 3 kB of a bundler', async () => {
  const program = join(project, 'program.mjs');
  writeFileSync(program, "import { OnnxError } from 'broadloom';\nconsole.log(OnnxError);\n");
  const { outputFiles } = await build({ entryPoints: [program], bundle: true, format: 'esm', write: false });
  const [{ text }] = outputFiles;
  assert.match(text, /OnnxError/);
  assert.ok(text.length < 3000, `${text.length} bytes`);
});

test('the file for bundlers exports what the other does', async () => {
  const [bundled, whole] = await Promise.all(
    ['bundle.js', 'index.js'].map((name) => import(join(installed, 'dist', name))),
  );
  assert.deepEqual({ ...bundled }, { ...whole });
});
