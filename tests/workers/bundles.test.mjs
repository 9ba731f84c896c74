// loadInWorker in bundles for Node, which have the module within and no file beside them.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';

const dist = fileURLToPath(new URL('../../dist/', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'broadloom-bundles-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Prints what an operator gives in a worker, or the error. `worker` is the code of the option. */
const program = (worker = '') => `
  import { loadInWorker } from ${JSON.stringify(`${dist}inline.js`)};
  import { Worker } from 'node:worker_threads';
  import { join } from 'node:path';
  const say = (value) => console.log(JSON.stringify(value));
  loadInWorker(${worker}).then(
    async (remote) => {
      const [{ data }] = await remote.run('Neg', [{ type: 'float32', dims: [2], data: [1, 2] }]);
      say([...data]);
      remote.terminate();
    },
    ({ code, message }) => say([code, message]),
  );
`;

const bundle = (place, contents, options) =>
  build({
    stdin: { contents, resolveDir: folder },
    outfile: join(folder, place),
    bundle: true,
    platform: 'node',
    logLevel: 'error',
    ...options,
  });

const run = async (place) => {
  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, place)]);
  return JSON.parse(stdout);
};

const advice = 'pass { worker }, a Worker whose script imports broadloom/worker';

for (const [format, suffix, says] of [
  ['esm', 'mjs', 'a bundle for Node has no worker.js beside it: file:///'],
  ['cjs', 'cjs', 'a bundle for Node has no worker.js beside it'],
]) {
  const options = { format, logOverride: { 'empty-import-meta': 'silent' } };

  test(`a bundle of esbuild (${format}) alone says what to pass`, async () => {
    await bundle(`alone/${format}.${suffix}`, program(), options);
    const [code, message] = await run(`alone/${format}.${suffix}`);
    assert.equal(code, 'INVALID_ARGUMENT');
    assert.ok(message.startsWith(`loadInWorker: no worker (${says}`) && message.endsWith(`): ${advice}`), message);
  });

  test(`a bundle of esbuild (${format}) takes a thread whose script is a bundle, too`, async () => {
    const here = format === 'esm' ? 'import.meta.dirname' : '__dirname';
    const worker = `{ worker: () => new Worker(join(${here}, 'model-worker.${suffix}')) }`;
    await bundle(`passed/${format}.${suffix}`, program(worker), options);
    await bundle(`passed/model-worker.${suffix}`, `import ${JSON.stringify(`${dist}worker.js`)};`, options);
    assert.deepEqual(await run(`passed/${format}.${suffix}`), [-1, -2]);
  });
}

test('a bundle with worker.js beside it starts that', async () => {
  await bundle('beside/main.js', program(), { format: 'esm' });
  writeFileSync(join(folder, 'beside/package.json'), '{ "type": "module" }');
  copyFileSync(`${dist}worker.js`, join(folder, 'beside/worker.js'));
  assert.deepEqual(await run('beside/main.js'), [-1, -2]);
});

test('a bundle of webpack for Node starts the script of the package, which webpack knows by its place', async (t) => {
  const require = createRequire(new URL('../consumers/package.json', import.meta.url));
  let webpack;
  try {
    webpack = require('webpack');
  } catch {
    return t.skip('the packages of tests/consumers are not installed');
  }
  mkdirSync(join(folder, 'webpack'), { recursive: true });
  writeFileSync(join(folder, 'webpack/main.mjs'), program());
  const output = { path: join(folder, 'webpack/dist'), filename: 'main.cjs' };
  const stats = await new Promise((done, fail) => {
    const config = {
      target: 'node',
      mode: 'production',
      entry: './main.mjs',
      context: join(folder, 'webpack'),
      output,
    };
    webpack({ ...config, optimization: { minimize: false } }, (error, result) => (error ? fail(error) : done(result)));
  });
  assert.ok(!stats.hasErrors(), stats.toString());
  assert.deepEqual(await run('webpack/dist/main.cjs'), [-1, -2]);
});
