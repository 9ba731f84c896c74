// Workers of pages that make it hard: policies for Trusted Types, classic scripts, a script that is not there.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { usualBrowsers as browserNames, launch } from './helpers/browsers.mjs';

const dist = fileURLToPath(new URL('../../dist/', import.meta.url));
const scripts = ['error.js', 'index.js', 'inline.js', 'remote.js', 'worker.js', 'onnxruntime.js'];

/** A classic script of one of the package's files, as a bundler makes it. */
async function classic(source, globalName) {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: dist },
    bundle: true,
    format: 'iife',
    logLevel: 'error',
    write: false,
    ...(globalName && { globalName }),
  });
  return outputFiles[0].text;
}

const page = '<!doctype html><title>Broadloom</title>';
const files = {
  '/': ['text/html', page],
  '/classic.html': ['text/html', `${page}<script src="/classic.js"></script>`],
  '/classic.js': ['text/javascript', await classic("export * from './inline.js'", 'broadloom')],
  // The worker's script as a text: the recipe of the guide.
  '/classic-worker.js': ['text/javascript', await classic("import './worker.js'")],
  '/broadloom.wasm': ['application/wasm', readFileSync(`${dist}broadloom.wasm`)],
  ...Object.fromEntries(scripts.map((name) => [`/${name}`, ['text/javascript', readFileSync(dist + name)]])),
};

const policy = (more) =>
  `default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:; connect-src 'self'; ${more}`;

const launched = new Map(browserNames.map((name) => [name, launch(name)]));
after(async () => {
  for (const { close } of await Promise.all(launched.values())) await close();
});

/** A page of a server that lacks the files `missing`. */
async function visit(t, name, { path = '/', more = '', missing = [] } = {}) {
  const server = createServer(({ url }, response) => {
    const [type, body] = missing.includes(url) ? [] : (files[url] ?? []);
    const headers = { 'Content-Type': type ?? 'text/plain', 'Content-Security-Policy': policy(more) };
    response.writeHead(body === undefined ? 404 : 200, headers).end(body);
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  const { browser } = await launched.get(name);
  const visitor = await browser.createBrowserContext();
  t.after(async () => {
    await visitor.close();
    server.closeAllConnections();
    await new Promise((stopped) => server.close(stopped));
  });
  const tab = await visitor.newPage();
  const address = `http://127.0.0.1:${server.address().port}`;
  await tab.goto(address + path);
  return { tab, address };
}

/** In a page: what an operator gives in a worker, or the error. */
async function tryWorker(file) {
  const { loadInWorker, OnnxError } = await import(file);
  try {
    const remote = await loadInWorker();
    const [{ data }] = await remote.run('Neg', [{ type: 'float32', dims: [2], data: Float32Array.of(1, 2) }]);
    remote.terminate();
    return { data: [...data], isOwn: /native code/.test(String(Worker)) };
  } catch (error) {
    return { isOnnxError: error instanceof OnnxError, code: error.code, message: error.message };
  }
}

const works = { data: [-1, -2], isOwn: true };

for (const name of browserNames) {
  test(`${name}: a page that requires Trusted Types starts workers by the policy 'broadloom'`, async (t) => {
    for (const more of [
      "require-trusted-types-for 'script'; trusted-types broadloom",
      "require-trusted-types-for 'script'",
    ]) {
      const { tab } = await visit(t, name, { more });
      for (const file of ['/index.js', '/inline.js']) assert.deepEqual(await tab.evaluate(tryWorker, file), works);
    }
  });

  test(`${name}: with env.wasm.proxy, a session of such a page runs in a worker`, async (t) => {
    const { tab } = await visit(t, name, { more: "require-trusted-types-for 'script'; trusted-types broadloom" });
    const result = await tab.evaluate(async () => {
      const { load } = await import('/index.js');
      const ops = await load();
      const { 'model.onnx': file } = ops.nodeModel('Neg', [ops.tensor('float32', [1, 2])]);
      const ort = await import('/onnxruntime.js');
      ort.env.wasm.proxy = true;
      const session = await ort.InferenceSession.create(file);
      const feeds = { [session.inputNames[0]]: new ort.Tensor('float32', [1, 2], [2]) };
      const outputs = await session.run(feeds);
      return [...outputs[session.outputNames[0]].data];
    });
    assert.deepEqual(result, [-1, -2]);
  });

  test(`${name}: a page that allows no such policy is told what to pass`, async (t) => {
    const { tab } = await visit(t, name, { more: "require-trusted-types-for 'script'; trusted-types other" });
    const isEnforced = await tab.evaluate(() => 'trustedTypes' in globalThis);
    const result = await tab.evaluate(tryWorker, '/index.js');
    if (!isEnforced) return assert.deepEqual(result, works);
    assert.deepEqual({ ...result, message: '' }, { isOnnxError: true, code: 'INVALID_ARGUMENT', message: '' });
    assert.match(result.message, /^loadInWorker: no worker \(.*TrustedScriptURL.*\): pass \{ worker \}/);
  });

  test(`${name}: the error of a worker's script that is not there has its address`, async (t) => {
    const { tab, address } = await visit(t, name, { missing: ['/worker.js'] });
    const { isOnnxError, code, message } = await tab.evaluate(tryWorker, '/index.js');
    assert.deepEqual({ isOnnxError, code }, { isOnnxError: true, code: 'INVALID_ARGUMENT' });
    assert.ok(message.startsWith('loadInWorker: the worker failed'), message);
    assert.ok(message.includes(`${address}/worker.js`), message);
  });

  test(`${name}: a classic script says that it does not know where the worker's is, and takes one of a Blob`, async (t) => {
    const { tab } = await visit(t, name, { path: '/classic.html' });
    const [refused, result] = await tab.evaluate(async () => {
      const { broadloom } = globalThis;
      const refused = await broadloom.loadInWorker().catch(({ code, message }) => [code, message]);
      const script = await (await fetch('/classic-worker.js')).text();
      const address = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
      const remote = await broadloom.loadInWorker({ worker: () => new Worker(address) });
      const [{ data }] = await remote.run('Neg', [{ type: 'float32', dims: [2], data: Float32Array.of(1, 2) }]);
      return [refused, [...data]];
    });
    assert.deepEqual(refused, [
      'INVALID_ARGUMENT',
      'loadInWorker: no worker (a classic script does not know where it is): pass { worker }, a Worker whose script imports broadloom/worker',
    ]);
    assert.deepEqual(result, [-1, -2]);
  });
}
