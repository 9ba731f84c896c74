// Imports a module written in TypeScript, with what it imports.
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from './run.mjs';

export async function importTypeScript(path, options = {}) {
  const { outputFiles } = await build({
    entryPoints: [join(root, path)],
    bundle: true,
    format: 'esm',
    write: false,
    logLevel: 'warning',
    ...options,
  });
  const url = `data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`;
  return import(url);
}
