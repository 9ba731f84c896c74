// Builds the package into dist/: the wasm module, JavaScript and the type declarations. Prints what a browser downloads.
// With --quiet, prints only what goes wrong.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { packageCli } from './package-cli.mjs';
import { packageJavaScript } from './package-js.mjs';
import { root, run, version } from './run.mjs';
import { commandSize, downloadSizes, printSizes } from './sizes.mjs';
import { withSection } from './wasm-section.mjs';

// `npm run` puts the tools of packages on the path: Emscripten would take Binaryen's of npm for its own.
process.env.PATH = process.env.PATH.split(delimiter)
  .filter((folder) => !folder.endsWith(join('node_modules', '.bin')))
  .join(delimiter);
const quiet = process.argv.includes('--quiet');
const dist = join(root, 'dist');

run('node', ['tools/generate-dtypes.mjs'], { quiet });
run('node', ['tools/generate-operators.mjs'], { quiet });
run('emcmake', ['cmake', '--preset', 'wasm'], { quiet: true });
run('cmake', ['--build', '--preset', 'wasm'], { quiet: true });
rmSync(join(root, 'build/types'), { recursive: true, force: true });
run('node_modules/.bin/tsc', ['-p', '.'], { quiet });

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist);
const module = readFileSync(join(root, 'build/wasm/bindings/broadloom.wasm'));
// `load` compares it with the version in the JavaScript: one file may have been deployed without the other.
writeFileSync(join(dist, 'broadloom.wasm'), withSection(module, 'broadloom', Buffer.from(version)));
await packageJavaScript();
await packageCli();

if (!quiet) printSizes([...downloadSizes(), commandSize()]);
