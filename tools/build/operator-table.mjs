// The table of all that operators and passes use, as their rows say (tools/build/operator_table.cpp prints it).
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from '../run.mjs';
import { configureOnce, mustCompile } from './compile.mjs';

/** Any native build will do. That of `npm test` is there where somebody works on Broadloom; another one takes less time. */
const preset = () => (existsSync(join(root, 'build/sanitize/CMakeCache.txt')) ? 'sanitize' : 'table');

/** The table, after building what prints it. */
export async function operatorTable() {
  const chosen = preset();
  configureOnce(chosen);
  await mustCompile(chosen, ['operator_table'], { title: 'table of operators' });
  return JSON.parse(run(join(root, 'build', chosen, 'operator_table'), [], { quiet: true }));
}
