// Describes the machine and the versions of a measurement, without names of hosts or users.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import os from 'node:os';
import { root } from '../tools/run.mjs';

function output(command, ...args) {
  try {
    return execFileSync(command, args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return '';
  }
}

/** Fields of lscpu, which every Linux has; empty elsewhere. */
function processor() {
  const fields = Object.fromEntries(
    output('lscpu')
      .split('\n')
      .map((line) => line.split(/:\s+/)),
  );
  const caches = ['L1d', 'L2', 'L3'].map((level) => [level, fields[`${level} cache`]]).filter(([, size]) => size);
  return {
    processor: fields['Model name'] ?? os.cpus()[0]?.model,
    family: fields['CPU family'] && `family ${fields['CPU family']} model ${fields.Model}`,
    cores: os.cpus().length,
    caches: Object.fromEntries(caches),
    virtual: fields['Hypervisor vendor'],
  };
}

function systemName() {
  const release = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '';
  return /^PRETTY_NAME="?([^"\n]*)/m.exec(release)?.[1] ?? os.type();
}

/** The commit, with a plus sign if files differ from it. */
function commit() {
  const changed = output('git', 'status', '--porcelain', '--untracked-files=no', '--', '.', ':!bench/results');
  return output('git', 'rev-parse', '--short', 'HEAD') + (changed === '' ? '' : '+');
}

/** @param contenders - [{ name, version }] */
export function describeMachine(contenders) {
  return {
    date: new Date().toISOString().slice(0, 10),
    commit: commit(),
    ...processor(),
    memory: `${Math.round(os.totalmem() / 2 ** 30)} GiB`,
    system: `${systemName()}, ${os.type()} ${os.release()}, ${os.arch()}`,
    node: process.versions.node,
    v8: process.versions.v8,
    emscripten: /emcc.*? (\d+\.\d+\.\d+)/.exec(output('emcc', '--version'))?.[1],
    versions: Object.fromEntries(contenders.map(({ name, version }) => [name, version])),
  };
}
