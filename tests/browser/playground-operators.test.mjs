// Many operators: the list with its groups and search, their files, and forms for variadic and optional inputs, and
// attributes with a choice of words.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { load } from '../../dist/index.js';
import { askForOperator, chooseOperator, inUsualBrowsers, type, waitForText } from './helpers/playground.mjs';

const names = (await load()).operators().map(({ name }) => name);
const outputs = '.viewer-outputs';
const field = (id) => `[id="${id}"]`;
const listed = (page) => page.$$eval('.operator-lists a span', (links) => links.map(({ textContent }) => textContent));

const go = (page, hash) =>
  page.evaluate((wanted) => {
    location.hash = wanted;
  }, hash);

async function openOperator(visit, t, operator, shows) {
  const opened = await visit(t, { hash: '/try' });
  await opened.page.waitForSelector(outputs);
  await chooseOperator(opened.page, operator);
  await waitForText(opened.page, outputs, shows);
  return opened;
}

test('the initial download has words and rows of the first operator only', () => {
  const site = new URL('../../build/playground/', import.meta.url);
  const html = readFileSync(new URL('index.html', site), 'utf8');
  const scripts = [...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+\.js)"/g)].map(([, path]) => path);
  assert.ok(scripts.length > 0);
  const texts = scripts.map((path) => readFileSync(new URL(path, site), 'utf8')).join('\n');
  assert.ok(texts.includes('ScatterElements')); // its name
  for (const one of ['stash_type', 'batch_dims', 'take_along_axis', 'absolute value', 'gather_negative_indices'])
    assert.ok(!texts.includes(one), one);
  const [folder] = readdirSync(new URL('operators/', site));
  const others = readdirSync(new URL('../../data/foreign/', import.meta.url));
  for (const part of ['', 'en/', 'zh/']) {
    const files = readdirSync(new URL(`operators/${folder}/${part}`, site)).filter((file) => file.endsWith('.json'));
    const wanted = [...names.map((name) => `${name}.json`), ...(part === '' ? [] : others)];
    assert.deepEqual(files.sort(), wanted.sort());
  }
});

inUsualBrowsers((name, visit) => {
  test(`all operators are listed in groups, and the one that is shown is in view, in ${name}`, async (t) => {
    const { page, complaints, violations } = await visit(t, { hash: '/operators/Where' });
    await waitForText(page, '.summary', 'Takes each element from one of two tensors');
    assert.deepEqual((await listed(page)).sort(), [...names].sort());
    const groups = await page.$$eval('.operator-lists .group', (elements) => elements.map((one) => one.textContent));
    assert.ok(groups.includes('Compare and logic'));
    const isInView = () =>
      page.evaluate(() => {
        const around = document.querySelector('.operator-lists').getBoundingClientRect();
        const { top, bottom } = document.querySelector('.operator-lists [aria-current="page"]').getBoundingClientRect();
        return top >= around.top - 1 && bottom <= around.bottom + 1; // browsers round
      });
    assert.ok(await isInView());
    await go(page, '/operators/Unique');
    await waitForText(page, 'h1', 'Unique');
    assert.ok(await isInView());
    await page.select('#language', 'zh');
    await waitForText(page, '.operator-lists', '比较与逻辑');
    await waitForText(page, '.summary', '只保留一次');
    assert.deepEqual(complaints, []);
    assert.deepEqual(await violations(), []);
  });

  test(`the search finds operators by the names of other libraries, and leads to them, in ${name}`, async (t) => {
    const { page, complaints } = await visit(t, { hash: '/operators/Expand' });
    for (const [text, operator] of [
      ['np.tile', 'Tile'],
      ['torch.expand', 'Expand'],
      ['broadcast_to', 'Expand'],
      ['permute', 'Transpose'],
    ]) {
      await (await page.waitForSelector('.operator-search')).focus();
      await page.$eval('.operator-search', (element) => element.select());
      await page.keyboard.type(text);
      await page.waitForFunction(
        (wanted) => document.querySelector('.operator-lists a span')?.textContent === wanted,
        {},
        operator,
      );
    }
    await waitForText(page, '.operator-lists a small', 'permute');
    await page.click('.operator-lists a');
    await waitForText(page, 'h1', 'Transpose');
    await page.focus('.operator-search');
    await page.$eval('.operator-search', (element) => element.select());
    await page.keyboard.type('zzzz');
    await waitForText(page, '.operator-lists', 'No operator has this name.');
    assert.deepEqual(complaints, []);
  });

  test(`every name in the list is whole, on one line, from 320 to 1,920 px, in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/operators/Expand' });
    await page.waitForSelector('.operator-lists a');
    await page.$eval('.operator-toggle', (button) => button.click()); // phones show the list when it is asked for
    for (const width of [320, 360, 600, 768, 780, 1024, 1280, 1920]) {
      await page.setViewport({ width, height: 900 });
      const cut = await page.$$eval('.operator-lists a', (links) => {
        const { left, right } = document.querySelector('.operator-lists').getBoundingClientRect();
        return links
          .filter((link) => {
            const name = link.querySelector('span');
            const box = name.getBoundingClientRect();
            return name.getClientRects().length !== 1 || box.left < left || box.right > right;
          })
          .map(({ textContent }) => textContent);
      });
      const button = await page.$eval('.operator-toggle', (element) => getComputedStyle(element).display !== 'none');
      assert.deepEqual({ width, cut, button }, { width, cut: [], button: width < 780 });
    }
  });

  test(`/ comes to the search, arrows and Enter choose, and Escape leaves, in ${name}`, async (t) => {
    const { page, complaints } = await visit(t, { hash: '/operators/Expand' });
    await page.waitForSelector('.operator-search');
    const focused = () =>
      page.evaluate(() => document.activeElement.closest('a')?.textContent.trim() ?? document.activeElement.className);
    const shows = (text) =>
      page.waitForFunction(
        (wanted) => document.querySelector('.operator-lists a')?.textContent.trim().startsWith(wanted),
        {},
        text,
      );
    await page.keyboard.press('/');
    assert.equal(await focused(), 'operator-search');
    await page.keyboard.type('转置');
    await shows('Transpose');
    await waitForText(page, '.operators [role="status"]', '2 operators');
    await page.keyboard.press('ArrowDown');
    assert.match(await focused(), /^Transpose/);
    await page.keyboard.press('ArrowDown');
    assert.match(await focused(), /^ConvTranspose/);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    assert.equal(await focused(), 'operator-search');
    await page.keyboard.press('Enter');
    await waitForText(page, 'h1', 'Transpose');
    await page.waitForFunction(() => document.querySelector('.operator-search').value === '');
    await page.keyboard.press('/');
    await page.keyboard.type('a/b');
    assert.equal(await page.$eval('.operator-search', ({ value }) => value), 'a/b'); // in a field it is a letter
    await page.keyboard.press('Escape');
    assert.equal(await page.$eval('.operator-search', ({ value }) => value), '');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'content');
    assert.deepEqual(complaints, []);
  });

  test(`operators that do not run are found apart, each with a page that says where it runs, in ${name}`, async (t) => {
    const { page, complaints } = await visit(t, { hash: '/operators/Expand' });
    await page.waitForSelector('.operator-search');
    const statusOf = async (text, operator) => {
      await page.focus('.operator-search');
      await page.$eval('.operator-search', (element) => element.select());
      await page.keyboard.type(text);
      await page.waitForFunction(
        (wanted) =>
          [...document.querySelectorAll('.operators-foreign a span')].some((one) => one.textContent === wanted),
        {},
        operator,
      );
      return page.$$eval(
        '.operators-foreign a',
        (links, wanted) =>
          links.find((link) => link.querySelector('span').textContent === wanted).querySelector('.operator-has')
            .textContent,
        operator,
      );
    };
    assert.equal(await statusOf('imdecode', 'ImageDecoder'), 'known shapes only');
    assert.equal(await statusOf('SequenceAt', 'SequenceAt'), 'not yet');
    assert.equal(await statusOf('while', 'Loop'), 'runs in models');
    assert.equal(await statusOf('tfidf', 'TfIdfVectorizer'), 'known shapes only');
    await page.keyboard.press('Enter');
    await waitForText(page, 'h1', 'TfIdfVectorizer');
    await waitForText(page, '.summary', 'Counts the n-grams');
    await waitForText(page, '.content', 'onnxruntime-web');
    assert.equal(await page.title(), 'TfIdfVectorizer · Broadloom');
    await page.select('#language', 'zh');
    await waitForText(page, '.summary', '统计文本');
    assert.deepEqual(complaints, []);
  });

  test(`"Try it" opens an operator by its name, and says of an unknown name which is near, in ${name}`, async (t) => {
    const { page, complaints } = await visit(t, { hash: '/try/Einsum' });
    await waitForText(page, '.result', 'float32 [2, 2]');
    assert.equal(await page.$eval('#operator', ({ value }) => value), 'Einsum');
    assert.equal(await page.evaluate(() => location.hash), '#/try/Einsum');
    await go(page, '/try/Einsun');
    await waitForText(page, 'h1', 'There is no operator "Einsun"');
    await page.click('.unknown-links a');
    await waitForText(page, '.result', 'float32 [2, 2]');
    assert.deepEqual(complaints, []);
  });

  test(`missing files of an operator are reported, and loaded once they are available, in ${name}`, async (t) => {
    const missing = /operators\/\w+\/(?:en\/)?(?:Gather|Size)\.json/;
    const { page } = await visit(t, { hash: '/operators/Expand', missing });
    await waitForText(page, outputs, 'float32 [2, 3, 6]');
    await go(page, '/operators/Gather');
    await waitForText(page, '[role="alert"]', 'could not be loaded');
    await go(page, '/operators/Abs');
    await waitForText(page, 'h1', 'Abs');
    await waitForText(page, '.summary', 'absolute value');
    await go(page, '/try');
    await waitForText(page, outputs, 'float32 [2, 3, 6]');
    await askForOperator(page, 'Size');
    await waitForText(page, '.result .problem', '404');
    await chooseOperator(page, 'Abs');
    await waitForText(page, outputs, 'Y');
  });

  test(`variadic inputs are added and removed in ${name}`, async (t) => {
    const { page, complaints, violations } = await openOperator(visit, t, 'Concat', 'float32 [4]');
    await page.click(field('input:add'));
    await waitForText(page, outputs, 'float32 [6]');
    await type(page, 'input:2:dims', '3');
    await type(page, 'input:2:values', '7, 8, 9');
    await waitForText(page, outputs, 'float32 [7]');
    await page.select(field('input:2:type'), 'int8');
    await waitForText(page, outputs, 'int8 [7]');
    await page.click('.remove[data-input="0"]');
    await waitForText(page, outputs, 'int8 [5]');
    assert.ok(await page.evaluate(() => document.activeElement.id === 'input:add'));
    await page.click('.remove[data-input="1"]');
    await waitForText(page, outputs, 'int8 [2]');
    assert.equal(await page.$('.remove'), null); // one is needed
    await page.click('#undo');
    await waitForText(page, outputs, 'int8 [5]');
    assert.deepEqual(complaints, []);
    assert.deepEqual(await violations(), []);
  });

  test(`optional inputs are added and removed in ${name}`, async (t) => {
    const { page, complaints } = await openOperator(visit, t, 'ReduceSum', 'float32 [2, 1]');
    const axes = field('input:1:given');
    await type(page, 'input:1:values', '0');
    await waitForText(page, outputs, 'float32 [1, 3]');
    await page.click(axes);
    await waitForText(page, outputs, 'float32 [1, 1]');
    await page.click(axes);
    await waitForText(page, outputs, 'float32 [2, 1]'); // along axis 1
    assert.deepEqual(complaints, []);
  });

  test(`an attribute with a few valid words is a list of them, and an element type is a list of names, in ${name}`, async (t) => {
    const { page, complaints } = await openOperator(visit, t, 'ScatterElements', 'float32 [1, 5]');
    await waitForText(page, `label:has(${field('attribute:reduction:given')})`, 'default: none');
    await page.click(field('attribute:reduction:given'));
    const words = await page.$$eval(`${field('attribute:reduction')} option`, (all) => all.map(({ value }) => value));
    assert.deepEqual(words, ['none', 'add', 'mul', 'max', 'min']);
    await page.select(field('attribute:reduction'), 'add');
    await waitForText(page, outputs, '3.1');
    await page.select('#opset', '16');
    await page.waitForFunction(
      (id) => document.getElementById(id).options.length === 3,
      {},
      'attribute:reduction', // max and min came later
    );
    await chooseOperator(page, 'Cast');
    await waitForText(page, '.attribute', 'to');
    await page.select(field('attribute:to'), 'float64');
    await waitForText(page, outputs, 'float64 [5]');
    assert.deepEqual(complaints, []);
  });
});
