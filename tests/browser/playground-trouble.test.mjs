// Errors around the playground have messages: missing files of the site, links that cannot be read,
// files that are dropped outside of a field.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inUsualBrowsers, openSample, type, waitForText } from './helpers/playground.mjs';

const outputs = '.viewer-outputs';

const go = (page, hash) =>
  page.evaluate((wanted) => {
    location.hash = wanted;
  }, hash);

/** Drops a file on the first element that matches. Returns whether the browser would have opened it in place of the site. */
const drop = (page, selector, name) =>
  page.$eval(
    selector,
    (element, fileName) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['1, 2'], fileName));
      const event = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
      return element.dispatchEvent(event);
    },
    name,
  );

inUsualBrowsers((name, visit) => {
  for (const [file, missing] of Object.entries({ 'the wasm module': /\.wasm$/, 'the worker': /\/worker-[^/]*\.js$/ })) {
    test(`every page says that ${file} is missing in ${name}`, async (t) => {
      const { page } = await visit(t, { hash: '/operators/Expand', missing });
      await page.waitForSelector('.example[data-status="failed"]');
      await waitForText(page, '.example .actual', file === 'the worker' ? 'worker' : '404');
      await go(page, '/try');
      await waitForText(page, '[id="call:problem"]', file === 'the worker' ? 'worker' : '404');
      await type(page, 'input:1:values', '4');
      await waitForText(page, '[id="call:problem"]', file === 'the worker' ? 'worker' : '404');
      await go(page, '/models');
      await (await page.waitForSelector('[data-sample="zerosLike"]')).click();
      await waitForText(page, '[role="alert"]', file === 'the worker' ? 'worker' : '404');
      await go(page, '/simplify');
      await openSample(page, 'parts');
      await waitForText(page, '.simplify [role="alert"]', file === 'the worker' ? 'worker' : '404');
      await go(page, '/benchmark');
      await (await page.waitForSelector('.benchmark-actions .button:not(.quiet)')).click();
      await waitForText(page, '[role="alert"]', file === 'the worker' ? 'worker' : '404');
    });
  }

  test(`a page that cannot be loaded says so, and the others still work, in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/models', missing: /\/models-[^/]*\.js$/, language: 'zh' });
    await waitForText(page, '[role="alert"]', '重新加载');
    await go(page, '/operators/Shape');
    await page.waitForSelector('.example[data-status="equal"]');
  });

  test(`a damaged link says so until something is edited in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/try/1nonsense' });
    await waitForText(page, '.form .problem', 'The link is damaged');
    await page.waitForSelector(outputs);
    await type(page, 'input:1:values', '2, 3, 2');
    await waitForText(page, outputs, 'float32 [2, 3, 2]');
    assert.equal(await page.$('.form .problem'), null);
  });

  test(`going back leads through all pages to the first in ${name}`, async (t) => {
    const { page } = await visit(t);
    await waitForText(page, 'h1', 'Broadloom runs');
    await go(page, '/try');
    await waitForText(page, 'h1', 'Try it');
    await go(page, '/operators/Shape');
    await waitForText(page, 'h1', 'Shape');
    for (const heading of ['Try it', 'Broadloom runs']) {
      await page.evaluate(() => history.back());
      await waitForText(page, 'h1', heading);
    }
  });

  test(`a call that a link brings can be undone in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/try' });
    await page.waitForFunction(() => location.hash.startsWith('#/try/'));
    const link = await page.evaluate(() => location.hash);
    await type(page, 'input:1:values', '2, 3, 2');
    await page.waitForFunction((old) => location.hash !== old, {}, link);
    await go(page, link);
    await waitForText(page, outputs, 'float32 [2, 3, 6]');
    await page.click('#undo');
    await waitForText(page, outputs, 'float32 [2, 3, 2]');
  });

  test(`a file that is dropped beside the fields does not take the site away in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/try' });
    await page.waitForSelector(outputs);
    assert.equal(await drop(page, 'h1', 'values.txt'), false);
    assert.equal(await drop(page, '.tensor-editor', 'values.txt'), false);
    await page.waitForFunction(() => document.getElementById('input:0:values').value === '1, 2');
    await go(page, '/operators/Shape');
    await waitForText(page, 'h1', 'Shape');
    assert.equal(await drop(page, 'h1', 'values.txt'), false);
  });
});
