// What the consumers of servers.mjs and runners.mjs have in common.
import { cpSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the tools. */
export const tools = fileURLToPath(new URL('./node_modules/', import.meta.url));
const require = createRequire(import.meta.url);

/** The version of a tool. */
export const versionOf = (name) => require(`${name}/package.json`).version;

/** A program that its package has in one package for each platform. */
export function platformProgram(scope, path) {
  const name = readdirSync(join(tools, scope)).find((folder) => existsSync(join(tools, scope, folder, path)));
  return join(tools, scope, name, path);
}

/** What `file` of a project prints in a folder where nothing else is, while the project has no package any more. */
export async function runElsewhere(project, file, environment, command, args) {
  const folder = mkdtempSync(join(tmpdir(), 'broadloom-'));
  const installed = join(project.folder, 'node_modules');
  cpSync(join(project.folder, file), join(folder, basename(file)));
  renameSync(installed, `${installed}.away`);
  try {
    return await project.program(environment, command, args, { cwd: folder });
  } finally {
    renameSync(`${installed}.away`, installed);
    rmSync(folder, { recursive: true });
  }
}

/** Runs tests that write the result of the check into files; one row for each. */
export async function runTests(project, files, command, args, { env = {} } = {}) {
  await project.execute(command, args, { env: { ...process.env, CI: 'true', ...env } });
  return Object.entries(files).map(([file, environment]) => ({ environment, result: JSON.parse(project.read(file)) }));
}
