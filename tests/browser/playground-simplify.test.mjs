// The playground's tab "Simplify": its form, messages and result file.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { load } from '../../dist/inline.js';
import { bytes, initializer, input, integer, node, output } from '../../tools/models/writer.mjs';
import { choose, made, madeFile, press, textOf } from './helpers/models.mjs';
import {
  countAfter,
  dropFile,
  inUsualBrowsers,
  openSample as openSampleButton,
  type,
  waitForText,
} from './helpers/playground.mjs';

const site = fileURLToPath(new URL('../../build/playground/', import.meta.url));
const real = join(site, 'simplify/real');

async function openSample(page, name) {
  await openSampleButton(page, name);
  await page.waitForSelector('#simplify-result');
}

const valueIn = (page, id) => page.$eval(`[id="${id}"]`, ({ value }) => value);

inUsualBrowsers((name, visit) => {
  test(`a model is simplified as its form says, and the result can be saved, in ${name}`, async (t) => {
    const { page, complaints, violations } = await visit(t, { hash: '/simplify' });
    await openSample(page, 'parts');
    assert.equal(await countAfter(page, 'Shape'), 0);
    assert.equal(await countAfter(page, 'If'), 1);
    await waitForText(page, '[aria-labelledby="simplify-kept"]', 'If choose');
    await press(page, '[aria-labelledby="simplify-kept"] .simplify-fix');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'value:1');
    await page.keyboard.type('0');
    await waitForText(page, '#simplify-result ~ .simplify-buttons', 'The form has changed');
    await page.keyboard.press('Enter');
    await page.waitForFunction(
      () => !document.querySelector('#simplify-result ~ .simplify-buttons').textContent.includes('has changed'),
    );
    assert.equal(await countAfter(page, 'If'), 0);
    assert.match(await textOf(page, '[aria-labelledby="simplify-passes"]'), /1 If decided/);
    const saved = await page.evaluate(
      () =>
        new Promise((resolve) => {
          URL.createObjectURL = (blob) => {
            blob.arrayBuffer().then((buffer) => resolve([...new Uint8Array(buffer)]));
            return '#';
          };
          HTMLAnchorElement.prototype.click = function () {
            globalThis.savedName = this.download;
          };
          document.getElementById('simplify-download').click();
        }),
    );
    assert.equal(await page.evaluate(() => globalThis.savedName), 'parts.simplified.onnx');
    const ops = await load();
    const result = ops.loadModel(Uint8Array.from(saved), { allowUnsupported: true });
    assert.deepEqual(
      result.inputs.map(({ name: input, dims }) => [input, dims]),
      [['image', [1, 3, 8, 8]]],
    );
    assert.ok(result.nodes.every(({ operator }) => operator !== 'If' && operator !== 'Shape'));
    await press(page, '#simplify-compare');
    await page.waitForSelector('#models-tab-compare[aria-selected=true]');
    await waitForText(page, '#models-compare', 'Compared with parts.simplified.onnx');
    await waitForText(page, '#models-compare ~ [role=status]', 'only in A');
    assert.deepEqual(complaints, []);
    assert.deepEqual(await violations(), []);
  });

  test(`an unknown size has its reason, and its advice fills the field, in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/simplify' });
    await openSample(page, 'parts');
    await type(page, 'dim:0', '');
    await press(page, '#simplify-run');
    await waitForText(page, '#simplify-dynamic ~ *', 'Axis 0 of input image is open (batch)');
    await waitForText(page, '[aria-labelledby="simplify-dynamic"] .simplify-fix', 'Set batch to 1');
    await press(page, '[aria-labelledby="simplify-dynamic"] .simplify-fix');
    assert.equal(await valueIn(page, 'dim:0'), '1');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'dim:0');
    await page.keyboard.type('7'); // over what was filled in, which is selected
    await page.keyboard.press('Enter');
    await waitForText(page, '#simplify-dynamic ~ *', 'every size is known');
    assert.equal(await valueIn(page, 'dim:0'), '7');
  });

  test(`unselected outputs are removed with the nodes that only they need in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/simplify' });
    await openSample(page, 'parts');
    assert.equal(await countAfter(page, 'Add'), 1);
    await press(page, '.simplify-form fieldset:nth-of-type(3) input', ' ');
    await press(page, '#simplify-run');
    await page.waitForFunction(
      () => !document.querySelector('#simplify-result ~ .simplify-buttons').textContent.includes('has changed'),
    );
    assert.equal(await countAfter(page, 'Add'), 0);
    assert.equal(await countAfter(page, 'Reshape'), 1);
  });

  test(`an invalid text is reported at its field, and an error of the library below the form, in ${name}`, async (t) => {
    const { page, complaints } = await visit(t, { hash: '/simplify' });
    await openSample(page, 'parts');
    await type(page, 'dim:0', 'one');
    await page.keyboard.press('Enter');
    await waitForText(page, '[id="dim:0:problem"]', 'expected a whole number');
    await type(page, 'dim:0', '1');
    await page.waitForFunction(() => document.getElementById('dim:0:problem') === null);
    await type(page, 'value:1', '1, 2');
    await page.keyboard.press('Enter');
    await waitForText(page, '[id="value:1:problem"]', '2');
    await type(page, 'value:1', '');
    await type(page, 'dim:0', '-3');
    await page.keyboard.press('Enter');
    await waitForText(page, '.simplify-form [role=alert] .problem', "'batch' is -3");
    assert.deepEqual(complaints, []);
  });

  test(`a file that is not a model is refused in the library's words in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/simplify' });
    await choose(page, fileURLToPath(import.meta.url));
    await waitForText(page, '[role=alert] .problem', 'not an ONNX file, but');
  });

  test(`a model can be dropped anywhere on the page in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/simplify' });
    await page.waitForSelector('#models-file');
    await dropFile(page, 'dropped.onnx', readFileSync(join(site, 'simplify/parts.onnx')));
    await waitForText(page, '#models-name', 'dropped.onnx');
    await page.waitForSelector('#simplify-result');
  });

  test(`constants are folded from an external file in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/simplify' });
    const outside = bytes(5, [
      ...[integer(1, 2), integer(2, 7), bytes(8, 'halves'), integer(14, 1)],
      bytes(13, [bytes(1, 'location'), bytes(2, 'halves.bin')]),
    ]);
    const file = made('outside.onnx', [
      node('Add', 'double', ['halves', 'halves'], ['shape']),
      node('Reshape', 'reshape', ['x', 'shape'], ['y']),
      outside,
      input('x', 'float32', [8]),
      output('y', 'float32', [2, 4]),
    ]);
    const halves = madeFile('halves.bin', Buffer.from(BigInt64Array.of(1n, 2n).buffer));
    await choose(page, file);
    await page.waitForSelector('#simplify-result');
    assert.equal(await countAfter(page, 'Add'), 1);
    assert.match(await textOf(page, '[aria-labelledby="simplify-files"]'), /needs in its folder\s*halves\.bin\s*$/);
    const isFolded = () =>
      page.waitForFunction(() =>
        [...document.querySelectorAll('.simplify-operators tr')].some(
          ({ cells }) => cells[0].textContent === 'Add' && cells[2].textContent.trim() === '0',
        ),
      );
    await type(page, 'unroll', '3');
    await choose(page, halves); // for the model that is open, whose form stays
    await isFolded();
    assert.match(await textOf(page, '#models-name'), /outside\.onnx/);
    assert.equal(await valueIn(page, 'unroll'), '3');
    assert.equal(await page.$('#models-files'), null);
    await choose(page, made('other.onnx', [node('Neg', '', ['x'], ['y']), input('x', 'float32', [1]), output('y', 'float32', [1])])); // biome-ignore format: one line
    await waitForText(page, '#models-name', 'other.onnx');
    await choose(page, file, halves);
    await isFolded();
  });

  test(`names of a model are shown as text in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/simplify' });
    const graph = [
      node('Mul', '<b>bold</b>', ['x\u202e', 'two'], ['y']),
      initializer('two', [], [2]),
      input('x\u202e', 'float32', ['n\u202e']),
      output('y', 'float32', ['n\u202e']),
    ];
    await choose(page, made('names.onnx', graph));
    await page.waitForSelector('#simplify-result');
    assert.equal(await textOf(page, 'label[for="dim:0"]'), 'Set n\\u202e to');
    await press(page, '#simplify-list');
    assert.match(await textOf(page, '.simplify-list tbody'), /<b>bold<\/b>/);
    assert.ok(!(await textOf(page, 'main')).includes('\u202e'));
  });

  test(`the real samples have their licences, and are downloaded only on request, in ${name}`, async (t) => {
    const { page, server } = await visit(t, { hash: '/simplify' });
    await page.waitForSelector('[data-sample=parts]');
    const offered = await page.$$eval('[data-sample]', (buttons) => buttons.map(({ dataset }) => dataset.sample));
    let models = [];
    try {
      models = readdirSync(real).filter((file) => file.endsWith('.onnx'));
    } catch {} // built without the packages of tests/models
    assert.equal(offered.indexOf('parts'), models.length); // real models first
    const worker = readFileSync(join(site, 'service-worker.js'), 'utf8');
    assert.ok(worker.includes('simplify/parts.onnx') && !worker.includes('simplify/real'));
    assert.ok(!server.requests.some((path) => path.includes('/simplify/real/')));
    if (models.length === 0) return;
    assert.match(await textOf(page, '.models'), /MIT, Silero Team.*Apache-2\.0, PaddlePaddle Authors/s);
    const licences = readFileSync(join(real, 'LICENSES.txt'), 'utf8');
    for (const part of [...models, 'MIT License', 'ISC License', 'Apache License'])
      assert.ok(licences.includes(part), part);
    for (const sample of offered.slice(0, models.length)) {
      await openSampleButton(page, sample);
      await page.waitForFunction(
        (file) =>
          document.getElementById('models-name')?.textContent.includes(file) &&
          document.getElementById('simplify-before') !== null,
        {},
        { silero: 'silero_vad_v5', ppocr: 'PP-OCRv4_rec', ppocrDetection: 'PP-OCRv4_det' }[sample],
      );
      assert.equal(await page.$('.simplify [role=alert]'), null);
    }
  });
});
