// Runs a command and stops the whole script, with the command's output, when it fails.
import { spawn, spawnSync } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
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

/**
 * Runs lists of commands side by side, each list one command after the other. The output of a command appears, with its title,
 * once it ends; that of `quiet` ones only when they fail. One that is `after` another waits for the end of that title. Stops the
 * whole script when one fails.
 */
export async function runTogether(...lanes) {
  const children = new Set();
  // Each command leads a group of its own, so that what it started ends with it.
  const stop = (status) => {
    for (const { pid } of children) {
      try {
        process.kill(-pid);
      } catch {
        // It did not start, or has just ended.
      }
    }
    process.exit(status);
  };
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'])
    process.once(signal, () => stop(128 + constants.signals[signal]));
  const ended = new EventEmitter();
  const ends = new Map(lanes.flat().map(({ title }) => [title, once(ended, title)]));
  const runOne = ({ title, command, args, quiet = false }) =>
    new Promise((resolve) => {
      const started = performance.now();
      const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
      children.add(child);
      const output = [];
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => output.push(part));
      child.on('error', (error) => output.push(Buffer.from(`${error.message}\n`)));
      child.on('close', (status) => {
        children.delete(child);
        const heading = Buffer.from(`\n== ${title} (${((performance.now() - started) / 1000).toFixed(0)} s)\n`);
        process.stdout.write(Buffer.concat([heading, ...(quiet && status === 0 ? [] : output)]));
        if (status === 0) return resolve();
        console.error(`failed: ${command} ${args.join(' ')}`);
        stop(status ?? 1);
      });
    });
  await Promise.all(
    lanes.map(async (lane) => {
      for (const one of lane) {
        await ends.get(one.after);
        await runOne(one);
        ended.emit(one.title);
      }
    }),
  );
}
