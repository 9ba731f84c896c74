// The built package in browsers, as a page's <script type="module"> under a strict Content-Security-Policy.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { documentedExamples } from '../../tools/examples.mjs';
import { browserNames, launch } from './helpers/browsers.mjs';
import { serve } from './helpers/server.mjs';

const dist = fileURLToPath(new URL('../../dist/', import.meta.url));
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";
const pages = { 'index.html': '<!doctype html><title>Broadloom</title>' };

let server;

before(async () => {
  server = await serve(dist, { policy, pages });
});
after(() => server.close());

for (const name of browserNames) {
  test(`every documented example gives its output in ${name} under a strict Content-Security-Policy`, async (t) => {
    const { browser, close } = await launch(name);
    t.after(close);
    const page = await browser.newPage();
    const complaints = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.goto(server.address);
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
    // Firefox asks for an icon of its own accord, and the policy allows no images.
    assert.deepEqual(
      complaints.filter((text) => !text.includes('/favicon.ico')),
      [],
    );
    assert.equal(results.live, 0);
    assert.deepEqual(
      results.results,
      documentedExamples().map(({ output: { type, dims, data } }) => ({ type, dims, data })),
    );
  });
}
