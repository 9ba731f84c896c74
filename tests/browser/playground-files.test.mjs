// Files other than plain tensors, on "Try it": they are accepted, or the page says what they are and what to do.
import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { inUsualBrowsers, waitForText } from './helpers/playground.mjs';

const folder = mkdtempSync(join(tmpdir(), 'broadloom-files-'));
const outputs = '.viewer-outputs';
const problem = '[id="input:0:problem"]';

/** Uploads a file as the first input. */
async function give(page, name, content) {
  const path = join(folder, name);
  writeFileSync(path, content);
  const input = await page.waitForSelector('.form .card input[type="file"]');
  await input.uploadFile(path);
}

inUsualBrowsers((name, visit) => {
  test(`tables and JSON objects are accepted, and for files without a tensor the page says what they are, in ${name}`, async (t) => {
    const { page, complaints } = await visit(t, { hash: '/try' });
    await waitForText(page, outputs, 'float32 [2, 3, 6]');
    await give(page, 'table.csv', 'height,width\n1,2\n3,4\n5,6\n');
    await waitForText(page, '.file-note', 'is a heading');
    await page.select('#operator', 'Identity');
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
});
