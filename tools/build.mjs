// Builds the package into dist/: the wasm module, one JavaScript file, the type declarations. Prints what a browser
// downloads and fails when that exceeds the budget. With --quiet, prints only what goes wrong.
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root, run } from './run.mjs';

const quiet = process.argv.includes('--quiet');
const budget = 40_000; // bytes of gzip, wasm and JavaScript together
const dist = join(root, 'dist');

run('node', ['tools/generate-dtypes.mjs'], { quiet });
run('emcmake', ['cmake', '--preset', 'wasm'], { quiet: true });
run('cmake', ['--build', '--preset', 'wasm'], { quiet: true });
rmSync(join(root, 'build/js'), { recursive: true, force: true });
run('node_modules/.bin/tsc', ['-p', '.'], { quiet });

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist);
const bindings = join(root, 'build/wasm/bindings');
cpSync(join(bindings, 'broadloom-wasm.wasm'), join(dist, 'broadloom.wasm'));
cpSync(join(bindings, 'broadloom-wasm.mjs'), join(root, 'build/js/wasm-glue.js'));
for (const file of readdirSync(join(root, 'build/js'))) {
  if (file.endsWith('.d.ts')) cpSync(join(root, 'build/js', file), join(dist, file));
}
// prettier-ignore
run('node_modules/.bin/esbuild', [
  'build/js/index.js', '--bundle', '--format=esm', '--platform=neutral', '--target=es2022', '--minify', '--sourcemap',
  '--sources-content=false', '--outfile=dist/index.js', '--log-level=warning',
], { quiet });

const sizes = ['broadloom.wasm', 'index.js'].map((name) => {
  const bytes = readFileSync(join(dist, name));
  return { name, bytes: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length };
});
const total = sizes.reduce((sum, { gzip }) => sum + gzip, 0);
if (!quiet) {
  for (const { name, bytes, gzip } of sizes) console.log(`${name.padEnd(16)} ${String(bytes).padStart(7)} bytes, ${gzip} gzip`);
  console.log(`download         ${total} bytes of gzip (budget ${budget})`);
}
if (total > budget) {
  console.error(`build: the download of ${total} bytes exceeds the budget of ${budget}`);
  process.exit(1);
}
