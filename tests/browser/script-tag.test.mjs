// dist/global.js, the package as a classic script: a page has it and nothing else.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { root, version } from '../../tools/run.mjs';
import { launch, patience, usualBrowsers } from './helpers/browsers.mjs';
import { serve } from './helpers/server.mjs';

const html = await readFile(`${root}/tests/consumers/script-tag/index.html`, 'utf8');
const file = 'node_modules/broadloom/dist/global.js';
const read = (name) => readFile(`${root}/dist/${name}`);
const launched = new Map(usualBrowsers.map((name) => [name, launch(name)]));
after(async () => {
  for (const { close } of await Promise.all(launched.values())) await close();
});

/** Opens a page of a server with the package's dist at `path`. Returns the tab, and what it asks the server for. */
async function visit(t, name, path, script, { pages = {} } = {}) {
  const server = await serve(`${root}/dist`, {
    path,
    pages: { 'page.html': html.replace(file, script).replace('<script src="main.js"></script>', ''), ...pages },
  });
  const { browser } = await launched.get(name);
  const visitor = await browser.createBrowserContext();
  t.after(async () => {
    await visitor.close();
    await server.close();
  });
  const tab = await visitor.newPage();
  tab.setDefaultTimeout(patience);
  await tab.goto(new URL('page.html', server.address).href);
  return { tab, requests: server.requests };
}

const shows = (tab) => tab.waitForFunction(() => document.body.textContent.includes('float32 [3, 2]'));

for (const name of usualBrowsers) {
  test(`a page with one script tag runs an operator, and fetches the script and the wasm file alone, in ${name}`, async (t) => {
    const { tab, requests } = await visit(t, name, '/dist/', 'global.js');
    await shows(tab);
    const asked = requests.filter((path) => path !== '/favicon.ico');
    assert.deepEqual(asked, ['/dist/page.html', '/dist/global.js', '/dist/broadloom.wasm']);
  });

  test(`the script has all that the package exports, one global, and its workers, in ${name}`, async (t) => {
    const { tab } = await visit(t, name, '/dist/', 'global.js?v=1/2#a');
    await shows(tab);
    const found = await tab.evaluate(async () => {
      const module = await import('./index.js');
      const ops = await broadloom.load();
      const x = ops.tensor('float32', [1, 2], [2]);
      const remote = await broadloom.loadInWorker();
      const model = await remote.loadModel(ops.nodeModel('Neg', [x])['model.onnx']);
      const { Y: y } = await model.run({ X: x });
      remote.terminate();
      return {
        missing: Object.keys(module).filter((key) => !(key in broadloom)),
        count: Object.keys(module).length,
        y: [...y.data],
      };
    });
    assert.deepEqual([found.missing, found.y], [[], [-1, -2]]);
    assert.ok(found.count > 5);
  });

  test(`a CDN's short address stands for this version of the package, in ${name}`, async (t) => {
    const wasm = `npm/broadloom@${version}/dist/broadloom.wasm`;
    for (const short of ['npm/broadloom', 'broadloom@0', `npm/broadloom@${version}`]) {
      const from = short.startsWith('npm/') ? wasm : wasm.slice(4);
      const pages = { [short]: await read('global.js'), [from]: await read('broadloom.wasm') };
      const { tab, requests } = await visit(t, name, '/', `/${short}`, { pages });
      await shows(tab);
      assert.deepEqual(
        requests.filter((path) => path !== '/favicon.ico'),
        ['/page.html', `/${short}`, `/${from}`],
      );
    }
  });
}
