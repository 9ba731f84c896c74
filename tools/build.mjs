// Builds the package into dist/: the wasm module, JavaScript and the type declarations. Prints what a browser downloads.
// With --quiet, prints only what goes wrong.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageCli } from './package-cli.mjs';
import { packageJavaScript } from './package-js.mjs';
import { root, run, version } from './run.mjs';
import { commandSize, downloadSizes, printSizes } from './sizes.mjs';
import { renameExports, withTextSection } from './wasm-sections.mjs';

const quiet = process.argv.includes('--quiet');
const dist = join(root, 'dist');

run('node', ['tools/generate-dtypes.mjs'], { quiet });
run('emcmake', ['cmake', '--preset', 'wasm'], { quiet: true });
run('cmake', ['--build', '--preset', 'wasm'], { quiet: true });
rmSync(join(root, 'build/types'), { recursive: true, force: true });
run('node_modules/.bin/tsc', ['-p', '.'], { quiet });

// Both files of the package call the functions between them by two letters, which is 0.3 kB less to download. The letters
// are made from the name alone, so that files of different builds, should they meet, do not take one function for another.
// Functions that the loader knows keep their names. A name of the API may be none of the others: it would be shortened, too.
const glue = [...readFileSync(join(root, 'js/src/glue.ts'), 'utf8').matchAll(/^ {2}(\w+)\(/gm)].map(([, name]) => name);
const kept = ['_initialize', 'callOperator'];
const letters = (name) =>
  createHash('sha256')
    .update(name)
    .digest('base64')
    .replace(/[^a-zA-Z]/g, '')
    .slice(0, 2);
const shortNames = new Map(glue.map((name) => [name, kept.includes(name) ? name : letters(name)]));
if (new Set(shortNames.values()).size !== glue.length)
  throw new Error('build: two functions of the glue have one short name');

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist);
const module = readFileSync(join(root, 'build/wasm/bindings/broadloom.wasm'));
const exports = renameExports(module, (name) => shortNames.get(name));
// `load` compares it with the version in the JavaScript: one file may have been deployed without the other.
writeFileSync(join(dist, 'broadloom.wasm'), withTextSection(exports, 'broadloom', version));
await packageJavaScript(shortNames);
await packageCli();

if (!quiet) printSizes([...downloadSizes(), commandSize()]);
