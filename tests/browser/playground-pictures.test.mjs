// The pictures of operators: what each family draws follows from what the module computes, and goes along with the grids.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { someOf } from '../depth.mjs';
import { go, inUsualBrowsers, layoutShifts, type, waitForText } from './helpers/playground.mjs';

const axe = readFileSync(new URL('../../web-demo/node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');

const stage = '.picture-stage';
const outputs = '.viewer-outputs';

/** Goes to the page of an operator, and waits for its picture. */
async function open(page, operator) {
  await go(page, `/operators/${operator}`);
  await page.waitForSelector(`${stage}[aria-label*="${operator}"]`);
}

const words = (page) => page.$eval('.picture-words', ({ textContent }) => textContent.trim());
const press = async (page, ...keys) => {
  await page.focus(stage);
  for (const key of keys) await page.keyboard.press(key);
};
const attributesOf = (page, selector, ...names) =>
  page.$$eval(
    `${stage} ${selector}`,
    (elements, wanted) => elements.map((element) => wanted.map((name) => Number(element.getAttribute(name)))),
    names,
  );
const textsOf = (page, selector) =>
  page.$$eval(`${stage} ${selector}`, (elements) => elements.map(({ textContent }) => textContent.trim()));
const near = (one, other, message) => assert.ok(Math.abs(one - other) < 1e-3 * Math.max(1, Math.abs(other)), message);

/** The value of a written sum of products, and what it says that it equals. */
function bothSides(text) {
  const [sum, result] = text.split(' = ');
  const terms = sum.split(' + ').map((term) => term.split(' × ').reduce((product, one) => product * Number(one), 1));
  return [terms.reduce((total, term) => total + term, 0), Number(result)];
}

inUsualBrowsers((name, visit) => {
  test(`the window of a convolution moves by its stride over the padding, and the sum that is written is the element, in ${name}`, async (t) => {
    const { page, complaints, violations } = await visit(t, { hash: '/operators/Conv' });
    await page.waitForSelector(stage);
    await type(page, 'attribute:strides', '2, 2');
    await type(page, 'attribute:pads', '1, 1, 1, 1');
    await waitForText(page, '.pic-note', 'Striped cells are padding');
    await press(page, 'Home');
    const [[first]] = await attributesOf(page, '.pic-window', 'x');
    const [[cell]] = await attributesOf(page, '.pic-cell', 'width');
    assert.equal(first, 0); // over the padding
    await press(page, 'ArrowRight');
    const [[second]] = await attributesOf(page, '.pic-window', 'x');
    assert.equal(second, 2 * cell);
    await press(page, 'ArrowDown');
    const [sum, result] = bothSides(await words(page));
    assert.equal(sum, result);
    assert.equal(await page.$eval(`${outputs} [data-chosen]`, ({ textContent }) => Number(textContent)), result);
    assert.equal(await page.$eval(stage, (element) => element.getAttribute('aria-valuetext')), await words(page));
    await type(page, 'attribute:dilations', '2, 2');
    await page.waitForFunction(
      (size) => Number(document.querySelector('.picture-stage .pic-window').getAttribute('width')) === 3 * size,
      {},
      cell,
    );
    assert.deepEqual(complaints, []);
    assert.deepEqual(await violations(), []);
  });

  test(`a picture follows the element that is pointed at in a grid, and points in the grids itself, in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/operators/MatMul' });
    await page.waitForSelector(stage);
    await (await page.$$(`${outputs} [role="gridcell"]`))[3].hover();
    await waitForText(page, '.picture-words', '4 × 0 + 5 × 1 + 6 × 1 = 11');
    await (await page.$(`${stage} [data-place="o0:1"]`)).hover();
    await waitForText(page, '.picture-words', '1 × 0 + 2 × 1 + 3 × 1 = 5');
    assert.equal(await page.$eval(`${outputs} [data-chosen]`, ({ textContent }) => textContent), '5');
    const lit = await page.$$eval('.viewer-inputs [data-lit]', (all) => all.map(({ textContent }) => textContent));
    assert.deepEqual(lit, ['1', '2', '3', '0', '1', '1']);
    const [sum, result] = bothSides(await words(page));
    assert.equal(sum, result);
  });

  test(`play walks through the elements to the last one, in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/operators/MaxPool' });
    await page.waitForSelector(stage);
    assert.equal(await words(page), 'max(1, 5, 4, 2) = 5');
    const best = await attributesOf(page, '.pic-best', 'x', 'y');
    assert.equal(best.length, 1);
    await page.click('.picture-head .button');
    await waitForText(page, '.picture-head .button', 'Pause');
    await waitForText(page, '.picture-words', 'max(9, 8, 4, 5) = 9');
    await waitForText(page, '.picture-head .button', 'Play');
  });

  test(`bars stand for the elements before and after a softmax, and for those that a mean is taken of, in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/operators/Softmax' });
    await page.waitForSelector(stage);
    const after = (await attributesOf(page, '[data-place^="o0"] .pic-bar', 'height')).flat();
    const total = after.reduce((sum, height) => sum + height, 0);
    near(after[2] / total, 0.66524096);
    await press(page, 'ArrowDown');
    await waitForText(page, '.picture-words', 'e^1 ÷ (e^1 + e^2 + e^4)');
    await open(page, 'LayerNormalization');
    assert.deepEqual(await textsOf(page, '.pic-label'), ['mean 2.5', 'mean 0']);
    await press(page, 'ArrowDown');
    assert.deepEqual(await textsOf(page, '.pic-label'), ['mean 25', 'mean 0']);
  });

  test(`the weights of an attention are the module's, and what is hidden is striped, in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/operators/Attention' });
    await page.waitForSelector(stage);
    assert.equal((await page.$$(`${stage} .pic-hatch`)).length, 3); // two keys of the first query, one of the second
    await press(page, 'ArrowDown');
    await waitForText(page, '.picture-words', 'query 1 takes 0.33 of key 0, 0.67 of key 1; 1 hidden');
    await page.select('[id="attribute:is_causal"]', '0').catch(() => type(page, 'attribute:is_causal', '0'));
    await page.waitForFunction(() => document.querySelector('.picture-stage .pic-hatch') === null);
  });

  test(`elements that move have a source, and the index that leads to it, in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/operators/Gather' });
    await page.waitForSelector(stage);
    assert.equal(await words(page), 'output[0, 0] = data[2, 0] = 5; indices[0] = 2');
    await press(page, 'End');
    assert.equal(await words(page), 'output[1, 1] = data[0, 1] = 2; indices[1] = 0');
    await open(page, 'ScatterND');
    assert.equal(await words(page), 'output[0] = updates[1] = 10; indices[1, 0] = 0');
    await open(page, 'OneHot');
    await press(page, 'ArrowRight', 'ArrowRight');
    assert.equal(await words(page), 'output[0, 2] = indices[0] = 1');
    await open(page, 'Pad');
    assert.equal(await words(page), 'output[0, 0] = 0, filled in');
  });

  test(`elements travel to their new places when somebody plays, in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/operators/Transpose' });
    await page.waitForSelector(stage);
    const place = () => attributesOf(page, '[data-place="o0:1"] rect', 'x', 'y');
    const [end] = await place();
    const isAway = ([x, y]) => {
      const rect = document.querySelector('.picture-stage [data-place="o0:1"] rect');
      return Number(rect.getAttribute('x')) !== x || Number(rect.getAttribute('y')) !== y;
    };
    await page.click('.picture-head .button');
    await page.waitForFunction(isAway, {}, end);
    await waitForText(page, '.picture-head .button', 'Play');
    assert.deepEqual(await place(), [end]);
    assert.equal(await words(page), 'transposed[0, 0] = data[0, 0] = 1');
  });

  test(`ranks, folds and running sums name their elements, in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/operators/TopK' });
    await page.waitForSelector(stage);
    await press(page, 'ArrowRight');
    assert.equal(await words(page), 'rank 2: 4, at index 2');
    assert.equal((await page.$$(`${stage} .pic-bar-dull`)).length, 2);
    await open(page, 'ArgMin');
    assert.equal(await words(page), 'the least element is 2, at index 0');
    await open(page, 'NonZero');
    await press(page, 'End');
    assert.equal(await words(page), 'X[1, 1] = 3 is not zero: its index is column 2');
    await open(page, 'ReduceMean');
    assert.deepEqual((await textsOf(page, '.pic-number')).slice(3), ['1', '3', '6', '2']);
    await open(page, 'CumSum');
    await press(page, 'ArrowRight', 'ArrowRight');
    assert.equal(await words(page), '1 + 2 + 3 = 6');
    await open(page, 'Einsum');
    const [sum, result] = bothSides(await words(page));
    assert.equal(sum, result);
  });

  test(`a staircase has the numbers of the call, and samples have their places, in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/operators/DynamicQuantizeLinear' });
    await page.waitForSelector(stage);
    const [, result] = (await words(page)).split(' = ');
    assert.equal(await page.$eval(`${outputs} [data-chosen]`, ({ textContent }) => textContent), result);
    await open(page, 'Resize');
    assert.equal((await page.$$(`${stage} :is(.pic-sample, .pic-point)`)).length, 16);
    await press(page, 'ArrowRight', 'ArrowRight');
    assert.equal(await words(page), 'Y[0, 0, 0, 2] samples row -0.25, column 0.75: 2');
    await open(page, 'GridSample');
    await press(page, 'ArrowRight');
    assert.equal(await words(page), '(0, 0) → Y[0, 0, 0, 1] samples row 0.5, column 0.5: 2.5');
  });

  test(`gates, overlaps and spectra are computed from the call, in ${name}`, async (t) => {
    const { page, complaints, violations } = await visit(t, { hash: '/operators/LSTM' });
    await page.waitForSelector(stage);
    // X is [1, 0] first: each gate is a function of its first weight.
    const sigmoid = (x) => 1 / (1 + Math.exp(-x));
    const gates = [sigmoid(0.5), sigmoid(0.25), sigmoid(1), Math.tanh(-0.25)].map((gate) =>
      Number(gate.toPrecision(3)),
    );
    const [i, o, f, c] = gates;
    assert.match(await words(page), new RegExp(`i = ${i}, o = ${o}, f = ${f}, c̃ = ${c}, h = `));
    await open(page, 'NonMaxSuppression');
    await press(page, 'ArrowRight');
    assert.equal(await words(page), 'box 1, score 0.75: not kept; IoU with box 0, which is kept: 0.818');
    await open(page, 'RoiAlign');
    await waitForText(page, '.picture-words', 'the mean of the points, Y[0, 0, 0, 0] = 2');
    await open(page, 'DFT');
    await press(page, 'ArrowDown', 'ArrowDown');
    assert.equal(await words(page), 'frequency 2: 0 − 4j, size 4');
    await open(page, 'STFT');
    assert.equal((await page.$$(`${stage} .pic-heat`)).length, 9);
    await open(page, 'HannWindow');
    await press(page, 'End');
    assert.match(await words(page), /^sample 7: 0\.14/);
    assert.deepEqual(complaints, []);
    assert.deepEqual(await violations(), []);
  });
});

/** Operators of all families, with wide pictures among them. */
const shown = ['Conv', 'LayerNormalization', 'Attention', 'ScatterElements', 'TopK', 'Gemm', 'ReduceL2', 'LSTM', 'DFT'];

inUsualBrowsers((name, visit) => {
  test(`axe finds nothing on pages with pictures, which fit phones, in ${name}`, async (t) => {
    const { page, complaints } = await visit(t, {
      hash: '/operators/Resize',
      language: 'zh',
      theme: 'dark',
      width: 320,
    });
    await page.waitForSelector(stage);
    await page.evaluate(axe);
    for (const operator of someOf(shown, 3)) {
      await open(page, operator);
      const findings = await page.evaluate(async () => {
        const { violations } = await globalThis.axe.run('operator-picture');
        return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html)}`);
      });
      assert.deepEqual(findings, [], operator);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false, operator);
    }
    assert.deepEqual(complaints, []);
  });

  test(`elements are at one end or the other for those who want no motion, in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/operators/Transpose' });
    await page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }]);
    await page.waitForSelector(stage);
    const places = await page.evaluate(async () => {
      const found = new Set();
      const look = () => found.add(document.querySelector('[data-place="o0:1"] rect').getAttribute('x'));
      look();
      const button = document.querySelector('.picture-head .button');
      const label = button.textContent;
      button.click();
      while (button.textContent !== label) {
        look();
        await new Promise(requestAnimationFrame);
      }
      return [...found];
    });
    assert.equal(places.length, 2);
  });

  // Firefox does not report layout shifts.
  if (name === 'chromium')
    test('a picture comes with its result, and shifts nothing', async (t) => {
      const { page } = await visit(t, { hash: '/operators/Transpose' });
      await page.waitForSelector(stage);
      await page.reload();
      await page.waitForSelector(stage);
      const shifts = await layoutShifts(page);
      assert.deepEqual(shifts, []);
    });
});
