// Tasks that people come with, done from the first page as somebody would who has never seen the site: by its search, its links and its
// labels. No address is typed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { catchCopies, inEveryBrowser, waitForText } from './helpers/playground.mjs';
import { serve } from './helpers/server.mjs';

/** Asks the search of the first page, and opens its first result. */
async function ask(page, text) {
  await page.waitForSelector('#search');
  await page.click('#search');
  await page.keyboard.type(text);
  await page.waitForSelector('#search-hits [role="option"]');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector('#search') === null);
}

/** Clicks the button or link with a text, once it is there. */
async function press(page, text) {
  const find = (wanted) =>
    [...document.querySelectorAll('main :is(button, a, label), header :is(button, a)')].find(
      (element) => element.textContent.trim() === wanted && element.checkVisibility() && !element.disabled,
    );
  const control = await page.waitForFunction(find, {}, text);
  await control.evaluate((element) => element.click());
}

/** Replaces the text of the field with a label. */
async function fill(page, label, text) {
  const find = (wanted) =>
    [...document.querySelectorAll('label')].find((element) => element.textContent.trim() === wanted)?.control;
  const field = await page.waitForFunction(find, {}, label);
  await field.focus();
  await field.evaluate((element) => element.select());
  await page.keyboard.type(text);
}

const copied = async (page) => {
  await page.waitForFunction(() => globalThis.copied !== undefined);
  return page.evaluate(() => globalThis.copied);
};

inEveryBrowser((name, visit) => {
  test(`who looks for torch.expand comes to Expand in ${name}`, async (t) => {
    const { page } = await visit(t);
    await ask(page, 'torch.expand');
    await waitForText(page, 'h1', 'Expand');
  });

  test(`[3, 1] is expanded by [2, 1, 6] in ${name}`, async (t) => {
    const { page } = await visit(t);
    await ask(page, 'expand');
    await fill(page, 'Shape of the input', '3, 1');
    await fill(page, 'Wanted shape', '2, 1, 6');
    await waitForText(page, 'main', 'float32 [2, 3, 6]');
  });

  test(`a convolution slides on the first page, and its own page is a link away, in ${name}`, async (t) => {
    const { page } = await visit(t);
    await waitForText(page, '.home-example', 'A convolution in five seconds');
    const sum = () => page.$eval('.window-result', ({ textContent }) => textContent);
    await page.waitForSelector('svg[data-ready="true"]');
    const first = await sum();
    await page.waitForFunction((before) => document.querySelector('.window-result').textContent !== before, {}, first);
    await press(page, 'Learn Conv with your own numbers');
    await waitForText(page, 'h1', 'Conv');
  });

  test(`who asks for yolo sees the pixels that it gets in ${name}`, async (t) => {
    const { page } = await visit(t);
    await ask(page, 'yolo');
    await waitForText(page, 'h1', 'Prepare');
    await waitForText(page, 'main', 'float32 [1, 3, 640, 640]');
    await page.waitForSelector('main canvas');
  });

  test(`the code of a call is copied as Python in ${name}`, async (t) => {
    const { page } = await visit(t);
    await ask(page, 'python code');
    await waitForText(page, 'main', 'float32 [2, 3, 6]');
    await catchCopies(page);
    await press(page, 'Python');
    await press(page, 'Copy');
    assert.match(await copied(page), /import numpy as np/);
  });

  test(`a link that is shared opens the same call in ${name}`, async (t) => {
    const { page } = await visit(t);
    await ask(page, 'expand');
    await fill(page, 'Wanted shape', '2, 3, 9');
    await waitForText(page, 'main', 'float32 [2, 3, 9]');
    await page.evaluate(() => {
      navigator.share = undefined;
    });
    await catchCopies(page);
    await press(page, 'Share');
    const { page: other } = await visit(t, { hash: new URL(await copied(page)).hash.slice(1) });
    await waitForText(other, 'main', 'float32 [2, 3, 9]');
  });

  test(`a call is embedded in a blog of 700 px, where its result is seen, in ${name}`, async (t) => {
    const { page } = await visit(t);
    await ask(page, 'embed');
    await waitForText(page, 'main', 'float32 [2, 3, 6]');
    await catchCopies(page);
    await press(page, 'Copy HTML for embedding');
    const frame = await copied(page);
    const host = await serve('.', {
      pages: { 'index.html': `<!doctype html><link rel="icon" href="data:,"><title>Blog</title>${frame}` },
    });
    t.after(host.close);
    await page.setViewport({ width: 700, height: 600 });
    await page.goto(host.address);
    const embedded = await (await page.waitForSelector('iframe')).contentFrame();
    await waitForText(embedded, 'main', 'float32 [2, 3, 6]');
    const element = await embedded.waitForSelector('.viewer-outputs [role="gridcell"]');
    assert.ok((await element.evaluate((cell) => cell.getBoundingClientRect().bottom)) <= 400);
  });
});
