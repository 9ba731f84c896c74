// TypeScript of the command as a module of this process.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from '../../../tools/run.mjs';

const folder = join(root, 'build/fuzz/scripts');

/** The exports of a module with this text, whose imports are those of a file in the repository's root. */
export async function bundle(name, contents, plugins = []) {
  mkdirSync(folder, { recursive: true });
  const outfile = join(folder, `${name}.mjs`);
  const ownPackage = {
    name: 'own-package',
    setup({ onResolve }) {
      onResolve({ filter: /^broadloom$/ }, () => ({ path: join(root, 'dist/inline.js'), external: true }));
    },
  };
  await build({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    define: { broadloomVersion: '"0"' },
    logLevel: 'warning',
    plugins: [ownPackage, ...plugins],
  });
  return import(outfile);
}
