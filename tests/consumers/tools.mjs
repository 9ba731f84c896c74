// Runs the programs of this folder's node_modules in a consumer's project.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const find = (name) => fileURLToPath(new URL(`node_modules/.bin/${name}`, import.meta.url));

export function runTool(project, name, args, env = {}) {
  return project.execute(find(name), args, { env: { ...process.env, ...env }, maxBuffer: 1 << 26 });
}

/** Starts a server; resolves to the address that it prints, and `close`, which ends it and all that it started. */
export function startTool(project, name, args, env = {}) {
  const child = spawn(find(name), args, {
    cwd: project.folder,
    env: { ...process.env, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true, // a process group of its own
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const close = () => {
    if (child.exitCode === null) process.kill(-child.pid);
    return ended;
  };
  return new Promise((resolve, reject) => {
    let text = '';
    const read = (chunk) => {
      text += chunk;
      const [address] = /http:\/\/127\.0\.0\.1:\d+\/?(?=\s)/.exec(text) ?? [];
      if (address) resolve({ address, close, text: () => text });
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('error', reject);
    ended.then(() => reject(new Error(`${name} ended: ${text}`)));
  });
}
