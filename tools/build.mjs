// Builds the package into dist/: the wasm module, one JavaScript file, the type declarations. Prints what a browser
// downloads and fails when that exceeds the budget. With --quiet, prints only what goes wrong.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { minify } from 'terser';
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
await build({
  entryPoints: [join(root, 'build/js/index.js')],
  outfile: join(root, 'build/bundle.js'),
  bundle: true,
  format: 'esm',
  platform: 'neutral',
  target: 'es2022',
  sourcemap: true,
  logLevel: 'warning',
});
// terser makes the file a tenth smaller than esbuild does, most of it in Emscripten's glue.
const bundle = readFileSync(join(root, 'build/bundle.js'), 'utf8');
const minified = await minify(bundle, {
  module: true,
  ecma: 2020,
  compress: { passes: 3 },
  sourceMap: { content: readFileSync(join(root, 'build/bundle.js.map'), 'utf8'), url: 'index.js.map' },
});
writeFileSync(join(dist, 'index.js'), minified.code);
writeFileSync(join(dist, 'index.js.map'), minified.map);

const sizes = ['broadloom.wasm', 'index.js'].map((name) => {
  const bytes = readFileSync(join(dist, name));
  return { name, bytes: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length };
});
const total = sizes.reduce((sum, { gzip }) => sum + gzip, 0);
if (!quiet) {
  for (const { name, bytes, gzip } of sizes)
    console.log(`${name.padEnd(16)} ${String(bytes).padStart(7)} bytes, ${gzip} gzip`);
  console.log(`download         ${total} bytes of gzip (budget ${budget})`);
}
if (total > budget) {
  console.error(`build: the download of ${total} bytes exceeds the budget of ${budget}`);
  process.exit(1);
}
