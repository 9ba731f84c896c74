// The interactive parts of the pages of operators: curves with a point, small calls whose elements show where they come from, and
// lines of code.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../dist/index.js';
import { someOf } from '../depth.mjs';
import { inUsualBrowsers, type, waitForText } from './helpers/playground.mjs';

const ops = await load();
const names = ops.operators().map(({ name }) => name);
const outputs = '.viewer-outputs';
const slider = '.curve-picture';

/** The x and the y that are read out. */
const read = (page) => page.$$eval('.curve-read b', (elements) => elements.map(({ textContent }) => textContent));
const lit = (page, where) =>
  page.$$eval(`${where} [data-lit]`, (elements) => elements.map(({ textContent }) => textContent.trim()));

/** The words of labels that stand on two lines. */
function brokenWords() {
  const range = document.createRange();
  return [...document.querySelectorAll('.stage :is(label, h3 code)')].flatMap((label) =>
    [...label.childNodes]
      .filter(({ nodeType }) => nodeType === Node.TEXT_NODE)
      .flatMap((text) =>
        [...text.data.matchAll(/\S+/g)].flatMap(({ 0: word, index }) => {
          range.setStart(text, index);
          range.setEnd(text, index + word.length);
          return new Set([...range.getClientRects()].map(({ top }) => top)).size > 1 ? [word] : [];
        }),
      ),
  );
}

const go = (page, hash) =>
  page.evaluate((wanted) => {
    location.hash = wanted;
  }, hash);

inUsualBrowsers((name, visit) => {
  test(`the point of a curve follows the arrow keys and the pointer, and reads what Broadloom computes, in ${name}`, async (t) => {
    const { page, complaints, violations } = await visit(t, { hash: '/operators/Sigmoid' });
    await page.waitForSelector(slider);
    await page.focus(slider);
    await page.keyboard.press('Home');
    assert.deepEqual(await read(page), ['-4', '0.01798621']);
    await page.keyboard.press('ArrowRight');
    const [x, y] = await read(page);
    assert.equal(x, '-3.96875');
    assert.equal(Number(y), Number(ops.sigmoid(ops.tensor('float32', [-3.96875], [1])).data[0].toPrecision(8)));
    const { x: left, y: top, width, height } = await (await page.$(slider)).boundingBox();
    await page.mouse.move(left + width / 2, top + height / 2);
    assert.deepEqual(await read(page), ['0', '0.5']);
    assert.equal(await page.$eval(slider, (element) => element.getAttribute('aria-valuetext')), 'X 0, Y 0.5');
    assert.deepEqual(complaints, []);
    assert.deepEqual(await violations(), []);
  });

  test(`a curve shows the steps of its type, zooms, and stays in the address, in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/operators/Cast' });
    await page.waitForSelector(slider);
    await page.select('[id="attribute:to"]', 'float8e5m2');
    await waitForText(page, '.curve-note', 'the output is float8e5m2');
    await page.select('[id="attribute:to"]', 'int8');
    await waitForText(page, '.curve-note', 'the output is int8');
    await page.click('.curve-range button');
    await page.waitForFunction(() => document.getElementById('curve:from').value === '-1');
    await page.focus(slider);
    await page.keyboard.press('End');
    assert.deepEqual(await read(page), ['1', '1']);
    await page.waitForFunction(() => /^#\/operators\/Cast\/1/.test(location.hash));
    await page.reload();
    await waitForText(page, '.curve-note', 'the output is int8');
    assert.equal(await page.$eval('[id="curve:to"]', ({ value }) => value), '1');
    await go(page, '/operators/Relu');
    await waitForText(page, 'h1', 'Relu');
    await page.waitForSelector('[id="input:0:type"]'); // the page before has one, too
    await page.select('[id="input:0:type"]', 'int8');
    await waitForText(page, '.curve-note', 'in int8');
    await page.waitForFunction(() => document.querySelectorAll('.curve-dot').length === 9);
  });

  test(`pointing at an element of a result shows which elements it is computed from, and the reverse, in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/operators/ReduceSum' });
    await waitForText(page, outputs, 'float32 [2, 1]');
    await waitForText(page, '.axes', 'all 3 are combined');
    await page.waitForSelector('.viewer-inputs [data-lit]'); // the first element is described, and lit
    assert.deepEqual(await lit(page, '.viewer-inputs'), ['1', '2', '3']);
    assert.equal(await page.$eval(`${outputs} [data-chosen]`, ({ textContent }) => textContent), '6');
    const cells = await page.$$(`${outputs} [role="gridcell"]`);
    await cells[1].hover();
    assert.deepEqual(await lit(page, '.viewer-inputs'), ['4', '5', '6']);
    await waitForText(page, 'chosen-element', 'computed from data[1, 0], data[1, 1], data[1, 2]');
    await (await page.$('.viewer-inputs [role="gridcell"]')).hover();
    await page.waitForSelector(`${outputs} [data-lit]`);
    assert.deepEqual(await lit(page, outputs), ['6']);
    await type(page, 'input:1:values', '[0]');
    await waitForText(page, outputs, 'float32 [1, 3]');
    await page.focus(`${outputs} [role="gridcell"][tabindex="0"]`);
    await page.waitForSelector('.viewer-inputs [data-lit]');
    assert.deepEqual(await lit(page, '.viewer-inputs'), ['1', '4']);
    await type(page, 'input:0:values', '[[1, 2], [3, 4], [5, 6]]');
    await waitForText(page, outputs, 'float32 [1, 2]');
    await type(page, 'input:0:values', '[[1, 2], [3]]');
    await page.waitForSelector('.stage .problem');
    await page.waitForSelector('.outcome[data-stale="true"][data-note="From before the error"] .viewer-outputs');
  });

  test(`operators' pages open with something to play with, and one line of code of each, in ${name}`, async (t) => {
    const { page, complaints, violations } = await visit(t, { hash: '/operators/Abs', width: 375 });
    for (const operator of new Set([...someOf(names, 5), 'Resize', 'Cast'])) {
      await go(page, `/operators/${operator}`);
      await waitForText(page, 'h1', operator);
      await page.waitForSelector(`.stage ${slider}, .stage .viewer-outputs`);
      await page.waitForFunction(() => document.querySelector('.stage-lines code')?.textContent.startsWith('ops.'));
      assert.equal(await page.$('.stage .problem'), null, operator);
      const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      assert.equal(isWide, false, operator);
      assert.deepEqual(await page.evaluate(brokenWords), [], operator);
      const lists = await page.$$eval('.stage select', (all) =>
        all.map(({ options }) => [...options].map(({ text }) => text.trim())),
      );
      for (const words of lists) assert.deepEqual(words, [...new Set(words)], operator);
    }
    await go(page, '/operators/ConstantOfShape/9..21');
    await waitForText(page, 'h1', 'ConstantOfShape');
    await waitForText(page, '.versions-news', 'ConstantOfShape-20');
    await waitForText(page, '.versions-news', 'ConstantOfShape-21');
    await page.waitForSelector('.stage .viewer-outputs'); // what stands above it has come
    await page.waitForFunction(() => {
      const { top, bottom } = document.getElementById('versions').getBoundingClientRect();
      return top >= -1 && bottom <= innerHeight; // browsers round
    });
    assert.deepEqual(complaints, []);
    assert.deepEqual(await violations(), []);
  });
});
