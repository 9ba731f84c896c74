// The built package in Chromium, as a page's <script type="module"> under a strict Content-Security-Policy.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import puppeteer from 'puppeteer-core';
import { documentedExamples } from '../../tools/examples.mjs';

const dist = fileURLToPath(new URL('../../dist/', import.meta.url));
const types = { '.js': 'text/javascript', '.wasm': 'application/wasm', '.map': 'application/json' };
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";

let server;
let browser;
let profile;
let origin;

before(async () => {
  server = createServer(({ url }, response) => {
    if (url === '/') {
      response.setHeader('Content-Security-Policy', policy);
      response.setHeader('Content-Type', 'text/html');
      response.end('<!doctype html><title>Broadloom</title>');
      return;
    }
    try {
      const file = readFileSync(join(dist, url));
      response.setHeader('Content-Type', types[extname(url)]);
      response.end(file);
    } catch {
      response.statusCode = 404;
      response.end();
    }
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  origin = `http://127.0.0.1:${server.address().port}`;
  profile = await mkdtemp(join(tmpdir(), 'broadloom-'));
  browser = await puppeteer.launch({
    executablePath: '/usr/bin/chromium',
    userDataDir: profile,
    args: '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync'.split(
      ' ',
    ),
  });
});

after(async () => {
  await browser?.close();
  server?.close();
  if (profile) await rm(profile, { recursive: true, force: true });
});

test('every documented example gives its output in Chromium under a strict Content-Security-Policy', async () => {
  const page = await browser.newPage();
  const complaints = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(`${origin}/`);
  const results = await page.evaluate(async (examples) => {
    const { load } = await import('/index.js');
    const ops = await load();
    const results = examples.map(({ operator, inputs, attributes }) =>
      ops.scope(() => {
        const [{ type, dims, data }] = ops.run(operator, inputs, attributes);
        return { type, dims, data: Array.from(data, Number) };
      }),
    );
    return { results, live: ops.memory().liveTensors };
  }, documentedExamples());
  assert.deepEqual(complaints, []);
  assert.equal(results.live, 0);
  assert.deepEqual(
    results.results,
    documentedExamples().map(({ output: { type, dims, data } }) => ({ type, dims, data })),
  );
});
