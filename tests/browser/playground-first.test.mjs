// The first operator that a visitor sees: an interactive broadcast, links that show the same to others, and addresses that lead
// nowhere.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { catchCopies, go, inUsualBrowsers, type, waitForText } from './helpers/playground.mjs';
import { serve } from './helpers/server.mjs';

const outputs = '.viewer-outputs';
const shapeField = 'input:1:values';

const waitForTitle = (page, title) => page.waitForFunction((wanted) => document.title === wanted, {}, title);

test('the site has a picture of 1200 by 630 for previews of links', () => {
  const site = new URL('../../build/playground/', import.meta.url);
  assert.match(readFileSync(new URL('index.html', site), 'utf8'), /property="og:image" content="[^"]*preview\.png"/);
  const picture = readFileSync(new URL('preview.png', site));
  assert.deepEqual([picture.readUInt32BE(16), picture.readUInt32BE(20)], [1200, 630]);
  assert.ok(!readFileSync(new URL('service-worker.js', site), 'utf8').includes('preview.png'));
});

inUsualBrowsers((name, visit) => {
  test(`the page of Expand opens on a broadcast that follows what is typed, below its summary, in ${name}`, async (t) => {
    const { page, complaints, violations } = await visit(t, { hash: '/operators/Expand' });
    await waitForText(page, outputs, 'float32 [2, 3, 6]');
    await waitForText(page, '.stage-question', 'Which shape does the result have?');
    const below = await page.$$eval('h1, .summary, .stage', (elements) => elements.map(({ className }) => className));
    assert.deepEqual(below, ['', 'summary', 'stage']);
    await page.click('[data-preset="2"]');
    await waitForText(page, outputs, 'float32 [2, 3]');
    await type(page, shapeField, '4, 5');
    await waitForText(page, outputs, 'float32 [4, 5]');
    await waitForText(page, '.stage-question', 'Point at an element');
    await page.click('[data-preset="4"]');
    await waitForText(page, `[id="${shapeField}:problem"]`, 'cannot broadcast');
    await page.click('[data-preset="0"]');
    await waitForText(page, outputs, 'float32 [2, 3, 6]');
    assert.equal(await page.$('.problem'), null);
    assert.deepEqual(complaints, []);
    assert.deepEqual(await violations(), []);
  });

  test(`an edit is still there after a reload, at once or later, on both pages, in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/operators/Expand' });
    await waitForText(page, outputs, 'float32 [2, 3, 6]');
    await type(page, shapeField, '5, 3, 2');
    await page.waitForFunction(() => location.hash.startsWith('#/operators/Expand/'));
    await page.reload(); // when the address has it
    await waitForText(page, outputs, 'float32 [5, 3, 2]');
    await type(page, shapeField, '7, 3, 2');
    await page.reload();
    await waitForText(page, outputs, 'float32 [7, 3, 2]');
    await go(page, '/try');
    await page.waitForSelector('.try-page .viewer-outputs');
    await type(page, shapeField, '8, 3, 2');
    await page.reload();
    await waitForText(page, outputs, 'float32 [8, 3, 2]');
  });

  test(`the title of the page has the call in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/operators/Expand' });
    await waitForTitle(page, 'Expand [3, 1] to [2, 3, 6] · Broadloom');
    await type(page, shapeField, '4');
    await type(page, 'input:0:dims', '1');
    await waitForTitle(page, 'Expand [1] to [4] · Broadloom');
    await go(page, '/operators/ConstantOfShape');
    await waitForTitle(page, 'ConstantOfShape [4, 3, 2] · Broadloom');
    await go(page, '/operators/Constant');
    await waitForTitle(page, 'Constant [5, 5] · Broadloom');
    await go(page, '/try');
    await page.select('#language', 'zh');
    await waitForTitle(page, 'Expand [1] 到 [4] · Broadloom');
  });

  test(`the button at the top shares what is shown in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/operators/Expand' });
    await waitForText(page, outputs, 'float32 [2, 3, 6]');
    await page.evaluate(() => {
      navigator.share = undefined;
    });
    await catchCopies(page);
    await type(page, shapeField, '2, 3, 9');
    await page.click('#share');
    await waitForText(page, '.share-said', 'Link copied');
    const hash = await page.evaluate(() => new URL(globalThis.copied).hash.slice(1));
    assert.match(hash, /^\/operators\/Expand\/1/);
    const { page: other } = await visit(t, { hash, language: 'zh' });
    await waitForText(other, outputs, 'float32 [2, 3, 9]');
    await page.evaluate(() => {
      navigator.share = async ({ title }) => {
        globalThis.shared = title;
      };
    });
    await go(page, '/benchmark');
    await waitForText(page, 'h1', 'Benchmark');
    await page.click('#share');
    await page.waitForFunction(() => globalThis.shared === 'Benchmark · Broadloom');
  });

  test(`a call can be embedded in another page, with a link to the whole, in ${name}`, async (t) => {
    const { page, server, complaints, violations } = await visit(t, { hash: '/try' });
    await waitForText(page, outputs, 'float32 [2, 3, 6]');
    await catchCopies(page);
    await page.click('#copy-frame');
    await page.waitForFunction(() => globalThis.copied !== undefined);
    const frame = await page.evaluate(() => globalThis.copied);
    assert.match(
      frame,
      /^<iframe src="[^"]+#\/embed\/1[\w-]+" title="Expand \[3, 1\] to \[2, 3, 6\]" [^<]+><\/iframe>$/,
    );
    assert.ok(frame.includes(server.address));
    const host = await serve('.', {
      pages: { 'index.html': `<!doctype html><link rel="icon" href="data:,"><title>Host</title>${frame}` },
    });
    t.after(host.close);
    await page.goto(host.address);
    const embedded = await (await page.waitForSelector('iframe')).contentFrame();
    await waitForText(embedded, 'h1', 'Expand [3, 1] to [2, 3, 6]');
    assert.equal(await embedded.$('header.top'), null);
    await embedded.focus(`[id="${shapeField}"]`);
    await embedded.$eval(`[id="${shapeField}"]`, (element) => element.select());
    await page.keyboard.type('2, 3, 2');
    await waitForText(embedded, outputs, 'float32 [2, 3, 2]');
    const link = await embedded.$eval('.embed-head a', (element) => element.getAttribute('href'));
    for (const operator of ['LSTM', 'Expand']) {
      await page.goto(`${server.address}#/try/${operator}`);
      await waitForText(page, outputs, 'float32');
      await catchCopies(page);
      await page.click('#copy-frame');
      await page.waitForFunction((name) => globalThis.copied?.includes(`title="${name} `), {}, operator);
      await page.setViewport({ width: 700, height: 400 });
      await go(page, /#([^"]+)/.exec(await page.evaluate(() => globalThis.copied))[1]);
      await page.waitForSelector(`.embed ${outputs} [role=gridcell]`);
      for (const part of ['input', `${outputs} [role=gridcell]`])
        assert.ok(
          (await page.$eval(`.embed ${part}`, (element) => element.getBoundingClientRect().bottom)) < 400,
          part,
        );
    }
    await go(page, link.slice(1));
    await waitForText(page, `.try-page ${outputs}`, 'float32 [2, 3, 2]');
    assert.deepEqual(complaints, []);
    assert.deepEqual(await violations(), []);
  });

  test(`an address that leads nowhere says so, and shows what may have been meant, in ${name}`, async (t) => {
    const { page, complaints } = await visit(t, { hash: '/operators/shape' });
    await waitForText(page, 'h1', 'There is no operator "shape"');
    await page.click('.unknown-links a');
    await waitForText(page, 'h1', 'Shape');
    for (const [hash, says] of [
      ['/foo', 'There is no page "foo"'],
      ['/operators/constructor', 'There is no operator "constructor"'],
      ['/operators/%E0%A4%A', 'There is no operator'],
      ['/operators/Expand/8..99', 'Expand has no version 99'],
    ]) {
      await go(page, hash);
      await waitForText(page, 'h1', says);
    }
    await waitForText(page, '.unknown-links', 'Expand-13');
    await page.select('#language', 'zh');
    await waitForText(page, 'h1', 'Expand 没有版本 99');
    assert.deepEqual(complaints, []);
  });
});
