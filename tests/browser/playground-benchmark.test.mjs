// The page that measures: networks and calls, alone and beside onnxruntime-web.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inUsualBrowsers, waitForText } from './helpers/playground.mjs';

/** Leaves the first choices of each list checked, as many as `counts` says for the list. */
async function keep(page, counts) {
  await page.waitForSelector('.benchmark-choices fieldset');
  const lists = await page.$$('.benchmark-choices fieldset:has([type=checkbox])');
  for (const [i, list] of lists.entries()) {
    for (const box of (await list.$$('input:checked')).slice(counts[i])) await box.click();
  }
}

const start = (page) => page.click('.benchmark-actions .button:not(.quiet)');
const numbersOf = (page, network) =>
  page.$$eval(`[data-network=${network}] td`, (cells) => cells.map(({ textContent }) => Number(textContent)));

inUsualBrowsers((name, visit) => {
  test(`networks run beside onnxruntime-web on the same files with equal results, in ${name}`, async (t) => {
    const { page, complaints } = await visit(t, { hash: '/benchmark', language: 'en' });
    await keep(page, [3, 0, 0]);
    await page.click('.benchmark-choices fieldset .button');
    await waitForText(page, '.benchmark-choices', 'one thread');
    await start(page);
    await waitForText(page, '.benchmark-now', 'Done: 3 cases measured.');
    for (const network of ['product', 'convolutions', 'transformer']) {
      const numbers = await numbersOf(page, network);
      assert.equal(numbers.length, 5, `${network}: ${numbers}`);
      for (const number of numbers) assert.ok(number > 0, `${network}: ${numbers}`);
    }
    assert.deepEqual(complaints, []);
  });

  test(`without onnxruntime-web the table has Broadloom's numbers alone, in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/benchmark', language: 'zh' });
    await keep(page, [1, 0, 0]);
    await start(page);
    await waitForText(page, '.benchmark-now', '完成');
    const numbers = await numbersOf(page, 'product');
    assert.equal(numbers.length, 2);
    for (const number of numbers) assert.ok(number > 0, `${numbers}`);
  });
});
