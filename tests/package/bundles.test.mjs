// What bundlers take of the package.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { build } from 'esbuild';
import { installed, project } from './helpers/installed.mjs';

for (const entry of ['broadloom', 'broadloom/inline'])
  for (const platform of ['browser', 'node', 'neutral'])
    test(`a program for ${platform} that imports OnnxError of ${entry} alone is under 3 kB`, async () => {
      const program = join(project, 'program.mjs');
      writeFileSync(program, `import { OnnxError } from '${entry}';\nconsole.log(OnnxError);\n`);
      const { outputFiles } = await build({
        entryPoints: [program],
        bundle: true,
        format: 'esm',
        platform,
        ...(platform === 'neutral' && { mainFields: ['module'], conditions: ['module'] }),
        write: false,
      });
      const [{ text }] = outputFiles;
      assert.match(text, /OnnxError/);
      assert.ok(text.length < 3000, `${text.length} bytes`);
    });

test('the files for bundlers export what the others do', async () => {
  for (const file of ['index.js', 'inline.js']) {
    const [bundled, whole] = await Promise.all(
      [`bundle-${file}`, file].map((name) => import(join(installed, 'dist', name))),
    );
    assert.deepEqual({ ...bundled }, { ...whole });
  }
});
