// Packs the built package as it would be published. Alone: `node tools/pack.mjs [folder]` (default: build) prints the size.
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root, run } from './run.mjs';

/** Bytes that the tarball may have. */
export const tarballBudget = 200_000;

/** Packs dist/ as it stands into `folder`; returns the tarball's path. Fails when it is too large. */
export function pack(folder) {
  mkdirSync(folder, { recursive: true });
  const output = run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], { quiet: true });
  const [{ filename }] = JSON.parse(output);
  const file = join(folder, filename);
  const { size } = statSync(file);
  if (size > tarballBudget) {
    console.error(`pack: ${filename} has ${size} bytes, which exceeds the budget of ${tarballBudget}`);
    process.exit(1);
  }
  return file;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = pack(process.argv[2] ?? join(root, 'build'));
  console.log(`${file} ${statSync(file).size} bytes (budget ${tarballBudget})`);
}
