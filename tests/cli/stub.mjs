// Builds the command over a stub runtime, for behaviour that the real one seldom has.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from '../../tools/run.mjs';

/**
 * @returns the path of the built command
 *
 * @param stub the text of the module that replaces the package
 * @param after the tests' hook, which removes the command
 */
export async function buildOver(stub, after) {
  const folder = mkdtempSync(join(tmpdir(), 'broadloom-contract-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const program = join(folder, 'broadloom.mjs');
  await build({
    entryPoints: [join(root, 'cli/src/main.ts')],
    outfile: program,
    bundle: true,
    format: 'esm',
    platform: 'node',
    external: [join(root, 'dist/inline.js')],
    define: { broadloomVersion: '"0"' },
    logLevel: 'warning',
    plugins: [
      {
        name: 'stub',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^broadloom$/ }, () => ({ path: 'stub', namespace: 'stub' }));
          onLoad({ filter: /./, namespace: 'stub' }, () => ({ contents: stub, resolveDir: root }));
        },
      },
    ],
  });
  return program;
}
