// The desk of the page "Models": the drawing, the list and the panel beside them, with values of weights and of runs.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { generatedModels } from '../../tools/models/generated.mjs';
import { bytes, initializer, input, integer, model, node, output } from '../../tools/models/writer.mjs';
import { inUsualBrowsers, openTab, type, waitForText } from './helpers/playground.mjs';

const sample = (name) => fileURLToPath(new URL(`../../web-demo/public/samples/${name}`, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'broadloom-desk-'));
after(() => rmSync(folder, { recursive: true }));

function made(name, content) {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

/** y = (x + weights) * two, and a Gather whose indices are the input's. */
const small = () =>
  made(
    'small.onnx',
    model('small', [
      node('Add', 'sum', ['x', 'layer.weights'], ['total']),
      node('Mul', 'twice', ['total', 'two'], ['y']),
      initializer('layer.weights', [2, 3], [0, 1, 2, 0, -4, 5]),
      initializer('two', [], [2]),
      input('x', 'float32', [2, 3]),
      output('y', 'float32', [2, 3]),
    ]),
  );

async function choose(page, ...files) {
  await (await page.waitForSelector('#models-file')).uploadFile(...files);
}

async function press(page, selector, key = 'Enter') {
  await page.waitForSelector(selector);
  await page.focus(selector);
  await page.keyboard.press(key);
}

/** A press of a key while Shift is down. */
async function step(page, key) {
  await page.focus('#models-drawing');
  await page.keyboard.down('Shift');
  await page.keyboard.press(key);
  await page.keyboard.up('Shift');
}

/** Types the values of the first input. */
async function feed(page, values) {
  await page.select('[id="feed:0:kind"]', 'text');
  await page.waitForSelector('[id="feed:0:values"]');
  await type(page, 'feed:0:values', values);
}

const textOf = (page, selector) => page.$eval(selector, (element) => element.textContent.replace(/\s+/g, ' ').trim());

/** The button of the panel that has a name, by its label for screen readers. */
async function pressLabelled(page, label) {
  const selector = `.panel [aria-label="${label}"]`;
  await page.waitForSelector(selector);
  await press(page, selector);
}

inUsualBrowsers((name, visit) => {
  test(`a node is chosen in the drawing by keyboard and pointer, in the list and by the search, in ${name}`, async (t) => {
    const { page, complaints, violations } = await visit(t, { hash: '/models' });
    await choose(page, small());
    await page.waitForSelector('#models-drawing');
    await waitForText(page, '#panel-title', 'About the model');
    await type(page, 'nodes-text', 'twice');
    await waitForText(page, '#panel-title', 'Mul');
    await page.waitForSelector('.nodes-chosen#node-1');
    await type(page, 'nodes-text', '');
    await step(page, 'ArrowUp');
    await waitForText(page, '.panel-name', 'sum');
    await page.waitForSelector('.nodes-chosen#node-0');
    await page.keyboard.press('Escape');
    await waitForText(page, '#panel-title', 'About the model');
    await press(page, '#node-1 .nodes-choose');
    await waitForText(page, '.panel-name', 'twice');
    await page.keyboard.press('ArrowUp');
    assert.equal(await page.evaluate(() => document.activeElement.closest('.nodes-row').id), 'node-0');
    await step(page, 'ArrowDown');
    await waitForText(page, '.panel', 'Output of the model');
    await page.$eval('#models-drawing', (canvas) => canvas.scrollIntoView({ block: 'center' }));
    const { x, y } = await page.$eval('#models-drawing', (canvas) => canvas.getBoundingClientRect().toJSON());
    await page.mouse.click(x + 5, y + 5); // where no node is
    await waitForText(page, '#panel-title', 'About the model');
    assert.deepEqual(complaints, []);
    assert.deepEqual(await violations(), []);
  });

  test(`a weight shows its elements, statistics and histogram, and any value shows what a run gives, in ${name}`, async (t) => {
    const { page, complaints } = await visit(t, { hash: '/models' });
    await choose(page, small());
    await page.waitForSelector('#models-drawing');
    await press(page, '#node-0 .nodes-choose');
    await waitForText(page, '.panel-words', 'Adds');
    assert.match(await textOf(page, '.panel'), /Adds.*About Add.*layer\.weights float32 \[2, 3\] 24 B/);
    await pressLabelled(page, 'Elements of layer.weights');
    await waitForText(page, '.panel-looked [role=grid]', '-4');
    await page.waitForFunction(() => /Zeros\s*2/.test(document.querySelector('.panel-looked')?.textContent));
    assert.ok(await page.$('.panel-looked .picture-histogram rect'));
    await openTab(page, 'run');
    await feed(page, '1, 1, 1, 1, 1, 1');
    await openTab(page, 'graph');
    await pressLabelled(page, 'Value of total: run the model for it');
    await waitForText(page, '.panel-looked', 'float32 [2, 3]');
    await waitForText(page, '.panel-looked [role=grid]', '-3');
    assert.deepEqual(complaints, []);
  });

  test(`the panel tells who made the model, its opsets, inputs and initializers in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/models' });
    await choose(page, small());
    await page.waitForSelector('#models-drawing');
    const text = await textOf(page, '.panel');
    assert.match(text, /Opsets\s*ai\.onnx \d+/);
    assert.match(text, /Inputs x float32 \[2, 3\] Outputs y float32 \[2, 3\] Initializers \(2, 28 B\)/);
    await pressLabelled(page, 'Elements of two');
    await waitForText(page, '.panel-looked [role=gridcell]', '2');
    await pressLabelled(page, 'Close the elements');
    await page.waitForFunction(() => document.querySelector('.panel-looked') === null);
  });

  test(`an inner graph is opened and left by keyboard in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/models' });
    await choose(page, sample('keep-or-clear.onnx'));
    await page.waitForSelector('#models-drawing');
    await type(page, 'nodes-text', 'If');
    await waitForText(page, '#panel-title', 'If');
    assert.match(await textOf(page, '.panel'), /Open then_branch: \d+ node/);
    await press(page, '#models-drawing');
    await waitForText(page, '.models-ways', 'then_branch');
    await page.waitForSelector('model-graph[aria-busy=false]');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'models-drawing'); // the keys go on
    await page.keyboard.press('e');
    await page.keyboard.press('Enter');
    await waitForText(page, '#panel-title', 'kept');
    await page.keyboard.press('Backspace');
    await page.waitForFunction(() => document.querySelector('.models-ways') === null);
    await waitForText(page, '#panel-title', 'If');
  });

  test(`a node of a block that is collapsed is drawn when it is found in ${name}`, async (t) => {
    const { page, complaints } = await visit(t, { hash: '/models' });
    await choose(page, made('bert.onnx', generatedModels.bert({ layers: 6 })));
    await page.waitForSelector('#models-collapse');
    assert.equal(await page.$eval('#models-collapse', ({ checked }) => checked), true);
    await type(page, 'nodes-text', 'MatMul');
    await waitForText(page, '.nodes-steps', '1 of 48');
    for (let i = 0; i < 20; i++) await page.keyboard.press('Enter');
    await waitForText(page, '.nodes-steps', '21 of 48');
    assert.equal(await page.$eval('#models-collapse', ({ checked }) => checked), false);
    assert.deepEqual(complaints, []);
  });

  test(`a model opens with those files beside it that are there, and a run names the one that it lacks, in ${name}`, async (t) => {
    const { page, complaints } = await visit(t, { hash: '/models' });
    const outside = (name, location) =>
      bytes(5, [
        ...[integer(1, 3), integer(2, 1), bytes(8, name), integer(14, 1)],
        bytes(13, [bytes(1, 'location'), bytes(2, location)]),
      ]);
    const graph = [
      node('Add', 'sum', ['x', 'near'], ['total']),
      node('Mul', 'product', ['total', 'far'], ['y']),
      outside('near', 'near.bin'),
      outside('far', 'parts/far.bin'),
      input('x', 'float32', [3]),
      output('y', 'float32', [3]),
    ];
    const file = made('outside.onnx', model('outside', graph));
    const near = made('near.bin', Buffer.from(Float32Array.of(10, 20, 30).buffer));
    const far = made('far.bin', Buffer.from(Float32Array.of(2, 2, 2).buffer));
    await choose(page, file);
    await waitForText(page, '.models-lacks', '2 files with weights of the model are missing');
    assert.match(
      await textOf(page, '.models-lacks'),
      /near\.bin 1 initializer: near ?parts\/far\.bin 1 initializer: far/,
    );
    await choose(page, near);
    await waitForText(page, '.models-lacks', 'A file with weights of the model is missing');
    assert.match(await textOf(page, '.models-lacks'), /parts\/far\.bin 1 initializer: far$/);
    await openTab(page, 'run');
    await press(page, '#run');
    await waitForText(
      page,
      '#models-run ~ .problem',
      "the external data of 'far', in file 'parts/far.bin', was not given",
    );
    await feed(page, '1, 2, 3');
    await openTab(page, 'graph');
    await press(page, '#node-0 .nodes-choose');
    await pressLabelled(page, 'Value of total: run the model for it'); // which needs the one that is there
    await waitForText(page, '.panel-looked [role=grid]', '22');
    await choose(page, far);
    await page.waitForFunction(() => document.querySelector('.models-lacks') === null);
    await openTab(page, 'run');
    await press(page, '#run');
    await waitForText(page, '.models-output [role=grid]', '44');
    await choose(page, file, near, far);
    await page.waitForSelector('#run');
    assert.equal(await page.$('.models-lacks'), null);
    await page.reload();
    await page.waitForSelector('#run'); // the files beside it were kept, too
    assert.equal(await page.$('.models-lacks'), null);
    assert.deepEqual(complaints, []);
  });

  test(`a run can be stopped, and the model runs again, in ${name}`, async (t) => {
    const { page, complaints } = await visit(t, { hash: '/models' });
    const turns = 3e9;
    const body = [
      node('Identity', '', ['going'], ['still']),
      node('Identity', '', ['before'], ['next']),
      input('i', 'int64', []),
      input('going', 'bool', []),
      input('before', 'float32', [1]),
      output('still', 'bool', []),
      output('next', 'float32', [1]),
    ];
    const { graphAttribute } = await import('../../tools/models/writer.mjs');
    const graph = [
      node('Loop', 'long', ['turns', '', 'x'], ['y'], [graphAttribute('body', body)]),
      input('turns', 'int64', []),
      input('x', 'float32', [1]),
      output('y', 'float32', [1]),
    ];
    await choose(page, made('long.onnx', model('long', graph)));
    await openTab(page, 'run');
    await feed(page, String(turns));
    await press(page, '#run');
    await page.waitForSelector('#stop');
    await press(page, '#stop');
    await waitForText(page, '#models-run ~ p.muted', 'Stopped');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'run');
    await feed(page, '3');
    await press(page, '#run');
    await waitForText(page, '.models-output', 'float32 [1]');
    await feed(page, String(turns));
    await press(page, '#run');
    await page.waitForSelector('#stop');
    await feed(page, '4');
    await press(page, '#run'); // which does not wait for the run before
    await waitForText(page, '.models-output', 'float32 [1]');
    await feed(page, String(turns));
    await openTab(page, 'graph');
    await press(page, '#node-0 .nodes-choose');
    await pressLabelled(page, 'Value of y: run the model for it');
    await page.waitForSelector('#looked-stop');
    await press(page, '#looked-stop');
    await waitForText(page, '.panel-looked', 'Stopped');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'looked-close');
    assert.deepEqual(complaints, []);
  });

  test(`two models stand side by side with their differences, by keyboard, in ${name}`, async (t) => {
    const { page, complaints, violations } = await visit(t, { hash: '/models' });
    await choose(page, small());
    const graph = [
      node('Add', 'sum', ['x', 'layer.weights'], ['total']),
      node('Div', 'twice', ['total', 'two'], ['y']),
      node('Neg', 'more', ['total'], ['unread']),
      initializer('layer.weights', [2, 3], [0, 1, 2, 0, -4, 8]),
      initializer('two', [], [2]),
      input('x', 'float32', [2, 3]),
      output('y', 'float32', [2, 3]),
    ];
    const other = made('other.onnx', model('small', graph));
    await openTab(page, 'compare');
    await (await page.waitForSelector('#compare-file')).uploadFile(other);
    await page.waitForSelector('#compare-after');
    await waitForText(page, '#models-compare ~ p[role=status]', '0 equal, 2 changed, 0 only in A, 1 only in B');
    const rows = await page.$$eval('.compare-row', (all) =>
      all.map(({ textContent }) => textContent.replace(/\s+/g, ' ')),
    );
    assert.match(rows[0], /Div twice.*changed.*operator: Mul.*operator: Div/);
    assert.match(rows[1], /Add sum.*other weights: layer\.weights/);
    assert.match(rows[2], /Neg more.*only in B/);
    assert.match(await textOf(page, '.compare-distance'), /1 of 6 elements differ, by 3 at most/);
    await press(page, '#difference-2 .nodes-choose');
    await page.waitForSelector('#difference-2.nodes-chosen');
    await page.focus('#compare-after');
    await page.keyboard.down('Shift');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.up('Shift');
    await page.waitForSelector('#difference-1.nodes-chosen');
    await (await page.$('#compare-file')).uploadFile(small());
    await waitForText(page, '#models-compare ~ p[role=status]', 'do not differ');
    await (await page.$('#compare-file')).uploadFile(fileURLToPath(import.meta.url));
    await waitForText(page, '#models-compare ~ [role=alert]', 'not an ONNX file, but');
    await choose(page, small(), other);
    await waitForText(page, '#models-compare', 'Compared with other.onnx');
    await page.waitForSelector('#compare-after');
    await press(page, '#compare-end');
    await page.waitForFunction(() => document.getElementById('models-compare') === null);
    assert.deepEqual(complaints, []);
    assert.deepEqual(await violations(), []);
  });

  test(`the desk needs no more width than a phone has, in both languages, in ${name}`, async (t) => {
    for (const language of ['en', 'zh']) {
      const { page, complaints } = await visit(t, { hash: '/models', width: 320, language });
      await choose(page, made('bert.onnx', generatedModels.bert({ layers: 3 })));
      await page.waitForSelector('#models-drawing');
      await press(page, '#node-3 .nodes-choose');
      await page.waitForSelector('.panel-name');
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
      await page.setViewport({ width: 1920, height: 900 });
      const lefts = await page.$$eval('.brand, .models-bar, .models-tabs, .nodes-filter, #models-drawing', (elements) =>
        elements.map((element) => Math.round(element.getBoundingClientRect().left)),
      );
      assert.deepEqual(new Set(lefts).size, 1, `${lefts}`);
      assert.deepEqual(complaints, []);
    }
  });
});
