// Runs a command and stops the whole script, with the command's output, when it fails.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** Version of the package. */
export const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

/** `quiet` commands show their output only when they fail. */
export function run(command, args, { quiet = false, env = {} } = {}) {
  const result = spawnSync(command, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: quiet ? 'pipe' : 'inherit',
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (result.status === 0) return result.stdout;
  if (quiet) process.stderr.write(`${result.stdout ?? ''}${result.stderr ?? ''}`);
  console.error(`failed: ${command} ${args.join(' ')}${result.error ? ` (${result.error.message})` : ''}`);
  process.exit(result.status ?? 1);
}
