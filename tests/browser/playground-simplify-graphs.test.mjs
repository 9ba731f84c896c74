// The playground's tab "Simplify": the drawings of both graphs, large models, and work that is stopped or fails.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { writeSparseModel } from '../../tools/models/sparse.mjs';
import { input, node, output } from '../../tools/models/writer.mjs';
import { choose, made, madeFile, press, textOf } from './helpers/models.mjs';
import {
  countAfter,
  inUsualBrowsers,
  openSample as openSampleButton,
  type,
  waitForText,
} from './helpers/playground.mjs';

const site = fileURLToPath(new URL('../../build/playground/', import.meta.url));

async function openSample(page, name) {
  await openSampleButton(page, name);
  await page.waitForSelector('#simplify-result');
}

/** The number of drawn pixels of a canvas. Reads a copy, because browsers warn of canvases that are read often. */
const inked = (page, id) =>
  page.$eval(`#${id}`, (canvas) => {
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true });
    copy.drawImage(canvas, 0, 0);
    const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let i = 3; i < data.length; i += 4) count += data[i] > 0;
    return count;
  });

/** Looks for half a minute, until what it sees is wanted. */
async function seen(look, isWanted) {
  let now = await look();
  for (let tries = 0; tries < 600 && !isWanted(now); tries++) {
    await new Promise((go) => setTimeout(go, 50));
    now = await look();
  }
  assert.ok(isWanted(now), `${now} was seen last`);
  return now;
}

/** Waits until `isWanted` holds for the number of drawn pixels of a canvas. */
const inkedWhen = (page, id, isWanted) => seen(() => inked(page, id), isWanted);

/** Waits until the drawing on a canvas changes. */
const inkedAfter = (page, id, before) => inkedWhen(page, id, (now) => now !== before);

const chain = (count) => [
  ...Array.from({ length: count }, (_, i) => node('Neg', `neg_${i}`, [`v${i}`], [`v${i + 1}`])),
  input('v0', 'float32', ['n']),
  output(`v${count}`, 'float32', ['n']),
];

/** The package's script of workers, which spoils the memory of its runtime when a batch of 7 is wished. */
function fragileWorker() {
  const assets = readdirSync(join(site, 'assets')).filter((file) => /^worker-.*\.js$/.test(file));
  const contents = assets.map((file) => [`assets/${file}`, readFileSync(join(site, 'assets', file), 'utf8')]);
  const [path, script] = contents.find(([, text]) => text.includes('broadloom/worker is the script of a worker'));
  const spoils = `
    let memory;
    WebAssembly.Memory = class extends WebAssembly.Memory {
      constructor(sizes) {
        super(sizes);
        memory = this;
      }
    };
    addEventListener('message', ({ data }) => {
      if (data.method === 'simplify' && data.args[1].dims.batch === 7) new Uint8Array(memory.buffer).fill(255);
    });
  `;
  return { [path]: `${spoils}\n${script}` };
}

inUsualBrowsers((name, visit) => {
  test(`both graphs are drawn, and can be moved and selected from by keyboard and pointer, in ${name}`, async (t) => {
    const { page, complaints } = await visit(t, { hash: '/simplify' });
    await openSample(page, 'parts');
    const before = await inkedAfter(page, 'simplify-before', 0);
    const afterwards = await inkedAfter(page, 'simplify-after', 0);
    assert.ok(afterwards < before, `${afterwards} ${before}`);
    await press(page, '#simplify-before', '+');
    const larger = await inkedAfter(page, 'simplify-before', before);
    await inkedAfter(page, 'simplify-after', afterwards); // both show the same part
    await press(page, '#simplify-after', 'ArrowUp');
    await inkedAfter(page, 'simplify-before', larger);
    for (let i = 0; i < 30; i++) await page.keyboard.press('ArrowLeft');
    await inkedWhen(page, 'simplify-before', (now) => now === 0);
    await page.keyboard.press('0');
    await inkedAfter(page, 'simplify-before', 0);

    await press(page, '#simplify-list');
    await press(page, '.simplify-list tbody tr:nth-child(2) button');
    await waitForText(page, '.simplify-chosen', 'BatchNormalization normalize');
    assert.match(await textOf(page, '.simplify-chosen'), /makes normal/);
    // The chosen node is in the middle now.
    await page.$eval('#simplify-after', (canvas) => canvas.scrollIntoView({ block: 'center' }));
    const { x, y, width, height } = await page.$eval('#simplify-after', (canvas) =>
      canvas.getBoundingClientRect().toJSON(),
    );
    await page.mouse.click(x + 10, y + 10);
    await waitForText(page, '.simplify-chosen', 'Choose a node');
    await page.mouse.click(x + width / 2, y + height / 2);
    await waitForText(page, '.simplify-chosen', 'BatchNormalization normalize');
    assert.deepEqual(complaints, []);
  });

  test(`the wheel scrolls the page past a drawing without focus in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/simplify' });
    await openSample(page, 'parts');
    const ink = await inkedAfter(page, 'simplify-before', 0);
    await page.$eval('#simplify-before', (canvas) => canvas.scrollIntoView({ block: 'center' }));
    const place = () => page.$eval('#simplify-before', (canvas) => canvas.getBoundingClientRect().toJSON());
    const { x, y } = await place();
    await page.mouse.move(x + 100, y + 100);
    const start = await page.evaluate(() => scrollY);
    await page.mouse.wheel({ deltaY: -200 });
    await page.waitForFunction((from) => scrollY < from, {}, start);
    assert.equal(await inked(page, 'simplify-before'), ink);
    await page.focus('#simplify-before');
    const { y: now } = await place();
    await page.mouse.move(x + 100, now + 100);
    await page.mouse.wheel({ deltaY: -200 });
    await inkedAfter(page, 'simplify-before', ink);
  });

  test(`a chain of 4,000 nodes is drawn and listed, one of 4,001 only simplified, in ${name}`, async (t) => {
    const { page, complaints } = await visit(t, { hash: '/simplify' });
    await choose(page, made('long.onnx', chain(4000)));
    await waitForText(page, '#models-name', 'long.onnx');
    await page.waitForSelector('#simplify-before');
    const collapsed = await inkedAfter(page, 'simplify-before', 0);
    await press(page, '#simplify-list');
    await waitForText(page, '.simplify-list tbody', '3,999 more blocks like the one above');
    await press(page, '#simplify-collapse', ' ');
    await inkedAfter(page, 'simplify-before', collapsed);
    assert.equal((await page.$$('.simplify-list tbody tr')).length, 50);
    await press(page, '#simplify-more');
    await page.waitForFunction(() => document.querySelectorAll('.simplify-list tbody tr').length === 250);
    await choose(page, made('longer.onnx', chain(4001)));
    await waitForText(page, '[aria-labelledby="simplify-graph"]', 'more than 4,000 nodes');
    assert.equal(await page.$('#simplify-before'), null);
    assert.deepEqual(complaints, []);
  });

  test(`a file of 614 MB is simplified, and not drawn, in ${name}`, async (t) => {
    const { page, complaints } = await visit(t, { hash: '/simplify' });
    const file = madeFile('large.onnx', '');
    writeSparseModel(file, 150_000 * 4096);
    await choose(page, file);
    await waitForText(page, '[aria-labelledby="simplify-graph"]', 'too large to draw');
    assert.equal(await page.$('#simplify-before'), null);
    assert.deepEqual([await countAfter(page, 'MatMul'), await countAfter(page, 'Shape')], [1, 0]);
    assert.deepEqual(complaints, []);
  });

  test(`Stop ends the work, and the next run does not wait for it, in ${name}`, async (t) => {
    const { page, complaints } = await visit(t, { hash: '/simplify' });
    const long = [...chain(200_000), node('Neg', 'short', ['v0'], ['y']), output('y', 'float32', ['n'])];
    await choose(page, made('slow.onnx', long));
    await waitForText(page, '.simplify-form .quiet', 'Stop');
    const before = page.workers().length;
    await press(page, '.simplify-form .quiet');
    await page.waitForFunction(() => document.querySelector('.simplify-form .quiet') === null);
    assert.equal(await page.evaluate(() => document.activeElement.id), 'simplify-run');
    assert.equal(await page.$('.simplify [role=alert]'), null);
    await seen(
      () => page.workers().length,
      (now) => now === before - 1,
    );
    await press(page, '.simplify-form input[type=checkbox]', ' ');
    await press(page, '#simplify-run');
    await page.waitForSelector('#simplify-result');
    assert.equal(await countAfter(page, 'Neg'), 1);
    assert.deepEqual(complaints, []);
  });

  test(`a run for another form does not wait for the one before, and the same form does not run twice, in ${name}`, async (t) => {
    const { page, complaints } = await visit(t, { hash: '/simplify' });
    const long = [...chain(200_000), node('Neg', 'short', ['v0'], ['y']), output('y', 'float32', ['n'])];
    await choose(page, made('slow.onnx', long));
    await page.waitForSelector('#simplify-stop');
    const workers = new Set(page.workers());
    await press(page, '#simplify-run');
    await press(page, '.simplify-form input[type=checkbox]', ' ');
    assert.ok(page.workers().every((worker) => workers.has(worker)));
    await press(page, '#simplify-run');
    await page.waitForSelector('#simplify-result');
    assert.equal(await countAfter(page, 'Neg'), 1);
    assert.equal(page.workers().length, workers.size);
    assert.ok(!page.workers().every((worker) => workers.has(worker)));
    assert.deepEqual(complaints, []);
  });

  test(`after an error in WebAssembly the next run has another worker in ${name}`, async (t) => {
    // In Chromium without windows the worker's call with a spoilt memory does not end.
    const { page, complaints } = await visit(t, { hash: '/simplify', pages: fragileWorker(), isWhole: true });
    await openSample(page, 'parts');
    await type(page, 'dim:0', '7');
    await page.keyboard.press('Enter');
    await waitForText(page, '.simplify-form [role=alert] .problem', 'the runtime in the worker has ended by an error');
    await type(page, 'dim:0', '8');
    await page.keyboard.press('Enter');
    await page.waitForFunction(
      () =>
        document.querySelector('.simplify-form [role=alert]') === null &&
        !document.querySelector('#simplify-result ~ .simplify-buttons').textContent.includes('has changed'),
    );
    assert.deepEqual(complaints, []);
  });
});
