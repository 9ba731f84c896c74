// Processes that use a worker end by themselves, whatever module system they have.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { endless, plusOne } from './helpers.mjs';

const dist = (file) => fileURLToPath(new URL(`../../dist/${file}`, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'broadloom-'));
process.on('exit', () => rmSync(folder, { recursive: true }));
const models = { plusOne: join(folder, 'plus.onnx'), endless: join(folder, 'endless.onnx') };
writeFileSync(models.plusOne, plusOne);
writeFileSync(models.endless, endless());

const x = '{ x: { type: "float32", dims: [1], data: [1] } }';
const opening = (model) =>
  `const remote = await loadInWorker(); const bytes = fs.readFileSync(${JSON.stringify(model)}); const model = await remote.loadModel(bytes);`;
const asImport = (code) =>
  `import fs from 'node:fs'; import { loadInWorker } from ${JSON.stringify(dist('node.js'))}; ${code}`;
const asRequire = (code) =>
  `const fs = require('node:fs'); const { loadInWorker } = require(${JSON.stringify(dist('cjs/index.js'))}); (async () => { ${code} })();`;

/** Runs a program, which must end without help. */
function run(args, env = {}) {
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    timeout: 30_000,
    env: { ...process.env, ...env },
  });
  assert.deepEqual([stderr, status, signal], ['', 0, null]);
  return stdout;
}

const idle = `${opening(models.plusOne)} console.log((await model.run(${x})).y.data[0]);`;
const stopped = `${opening(models.endless)} await model.run(${x}, { signal: AbortSignal.timeout(100) }).catch(({ name }) => console.log(name));`;

test('what JSON.stringify asks a model for, and nobody waits for, ends no process', () => {
  const asked = `${opening(models.plusOne)} JSON.stringify(model); remote.terminate(); setTimeout(() => console.log('goes on'), 100);`;
  assert.equal(run(['--input-type=module', '-e', asImport(asked)]), 'goes on\n');
});

test('a worker that is refused an option keeps no process', () => {
  const refused = 'await loadInWorker({ opset: () => 1 }).catch(({ message }) => console.log(message));';
  const text = 'loadInWorker: an option is a function, which no worker can be given\n';
  assert.equal(run(['--input-type=module', '-e', asImport(refused)]), text);
});

test('a process ends while no worker of a pool can be started', () => {
  const code = `
    import { Worker } from 'node:worker_threads';
    import { loadPool } from ${JSON.stringify(dist('node.js'))};
    const workers = [];
    const worker = () => {
      if (workers.length > 0) throw new Error('no more threads');
      workers.push(new Worker(${JSON.stringify(dist('worker-node.js'))}, { execArgv: [] }));
      return workers[0];
    };
    await loadPool({ size: 1, worker });
    await workers[0].terminate();`;
  assert.equal(run(['--input-type=module', '-e', code]), '');
});

for (const [what, args] of [
  ['an ES module from standard input', (code) => ['--input-type=module', '-e', asImport(code)]],
  ['a CommonJS script', (code) => ['-e', asRequire(code)]],
]) {
  test(`${what} ends while its worker waits`, () => {
    assert.equal(run(args(idle)), '2\n');
  });

  test(`${what} ends after a run was stopped`, () => {
    assert.equal(run(args(stopped)), 'TimeoutError\n');
  });

  test(`${what} waits for a run that nobody awaits`, () => {
    const code = `${opening(models.plusOne)} model.run(${x}).then(({ y }) => console.log(y.data[0]));`;
    assert.equal(run(args(code)), '2\n');
  });
}

test('models that nobody refers to are freed in the worker', () => {
  const code = `${opening(models.plusOne)}
    const before = (await remote.memory()).bytesInUse;
    for (let i = 0; i < 50; i++) await remote.loadModel(bytes);
    let after;
    for (let i = 0; i < 50; i++) {
      gc();
      await new Promise((resolve) => setTimeout(resolve, 10));
      after = (await remote.memory()).bytesInUse;
      if (after === before) break;
    }
    console.log(after === before);
    console.log((await model.run(${x})).y.data[0]);`;
  assert.equal(run(['--expose-gc', '--input-type=module', '-e', asImport(code)]), 'true\n2\n');
});

test('initializers and attributes keep their model alive', () => {
  const code = `const remote = await loadInWorker();
    const bytes = fs.readFileSync(${JSON.stringify(models.plusOne)});
    const [one] = await (await remote.loadModel(bytes)).initializers;
    for (let i = 0; i < 10; i++) {
      gc();
      await new Promise((resolve) => setTimeout(resolve, 10));
      await remote.memory();
    }
    console.log((await one.read()).data[0]);`;
  assert.equal(run(['--expose-gc', '--input-type=module', '-e', asImport(code)]), '1\n');
});
