// The built package on misconfigured servers: load() reports the problem, and works once the server is fixed.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import { browserNames, launch } from './helpers/browsers.mjs';

const read = (file) => readFile(new URL(`../../dist/${file}`, import.meta.url));
const page = { type: 'text/html', body: '<!doctype html><title>Broadloom</title>' };
const scriptOf = async (file) => ({ type: 'text/javascript', body: await read(file) });
const script = await scriptOf('index.js');
const errors = await scriptOf('error.js');
const wasm = { type: 'application/wasm', body: await read('broadloom.wasm') };
const strictPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";

const launched = new Map(browserNames.map((name) => [name, launch(name)]));
after(async () => {
  for (const { close } of await Promise.all(launched.values())) await close();
});

/**
 * A blank page of a server that answers with the current `answers`. `load()` resolves to the elements of a first
 * expand, or to the error's code and message; `import()` imports the package and no more.
 */
async function visit(t, name, { policy = strictPolicy, at = '/index.js' } = {}) {
  const answers = { '/': page, [at]: script, [at.replace(/[^/]*$/, 'error.js')]: errors, '/broadloom.wasm': wasm };
  const requests = [];
  const server = createServer((request, response) => {
    requests.push(request.url);
    const { status = 200, type = '', body = '' } = answers[request.url] ?? { status: 404 };
    response.writeHead(status, { 'Content-Type': type, 'Content-Security-Policy': policy }).end(body);
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  const stop = () => {
    server.closeAllConnections();
    return new Promise((stopped) => server.close(stopped));
  };
  const { browser } = await launched.get(name);
  const visitor = await browser.createBrowserContext();
  t.after(async () => {
    await visitor.close();
    await stop();
  });
  const tab = await visitor.newPage();
  const address = `http://127.0.0.1:${server.address().port}`;
  await tab.goto(address);
  requests.length = 0;
  const load = () =>
    tab.evaluate(async (file) => {
      const { load, OnnxError } = await import(file);
      try {
        const ops = await load();
        return Array.from(ops.expand(ops.tensor('float32', [1, 2], [2, 1]), [2, 2]).data);
      } catch (error) {
        return { isOnnxError: error instanceof OnnxError, code: error.code, message: error.message };
      }
    }, at);
  const importOnly = () => tab.evaluate((file) => import(file).then(() => {}), at);
  return { answers, requests, stop, address, load, import: importOnly };
}

const works = [1, 1, 2, 2];

function assertSays({ isOnnxError, code, message }, what, reason) {
  assert.deepEqual({ isOnnxError, code }, { isOnnxError: true, code: 'INVALID_ARGUMENT' });
  assert.ok(message.startsWith(`load: ${what}`), message);
  assert.match(message, reason);
}

for (const name of browserNames) {
  test(`importing asks for the script alone, and load() for the wasm file, once, in ${name}`, async (t) => {
    const visitor = await visit(t, name);
    await visitor.import();
    await new Promise((waited) => setTimeout(waited, 100));
    assert.deepEqual(visitor.requests, ['/index.js', '/error.js']);
    assert.deepEqual(await visitor.load(), works);
    assert.deepEqual(await visitor.load(), works);
    assert.deepEqual(visitor.requests, ['/index.js', '/error.js', '/broadloom.wasm']);
  });

  const troubles = [
    ['the server has no wasm file', { status: 404 }, /status 404/],
    ['the server answers with a page instead', page, /magic/],
  ];
  for (const [what, answer, reason] of troubles) {
    test(`load() says that ${what}, and a later one works, in ${name}`, async (t) => {
      const { address, answers, load } = await visit(t, name);
      answers['/broadloom.wasm'] = answer;
      assertSays(
        await load(),
        `no wasm module at ${address}/broadloom.wasm: serve it there, pass load({ wasm }) or import broadloom/inline`,
        reason,
      );
      answers['/broadloom.wasm'] = wasm;
      assert.deepEqual(await load(), works);
    });
  }

  test(`load() says that the server is gone in ${name}`, async (t) => {
    const visitor = await visit(t, name);
    await visitor.import();
    await visitor.stop();
    assertSays(await visitor.load(), `no wasm module at ${visitor.address}/broadloom.wasm`, /fetch/);
  });

  test(`load() says that the Content-Security-Policy does not allow wasm in ${name}`, async (t) => {
    const { load } = await visit(t, name, { policy: "default-src 'self'" });
    assertSays(await load(), 'no wasm module at', /Content Security Policy|CSP/);
  });

  test(`a wasm file of an unknown type is taken in ${name}`, async (t) => {
    const { answers, load } = await visit(t, name);
    answers['/broadloom.wasm'] = { ...wasm, type: 'application/octet-stream' };
    assert.deepEqual(await load(), works);
  });

  test(`load() finds the wasm file from where Vite before version 8 moves the script in ${name}`, async (t) => {
    const { answers, load } = await visit(t, name, { at: '/node_modules/.vite/deps/broadloom.js?v=1' });
    answers['/node_modules/broadloom/dist/broadloom.wasm'] = wasm;
    assert.deepEqual(await load(), works);
  });
}
