// Tasks that people come with, done from the first page as somebody would who has never seen the site: by its search, its links and its
// labels. No address is typed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../dist/inline.js';
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

/** The field with a label, once it is there. */
function fieldOf(page, label) {
  const find = (wanted) =>
    [...document.querySelectorAll('label')].find((element) => element.textContent.trim() === wanted)?.control;
  return page.waitForFunction(find, {}, label);
}

/** Replaces the text of the field with a label. */
async function fill(page, label, text) {
  const field = await fieldOf(page, label);
  await field.focus();
  await field.evaluate((element) => element.select());
  await page.keyboard.type(text);
}

/** Chooses the option with a text in the list with a label. */
async function choose(page, label, text) {
  const list = await fieldOf(page, label);
  await list.select(
    await list.evaluate(({ options }, wanted) => [...options].find((one) => one.text === wanted).value, text),
  );
}

/** Presses a button that saves a file, and gives its bytes. */
async function saved(page, text) {
  await page.evaluate(() => {
    globalThis.saved = new Promise((resolve) => {
      URL.createObjectURL = (blob) => {
        blob.arrayBuffer().then((buffer) => resolve([...new Uint8Array(buffer)]));
        return '#';
      };
    });
  });
  await press(page, text);
  return Uint8Array.from(await page.evaluate(() => globalThis.saved));
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

  test(`why 6 elements do not fit [7, -1] is drawn, and a button mends it, in ${name}`, async (t) => {
    const { page } = await visit(t);
    await ask(page, 'why does reshape fail');
    await fill(page, 'shape', '7, -1');
    await waitForText(page, 'main', 'Why this fails');
    await waitForText(page, 'main', '6 is not divisible by 7');
    await press(page, 'Use [6, -1]');
    await waitForText(page, 'main', 'float32 [6, 1]');
    assert.doesNotMatch(await page.$eval('main', ({ textContent }) => textContent), /Why this fails/);
  });

  test(`the changes of ConstantOfShape from version 9 to 21 are listed in ${name}`, async (t) => {
    const { page } = await visit(t);
    await ask(page, 'ConstantOfShape versions');
    await choose(page, 'Version', 'ConstantOfShape-21');
    await choose(page, 'compared with', 'ConstantOfShape-9');
    await waitForText(page, 'main', 'Changes from ConstantOfShape-9 to ConstantOfShape-21');
    const changes = await page.$$eval('.differences li', (all) => all.map(({ textContent }) => textContent));
    assert.equal(changes.length, 1);
    assert.match(changes[0], /added\s+types of output:\s+bfloat16, .*float8e5m2fnuz, uint4, int4/);
  });

  test(`the slowest layer of a model is the first of its table in ${name}`, async (t) => {
    const { page } = await visit(t);
    await ask(page, 'slowest layer');
    await press(page, 'Edges of a picture');
    await press(page, 'Time');
    await press(page, 'Run and measure');
    await page.waitForSelector('.profile-table');
    const parts = await page.$$eval('.profile-table tbody tr', (all) =>
      all.map(({ textContent }) => Number(/([\d.]+)\s%/.exec(textContent)?.[1] ?? 0)),
    );
    assert.equal(parts.length, 6);
    assert.ok(parts[0] > 0);
    assert.deepEqual(
      parts,
      parts.toSorted((a, b) => b - a),
    );
  });

  test(`the batch of a model is fixed, and the result is saved, in ${name}`, async (t) => {
    const { page } = await visit(t);
    await ask(page, 'fixed batch size');
    await press(page, 'A bias for every item of a batch');
    await fill(page, 'Set batch to', '2');
    await waitForText(page, 'main', 'The form has changed');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => !document.querySelector('main').textContent.includes('The form has changed'));
    const { inputs } = (await load()).loadModel(await saved(page, 'Save the simplified model'));
    assert.deepEqual(inputs[0].dims, [2, 1, 'length']);
  });

  test(`two models are compared in ${name}`, async (t) => {
    const { page } = await visit(t);
    await ask(page, 'compare two models');
    await press(page, 'Edges of a picture');
    await press(page, 'Compare');
    await press(page, 'Loudness of a sound');
    await waitForText(page, 'main', 'Compared with loudness.onnx');
    await waitForText(page, 'main', 'only in A');
    await page.waitForSelector('compare-graph canvas, compare-graph svg');
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
    await press(page, 'Get the code');
    assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Export');
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
