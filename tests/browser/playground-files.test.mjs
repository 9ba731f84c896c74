// Opens files other than plain tensors on "Try it", and other files than models on the pages for models: a page accepts them, or
// names their kind and says what to do.
import assert from 'node:assert/strict';
import { mkdtempSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { chooseOperator, inUsualBrowsers, openSample, openTab, type, waitForText } from './helpers/playground.mjs';

const folder = mkdtempSync(join(tmpdir(), 'broadloom-files-'));
const outputs = '.viewer-outputs';
const problem = '[id="input:0:problem"]';

/** The path of a file. */
function made(name, content) {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

/** Uploads a file as the first input. */
async function give(page, name, content) {
  const path = made(name, content);
  const input = await page.waitForSelector('.form .card input[type="file"]');
  await input.uploadFile(path);
}

inUsualBrowsers((name, visit) => {
  test(`tables and JSON objects are accepted, and for files without a tensor the page says what they are, in ${name}`, async (t) => {
    const { page, complaints } = await visit(t, { hash: '/try' });
    await waitForText(page, outputs, 'float32 [2, 3, 6]');
    await give(page, 'table.csv', 'height,width\n1,2\n3,4\n5,6\n');
    await waitForText(page, '.file-note', 'is a heading');
    await chooseOperator(page, 'Identity');
    await waitForText(page, outputs, 'float32 [1, 1, 2, 2]');
    await give(page, 'table.csv', 'height,width\n1,2\n3,4\n5,6\n');
    await waitForText(page, outputs, 'int64 [3, 2]');
    await give(page, 'tensor.json', '{"type": "int64", "dims": [1], "data": [9007199254740993]}');
    await waitForText(page, `${outputs} [role="gridcell"]`, '9007199254740993');
    assert.equal(await page.$eval('.file-note', (element) => element.textContent.trim()), '');
    await give(page, 'empty.npy', '');
    await waitForText(page, problem, "'empty.npy' is empty");
    await page.select('#language', 'zh');
    await waitForText(page, problem, '是空的');
    assert.deepEqual(complaints, []);
  });

  test(`a model that is given as a tensor can be opened on the page of models in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/try' });
    await waitForText(page, outputs, 'float32 [2, 3, 6]');
    const input = await page.waitForSelector('.form .card input[type="file"]');
    await input.uploadFile(fileURLToPath(new URL('../../web-demo/public/samples/zeros-like.onnx', import.meta.url)));
    await waitForText(page, problem, 'is a model, not a tensor');
    await page.click(`${problem} + p button`);
    await waitForText(page, '#models-name', 'zeros-like.onnx');
    await page.waitForFunction(() => location.hash === '#/models');
  });

  test(`a model stays open, with its inputs and outputs, when other files cannot be opened, in ${name}`, async (t) => {
    const { page, complaints } = await visit(t, { hash: '/models' });
    await openSample(page, 'batchBias');
    await openTab(page, 'run');
    await page.select('[id="feed:0:kind"]', 'random');
    await type(page, 'feed:0:dims', '2, 1, 2');
    await page.click('#run');
    await waitForText(page, '.models-output', 'float32 [2, 4]');
    const file = await page.$('#models-file');
    await file.uploadFile(made('dog.png', 'no matter what'));
    await waitForText(page, '[role=alert]', 'dog.png could not be opened.');
    await waitForText(page, '[role=alert] .problem', 'It is a picture or a sound, not a model.');
    const isInView = () => document.getElementById('refused').getBoundingClientRect().bottom > 0;
    assert.ok(await page.evaluate(isInView));
    await file.uploadFile(made('readme.md', 'a text for readers'));
    await waitForText(page, '[role=alert]', 'not an ONNX file, but a text');
    await waitForText(page, '[role=alert]', 'batch-bias.onnx is still open.');
    await waitForText(page, '.models-output', 'float32 [2, 4]');
    assert.equal(await page.$eval('[id="feed:0:dims"]', ({ value }) => value), '2, 1, 2');
    await type(page, 'feed:0:dims', '3, 1, 2');
    await page.click('#run');
    await waitForText(page, '.models-output', 'float32 [3, 4]');
    assert.equal(await page.$('[role=alert]'), null);
    assert.deepEqual(complaints, []);
  });

  test(`a model stays open to be simplified when other files cannot be opened, in ${name}`, async (t) => {
    const { page, complaints } = await visit(t, { hash: '/simplify' });
    await openSample(page, 'parts');
    await page.waitForSelector('#simplify-result');
    const file = await page.$('#models-file');
    await file.uploadFile(made('dog.png', 'no matter what'));
    await waitForText(page, '[role=alert]', 'It is a picture or a sound');
    await file.uploadFile(made('readme.md', 'a text for readers'));
    await waitForText(page, '[role=alert]', 'parts.onnx is still open.');
    await waitForText(page, '#models-name', 'parts.onnx');
    assert.notEqual(await page.$('#simplify-result'), null);
    await page.click('#simplify-run');
    await page.waitForFunction(() => document.getElementById('simplify-stop') === null);
    assert.deepEqual(complaints, []);
  });

  test(`a picture and a file of 3 GB are refused as models in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/models' });
    const file = await page.waitForSelector('#models-file');
    await file.uploadFile(made('dog.png', 'no matter what'));
    await waitForText(page, '[role=alert]', 'It is a picture or a sound');
    const path = made('large.onnx', '');
    truncateSync(path, 3e9);
    await file.uploadFile(path);
    await waitForText(page, '[role=alert]', 'the file has 3000000000 bytes; 2147483647 are the most');
  });
});
