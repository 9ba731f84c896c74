// Configures and builds presets of CMake.
import { spawn } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { faultsIn, Progress } from '../progress.mjs';
import { root, run } from '../run.mjs';

/** Configures a preset unless that was done after the presets last changed. Ninja sees by itself when a CMakeLists.txt changes. */
export function configureOnce(preset) {
  const made = join(root, 'build', preset, 'CMakeCache.txt');
  const presets = join(root, 'CMakePresets.json');
  if (!existsSync(made) || statSync(made).mtimeMs < statSync(presets).mtimeMs) configure(preset);
}

export function configure(preset) {
  const cmake = ['cmake', '--preset', preset];
  if (preset.startsWith('wasm')) run('emcmake', cmake, { quiet: true });
  else run(cmake[0], cmake.slice(1), { quiet: true });
}

/**
 * Builds targets of a configured preset, or all of its usual ones. On a terminal, a line tells how far it is.
 *
 * @returns undefined, or the output of what failed
 */
export function compile(preset, targets = [], { progress = new Progress(), title = preset } = {}) {
  const args = ['--build', '--preset', preset, ...targets.flatMap((target) => ['--target', target])];
  return new Promise((resolve) => {
    const child = spawn('cmake', args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (part) => {
        output += part;
        progress.read(title, part);
      });
    }
    child.on('error', (error) => {
      output += error.message;
    });
    child.on('close', (code) => {
      progress.end(title);
      resolve(code === 0 ? undefined : `${faultsIn(output)}failed: cmake ${args.join(' ')}\n`);
    });
  });
}

/** Builds as `compile` does, and ends the program where that fails. */
export async function mustCompile(...args) {
  const fault = await compile(...args);
  if (fault === undefined) return;
  process.stderr.write(fault);
  process.exit(1);
}
