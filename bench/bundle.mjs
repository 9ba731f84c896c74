// Bundles a script that imports the peers of this folder, for browsers.
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** @returns the bytes of one minified module */
export async function bundle(script) {
  const { outputFiles } = await build({
    stdin: { contents: script, resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    logLevel: 'error',
  });
  return outputFiles[0].contents;
}
