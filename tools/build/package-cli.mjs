// Writes the command line into dist/cli: one readable file over the package's own entry, so that there is no second copy
// of the wasm module. It has no source map: it is not minified.
import { join } from 'node:path';
import { build } from 'esbuild';
import { root, version } from '../run.mjs';

const outfile = join(root, 'dist/cli/broadloom.js');

/** `broadloom` stands for the entry that has the module inside, for every server runtime. */
const ownPackage = {
  name: 'own-package',
  setup({ onResolve }) {
    onResolve({ filter: /^broadloom$/ }, () => ({ path: '../inline.js', external: true }));
  },
};

export async function packageCli() {
  await build({
    entryPoints: [join(root, 'cli/src/main.ts')],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    charset: 'utf8',
    legalComments: 'inline',
    banner: { js: '#!/usr/bin/env node' },
    define: { broadloomVersion: JSON.stringify(version) },
    logLevel: 'warning',
    plugins: [ownPackage],
  });
}
