// Shared by the consumers: the tools in this folder's node_modules, and functions that run programs in a project.
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the tools. */
export const tools = fileURLToPath(new URL('./node_modules/', import.meta.url));
const require = createRequire(import.meta.url);

/** The version of a tool. */
export const versionOf = (name) => require(`${name}/package.json`).version;

/** The path of a program: by its name, or by its path from the folder of the tools. */
export const programOf = (name) => join(tools, name.includes('/') ? name : `.bin/${name}`);

/** The path of a program that has one package for each platform. */
export function platformProgram(scope, path) {
  const name = readdirSync(join(tools, scope)).find((folder) => existsSync(join(tools, scope, folder, path)));
  return join(tools, scope, name, path);
}

/** Installs a tarball into an empty project -> its node_modules. */
export function install(tarball, folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const quiet = ['--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--offline', '--loglevel=error'];
  execFileSync('npm', ['install', ...quiet, tarball], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  return join(folder, 'node_modules');
}

/** Runs `file` of a project in an empty folder, while the project's packages are removed. Returns its output. */
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

/** Runs tests that write the result of the check into files. Returns one row for each. */
export async function runTests(project, files, command, args, { env = {} } = {}) {
  await project.execute(command, args, { env: { ...process.env, CI: 'true', ...env } });
  return Object.entries(files).map(([file, environment]) => ({ environment, result: JSON.parse(project.read(file)) }));
}

export function runTool(project, name, args, env = {}) {
  return project.execute(programOf(name), args, { env: { ...process.env, ...env }, maxBuffer: 1 << 26 });
}

/** Starts a server. Resolves to the address that it prints, and `close`, which ends it and its child processes. */
export function startTool(project, name, args, env = {}) {
  const child = spawn(programOf(name), args, {
    cwd: project.folder,
    env: { ...process.env, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true, // a process group of its own
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const close = () => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid);
    return ended;
  };
  return new Promise((resolve, reject) => {
    let text = '';
    const read = (chunk) => {
      text += chunk;
      const [address] = /http:\/\/127\.0\.0\.1:\d+\/?(?=\s)/.exec(text) ?? [];
      if (address) resolve({ address, close });
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('error', reject);
    ended.then(() => reject(new Error(`${name} ended: ${text}`)));
  });
}
