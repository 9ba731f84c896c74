// `npm run size`: prints the sizes of the built package beside their budgets. In CI it fails when one is exceeded, if the
// compiler is the one that the budgets were set with; others make other sizes.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { pack } from './pack.mjs';
import { root, run } from './run.mjs';
import { commandSize, downloadSizes, entrySizes, printSizes, tarballSize } from './sizes.mjs';

const referenceCompiler = '3.1.6';

const rows = [
  ...downloadSizes(),
  ...entrySizes(),
  commandSize(),
  tarballSize(statSync(pack(join(root, 'build'))).size),
];
printSizes(rows);
const compiler = run('emcc', ['--version'], { quiet: true }).match(/\d+\.\d+\.\d+/)?.[0];
if (compiler !== referenceCompiler) {
  console.log(`size: the budgets are those of Emscripten ${referenceCompiler}; this is ${compiler}`);
} else {
  const exceeded = rows.filter(({ bytes, limit }) => bytes > limit);
  for (const { name, bytes, limit } of exceeded)
    console.log(`size: ${name} exceeds its budget by ${bytes - limit} bytes`);
  if (exceeded.length > 0 && process.env.CI) process.exit(1);
}
