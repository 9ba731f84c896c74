// Runs a command and stops the whole script, with the command's output, when it fails.
import { spawn, spawnSync } from 'node:child_process';
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
 * Runs commands, several at once. The first of the list that can start does: one that is `after` others waits for the end of
 * these titles. The output of a command appears, with its title, once it ends; the output of a `quiet` command only when it
 * fails. Stops the whole script when one fails.
 */
export async function runTogether(commands, atOnce) {
  const children = new Set();
  // Each command leads a group of its own, so that what it started ends with it.
  const stop = (status) => {
    for (const { pid } of children) {
      try {
        process.kill(-pid);
      } catch {
        // The process did not start, or has just ended.
      }
    }
    process.exit(status);
  };
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'])
    process.once(signal, () => stop(128 + constants.signals[signal]));
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
        // The failures once more, since a record of a run may keep its end alone.
        const failures = `${Buffer.concat(output)}`.match(/^ *not ok .*\n(?: *---\n[\s\S]*?^ *\.\.\.\n)?/gm) ?? [];
        console.error(failures.join(''));
        console.error(`failed: ${command} ${args.join(' ')}`);
        stop(status ?? 1);
      });
    });
  const waiting = new Set(commands);
  const ended = new Set();
  const running = new Set();
  const canStart = ({ after = [] }) => after.every((title) => ended.has(title));
  while (waiting.size > 0 || running.size > 0) {
    const next = running.size < atOnce ? [...waiting].find(canStart) : undefined;
    if (next === undefined) {
      if (running.size === 0)
        throw new Error(`nothing ends before ${[...waiting].map(({ title }) => title).join(', ')}`);
      await Promise.race(running);
      continue;
    }
    waiting.delete(next);
    const run = runOne(next).then(() => {
      ended.add(next.title);
      running.delete(run);
    });
    running.add(run);
  }
}
