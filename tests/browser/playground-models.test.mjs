// The playground's page of models: opening files in every way, what is told of their graphs, running them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { testdata } from '../../tools/examples.mjs';
import { inEveryBrowser, type, waitForText } from './helpers/playground.mjs';

const sample = (name) => fileURLToPath(new URL(`../../web-demo/public/samples/${name}`, import.meta.url));
const official = (name) => join(testdata, name, 'model.onnx');

async function choose(page, file) {
  const input = await page.waitForSelector('#models-file');
  await input.uploadFile(file);
}

async function run(page) {
  await page.waitForSelector('#run');
  await page.click('#run');
}

const textOf = (page, selector) => page.$eval(selector, (element) => element.textContent);

inEveryBrowser((name, visit) => {
  test(`every sample model that can run gives an output of the expected shape in ${name}`, async (t) => {
    const { page, complaints, violations } = await visit(t, { hash: '/models' });
    for (const [button, output, shape] of [
      ['zerosLike', 'zeros', 'float32 [2, 3]'],
      ['expandLike', 'y', 'float32 [2, 2, 3]'],
      ['batchBias', 'biases', 'float32 [3, 4]'],
    ]) {
      await page.waitForSelector(`[data-sample=${button}]`);
      await page.click(`[data-sample=${button}]`);
      await waitForText(page, '.models-values', output);
      await run(page);
      await waitForText(page, '.models-output', shape);
      assert.match(await textOf(page, '.models-output'), new RegExp(output));
    }
    assert.deepEqual(complaints, []);
    assert.deepEqual(await violations(), []);
  });

  test(`a node that cannot run is marked with the reason, and the graph is not offered to run, in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/models' });
    await choose(page, sample('unsupported-gelu.onnx'));
    await waitForText(page, '.nodes-bad', 'com.microsoft.BiasGelu');
    assert.match(await textOf(page, '.nodes-reason'), /BiasGelu.*com\.microsoft/);
    assert.match(await textOf(page, '.models-missing'), /com\.microsoft\.BiasGelu × 1/);
    assert.equal(await page.$('#run'), null);
    await page.click('.models-missing');
    assert.equal((await page.$$('.nodes-row')).length, 1);
  });

  test(`official models can be opened in ${name}: of operators that are there, and of others`, async (t) => {
    const { page } = await visit(t, { hash: '/models' });
    await choose(page, official('node/test_expand_dim_changed'));
    await waitForText(page, '.nodes-row', 'Expand');
    assert.equal((await page.$$('.nodes-bad')).length, 0);
    await choose(page, official('pytorch-converted/test_Conv1d'));
    await waitForText(page, '.nodes-bad', 'Conv');
  });

  test(`a file that is no model is refused in the library's words in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/models' });
    await choose(page, fileURLToPath(import.meta.url));
    await waitForText(page, '[role=alert] .problem', 'byte 0: wire type');
  });

  test(`a feed that does not fit is told at its field in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/models' });
    await choose(page, sample('expand-like.onnx'));
    await page.waitForSelector('#run');
    await type(page, 'feed:0:dims', '2, 4');
    await run(page);
    await waitForText(page, '[id="feed:0:dims:problem"]', "input 'x' has dims [2, 4]");
    assert.equal(await page.evaluate(() => document.activeElement.id), 'feed:0:dims');
  });

  test(`a model can be dropped anywhere on the page in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/models' });
    await page.waitForSelector('#models-file');
    const isDragging = () => page.evaluate(() => document.documentElement.classList.contains('models-dragging'));
    const drag = (kind) =>
      page.evaluate(
        (event, bytes) => {
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(new File([Uint8Array.from(bytes)], 'dropped.onnx'));
          const options = { dataTransfer, bubbles: true, cancelable: true };
          document.querySelector('footer').dispatchEvent(new DragEvent(event, options));
        },
        kind,
        [...readFileSync(sample('zeros-like.onnx'))],
      );
    await drag('dragover');
    assert.equal(await isDragging(), true);
    await drag('drop');
    assert.equal(await isDragging(), false);
    await waitForText(page, '#models-name', 'dropped.onnx');
  });

  test(`a reload opens the model again with its inputs, until it is closed, in ${name}`, async (t) => {
    const { page, complaints } = await visit(t, { hash: '/models' });
    await choose(page, sample('zeros-like.onnx'));
    await waitForText(page, '.models-keeping', 'a reload of this tab opens it again');
    await type(page, 'feed:0:dims', '5, 1');
    await page.reload();
    await waitForText(page, '#models-name', 'zeros-like.onnx');
    assert.equal(await page.$eval('[id="feed:0:dims"]', ({ value }) => value), '5, 1');
    await run(page);
    await waitForText(page, '.models-output', 'float32 [5, 1]');
    await page.focus('#close-model');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.activeElement.id === 'models-file');
    await page.reload();
    await page.waitForSelector('#models-file');
    assert.equal(await page.$('#models-name'), null);
    assert.deepEqual(complaints, []);
  });

  test(`a model that the browser does not keep says so in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/models' });
    await page.waitForSelector('#models-file');
    await page.evaluate(() => {
      Object.defineProperty(Blob.prototype, 'size', { get: () => 2 ** 30 });
    });
    await choose(page, sample('zeros-like.onnx'));
    await waitForText(page, '.models-keeping', 'larger than 250 MB');
    await page.evaluate(() => {
      IDBFactory.prototype.open = () => {
        throw new Error('full');
      };
    });
    await (await page.$('[data-sample="batchBias"]')).click();
    await waitForText(page, '.models-keeping', 'does not keep the model');
  });
});
