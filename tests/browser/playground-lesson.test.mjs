// The page of an operator as a lesson: presets with what to see in them, the result beside its inputs, lines from the sources of an
// element to it, a walk through the elements, and why a call fails, with calls nearby that run.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { go, inUsualBrowsers, type, waitForText } from './helpers/playground.mjs';

const outputs = '.viewer-outputs';
const chosen = (page) => page.$eval(`${outputs} [data-chosen]`, ({ ariaLabel }) => ariaLabel);
const waitForChosen = (page, label) =>
  page.waitForFunction(
    (selector, wanted) => document.querySelector(selector)?.ariaLabel === wanted,
    {},
    `${outputs} [data-chosen]`,
    label,
  );
const lineCount = (page, count) =>
  page.waitForFunction((wanted) => document.querySelectorAll('.viewer-lines path').length === wanted, {}, count);
const boxOf = (page, selector) =>
  page.$eval(selector, (element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    return { left, top, right, bottom };
  });
const labels = (page, where) =>
  page.$$eval(`${where} label`, (all) => all.map(({ textContent }) => textContent.trim()));

inUsualBrowsers((name, visit) => {
  test(`a preset is a button with a sentence, its call is in the address, and an edited call is none of them, in ${name}`, async (t) => {
    const { page, complaints, violations } = await visit(t, { hash: '/operators/Conv' });
    await waitForText(page, outputs, 'float32 [1, 1, 2, 2]');
    assert.equal(await page.$eval('[data-preset="0"]', (button) => button.getAttribute('aria-pressed')), 'true');
    await waitForText(page, '.stage-question', 'Which two give the first element, 6?');
    await page.click('[data-preset="3"]');
    await waitForText(page, '.stage-question', 'The window moves by two.');
    await page.waitForFunction(() => document.getElementById('attribute:strides')?.value === '2, 2');
    await page.waitForFunction(() => /^#\/operators\/Conv\/1/.test(location.hash));
    const hash = await page.evaluate(() => location.hash.slice(1));
    const { page: other } = await visit(t, { hash, language: 'zh' });
    await waitForText(other, '[data-preset="3"][aria-pressed="true"]', '步幅');
    await waitForText(other, '.stage-question', '窗口每次移动两格');
    await type(page, 'attribute:strides', '1, 1');
    await waitForText(page, '.stage-question', 'A call of your own.');
    assert.equal(await page.$('[data-preset][aria-pressed="true"]'), null);
    assert.deepEqual(complaints, []);
    assert.deepEqual(await violations(), []);
  });

  test(`inputs stand at the left of outputs from 1024 px on, below them on phones, and the first result is on the first screen, in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/operators/Expand', height: 800 });
    await waitForText(page, outputs, 'float32 [2, 3, 6]');
    const last = `${outputs} tbody tr:last-child`;
    assert.ok((await boxOf(page, last)).bottom < 800);
    for (const width of [1024, 1280, 1920]) {
      await page.setViewport({ width, height: 800 });
      const [fields, inputs, result] = [
        await boxOf(page, '.stage-call'),
        await boxOf(page, '.viewer-inputs'),
        await boxOf(page, outputs),
      ];
      assert.ok(fields.right <= result.left && inputs.right <= result.left, `${width}`);
      assert.ok(Math.abs(fields.top - result.top) < 2, `${width}`);
    }
    await page.setViewport({ width: 320, height: 800 });
    const [fields, inputs, result] = [
      await boxOf(page, '.stage-call'),
      await boxOf(page, '.viewer-inputs'),
      await boxOf(page, outputs),
    ];
    assert.ok(fields.bottom <= result.top && result.bottom <= inputs.top);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  });

  test(`lines lead from each source of the first element to it, and follow the arrow keys, in ${name}`, async (t) => {
    const { page, violations } = await visit(t, { hash: '/operators/Conv' });
    await waitForText(page, outputs, 'float32 [1, 1, 2, 2]');
    await lineCount(page, 8); // four elements of X, four of W
    assert.equal(await chosen(page), '[0, 0, 0, 0] 6');
    const first = await page.$eval('.viewer-lines', ({ innerHTML }) => innerHTML);
    await page.focus(`${outputs} [role="gridcell"][tabindex="0"]`);
    await page.keyboard.press('ArrowRight');
    await waitForChosen(page, '[0, 0, 0, 1] 8');
    await page.waitForFunction((before) => document.querySelector('.viewer-lines').innerHTML !== before, {}, first);
    const ends = await page.evaluate(() => {
      const { left, top } = document.querySelector('.viewer-lines').getBoundingClientRect();
      const lit = [...document.querySelectorAll('.viewer-inputs [data-lit]')].map((one) => one.getBoundingClientRect());
      return [...document.querySelectorAll('.viewer-lines circle')].every((dot) => {
        const [x, y] = [Number(dot.getAttribute('cx')) + left, Number(dot.getAttribute('cy')) + top];
        return lit.some((box) => x >= box.left - 1 && x <= box.right + 1 && y >= box.top - 1 && y <= box.bottom + 1);
      });
    });
    assert.ok(ends);
    await type(page, 'input:1:values', '[[[[1, 0], [0, "x"]]]]'); // cannot be read: the result is an old one
    await page.waitForSelector('.outcome[data-stale="true"]');
    // The error has pushed down what they lead to.
    assert.equal(await page.$eval('.viewer-lines', (layer) => getComputedStyle(layer).visibility), 'hidden');
    await type(page, 'input:1:values', '[[[[1, 0], [0, 1]]]]');
    await page.waitForFunction(
      () => getComputedStyle(document.querySelector('.viewer-lines')).visibility === 'visible',
    );
    assert.deepEqual(await violations(), []);
  });

  test(`no line crosses what lies between grids that are far below each other, in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/operators/TopK', width: 390 });
    await waitForText(page, outputs, 'float32 [2, 2]');
    await page.waitForSelector('.viewer-inputs [data-lit]');
    await lineCount(page, 0);
    await page.setViewport({ width: 1280, height: 900 });
    await page.waitForSelector('.viewer-lines path');
  });

  test(`the walk goes through all elements and stops at the end, and turns to their planes, in ${name}`, async (t) => {
    const { page, complaints } = await visit(t, { hash: '/operators/Where' });
    await waitForText(page, outputs, 'float32 [2, 2]');
    await page.click('[data-walk="next"]');
    await waitForChosen(page, '[0, 1] 20');
    await page.click('[data-walk="play"]');
    await waitForText(page, '[data-walk="play"]', 'Pause');
    await waitForChosen(page, '[1, 1] 4');
    await waitForText(page, '[data-walk="play"]', 'Play');
    assert.equal(await page.$eval('[data-walk="next"]', (button) => button.getAttribute('aria-disabled')), 'true');
    await page.click('[data-walk="play"]'); // from the start again
    await waitForChosen(page, '[0, 0] 1');
    await page.click('[data-walk="play"]');
    await waitForText(page, '[data-walk="play"]', 'Play');
    await go(page, '/operators/Expand');
    await waitForText(page, outputs, 'float32 [2, 3, 6]');
    await page.focus(`${outputs} input[type="range"]`);
    await page.keyboard.press('ArrowRight');
    await page.focus(`${outputs} tbody tr:last-child td:last-child`);
    await waitForChosen(page, '[1, 2, 5] 3');
    await waitForText(page, '.walk-place', '36 / 36');
    await page.click('[data-walk="play"]');
    await waitForChosen(page, '[0, 0, 0] 1');
    await waitForText(page, '[data-walk="play"]', 'Pause');
    await page.evaluate(() => {
      Object.defineProperty(document, 'hidden', { value: true });
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await waitForText(page, '[data-walk="play"]', 'Play');
    assert.deepEqual(complaints, []);
  });

  test(`with reduced motion the walk takes one step for each press, in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/operators/Where' });
    await waitForText(page, outputs, 'float32 [2, 2]');
    await page.evaluate(() => {
      const { matchMedia } = globalThis;
      globalThis.matchMedia = (query) => (query.includes('reduced-motion') ? { matches: true } : matchMedia(query));
    });
    for (const label of ['[0, 1] 20', '[1, 0] 30']) {
      await page.click('[data-walk="play"]');
      await waitForText(page, '[data-walk="play"]', 'Play');
      await waitForChosen(page, label);
    }
  });

  test(`attributes that matter have fields with a sentence each, the others are folded, in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/operators/Conv' });
    await waitForText(page, outputs, 'float32 [1, 1, 2, 2]');
    assert.deepEqual(await labels(page, '.stage-attributes > .stage-fields'), [
      ...['auto_pad', 'dilations', 'pads', 'strides'],
    ]);
    await waitForText(page, '[id="attribute:strides:hint"]', 'The distance between neighbouring places');
    assert.deepEqual(await labels(page, '.stage-more'), ['B', 'group', 'kernel_shape']);
    assert.equal(await page.$eval('.stage-more', ({ open }) => open), false);
    await page.click('.stage-more > summary');
    await type(page, 'input:2:values', '[100]');
    await waitForText(page, outputs, '106');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'input:2:values'); // typing goes on
    await page.focus(`${outputs} [role="gridcell"][tabindex="0"]`);
    await page.waitForSelector('.stage-call [id="input:2:values"]'); // what is given stands with the others
  });

  for (const [operator, preset, says, mend, shows] of [
    ['Reshape', 4, '7 is not divisible by 2', 'Use [7, -1]', 'float32 [7, 1]'],
    ['Expand', 4, 'Axis 0: 3 and 2 differ', 'Use [1, 4]', 'float32 [3, 4]'],
    ['Conv', 5, 'X has 2 channels. W has 1, times group 1: 1.', 'Use W [1, 2, 2, 2]', 'float32 [1, 1, 2, 2]'],
  ]) {
    test(`a refused ${operator} is drawn with its reason, and a button mends it, in ${name}`, async (t) => {
      const { page, complaints, violations } = await visit(t, { hash: `/operators/${operator}` });
      await page.waitForSelector(`${outputs} [role="gridcell"]`);
      await page.click(`[data-preset="${preset}"]`);
      await waitForText(page, '.why', says);
      assert.ok((await page.$$('.why [data-clash]')).length > 0);
      await page.waitForSelector('.outcome[data-stale="true"]');
      const buttons = await page.$$('.why-mends button');
      const texts = await page.$$eval('.why-mends button', (all) => all.map(({ textContent }) => textContent.trim()));
      await buttons[texts.indexOf(mend)].click();
      await waitForText(page, outputs, shows);
      await page.waitForFunction(() => document.querySelector('.why') === null);
      assert.match(await page.evaluate(() => document.activeElement.id), /^input:/);
      assert.equal(await page.$('[data-stale="true"]'), null);
      assert.deepEqual(complaints, []);
      assert.deepEqual(await violations(), []);
    });
  }

  test(`an index outside is shown on a ruler, and the sentences are Chinese in Chinese, in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/operators/Gather', language: 'zh' });
    await waitForText(page, outputs, 'float32 [2, 2]');
    await type(page, 'input:1:values', '2, 5');
    await waitForText(page, '.why', '索引 5 超出轴 0 的范围');
    const { left: at } = await boxOf(page, '.why-ruler circle');
    assert.ok(at > (await boxOf(page, '.why-range')).right);
    await page.click('.why-mends button');
    await waitForText(page, outputs, 'float32 [2, 2]');
    await page.waitForFunction(() => document.getElementById('input:1:values').value === '2, 2');
  });

  test(`below the stage come the rules, versions, code, examples and neighbours, and the code of the call is a button away, in ${name}`, async (t) => {
    const { page, complaints, violations } = await visit(t, { hash: '/operators/Reshape' });
    await waitForText(page, outputs, 'float32 [3, 2]');
    const headings = await page.$$eval('.content > h2, .content > section > h2', (all) =>
      all.map(({ textContent }) => textContent.trim()),
    );
    assert.deepEqual(headings, ['What Reshape does', 'Version', 'Code', 'Examples', 'See also']);
    await page.click('[data-preset="1"]');
    await waitForText(page, outputs, 'float32 [6]');
    await page.click('#to-code');
    await waitForText(page, '#code', 'ops.reshape(');
    await page.click('#tab-python');
    await waitForText(page, '#code', 'import numpy');
    await waitForText(page, '.see-also', 'torch.reshape');
    const [neighbour] = await page.$$('.see-also .chip[href]');
    await neighbour.click();
    await waitForText(page, 'h1', 'Flatten');
    await page.waitForSelector('#code'); // still open, with the code of this call
    await waitForText(page, '#code', 'Flatten');
    assert.deepEqual(complaints, []);
    assert.deepEqual(await violations(), []);
  });
});
