// Errors of hosts that refuse: they say what the host lacks, and which flag or setting gives it.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const dist = fileURLToPath(new URL('../../dist/', import.meta.url));
const root = fileURLToPath(new URL('../..', import.meta.url));

/** The messages of calls of an entry in a process of its own. */
async function messages(entry, calls, { flags = [], command = process.execPath, before = [] } = {}) {
  const program = `
    const broadloom = await import(${JSON.stringify(dist + entry)});
    for (const name of ${JSON.stringify(calls)})
      await broadloom[name]().then((made) => (console.log('done'), made.terminate?.() ?? made.close?.()), ({ message }) => console.log(message));`;
  const { stdout } = await run(command, [...before, ...flags, '--input-type=module', '-e', program]);
  return stdout.trim().split('\n');
}

/** The flag of this Node for its permission model. */
const permission = process.allowedNodeEnvironmentFlags.has('--permission')
  ? '--permission'
  : '--experimental-permission';

test('a host without WebAssembly is told so, whatever is imported', async () => {
  for (const entry of ['node.js', 'inline.js']) {
    const told = await messages(entry, ['load', 'loadInWorker', 'loadPool'], { flags: ['--jitless'] });
    assert.deepEqual(
      told.map((message) => message.replace(/^load\w*: /, '')),
      Array(3).fill("this host has no WebAssembly; Node's --jitless takes it away"),
    );
  }
});

test('a host without address space is told what a memory sets aside', async () => {
  const before = ['-c', 'ulimit -v 8000000; exec "$0" "$@"', process.execPath];
  const [message] = await messages('node.js', ['load'], { command: 'bash', before });
  assert.match(
    message,
    /^load: the host gives no memory of 1048576 bytes; .* \(V8: 10 GB\), which 'ulimit -v' may not allow$/,
  );
});

test("Node's permission model is answered with the flag that allows it", async () => {
  const all = [permission, `--allow-fs-read=${root}`];
  const [load, worker, pool] = await messages('node.js', ['load', 'loadInWorker', 'loadPool'], { flags: all });
  assert.equal(load, 'done');
  for (const message of [worker, pool]) assert.match(message, /: start Node with --allow-worker$/);
  const few = ['node.js', 'inline.js', 'remote.js', 'error.js'].map((file) => `--allow-fs-read=${dist}${file}`);
  const flags = [permission, ...few, `--allow-fs-read=${root}package.json`];
  const [noFile] = await messages('node.js', ['load'], { flags });
  assert.match(noFile, /^load: no wasm module .*: start Node with --allow-fs-read=.*broadloom\.wasm \(/);
});
