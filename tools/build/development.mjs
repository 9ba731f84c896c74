// A development build of the package (tools/build.mjs --dev) has a mark in dist/: it is for tests alone.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../run.mjs';

const mark = join(root, 'dist/development');

export const markDevelopment = () => writeFileSync(mark, '');

/** Ends the program where dist/ is a development build. */
export function requireWholeBuild() {
  if (!existsSync(mark)) return;
  console.error('dist/ is a development build, which is for tests alone: npm run build');
  process.exit(1);
}
