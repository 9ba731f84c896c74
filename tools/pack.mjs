// Packs the built package as it would be published. Alone: `node tools/pack.mjs [folder]` (default: build) prints the size.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { requireWholeBuild } from './build/development.mjs';
import { printSizes, tarballSizes } from './check/sizes.mjs';
import { root, run } from './run.mjs';

/** Packs dist/ as it stands into `folder`; returns the tarball's path. */
export function pack(folder) {
  requireWholeBuild();
  mkdirSync(folder, { recursive: true });
  const output = run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], { quiet: true });
  // A list up to npm 11, an object by the packages' names from npm 12.
  const [{ filename }] = Object.values(JSON.parse(output));
  return join(folder, filename);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = pack(process.argv[2] ?? join(root, 'build'));
  console.log(file);
  printSizes(tarballSizes(file));
}
