// "Try it": editing, errors at their fields, undo, links, files in, by mouse and by keyboard alone.
import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { load } from '../../dist/index.js';
import { chooseOperator, inUsualBrowsers, openTry, paste, type, waitForText } from './helpers/playground.mjs';

const ops = await load();
const folder = mkdtempSync(join(tmpdir(), 'broadloom-try-'));

const outputs = '.viewer-outputs';
const field = (id) => `[id="${id}"]`;

async function openOperator(page, name, shows) {
  await chooseOperator(page, name);
  await waitForText(page, outputs, shows);
}

/** The texts of a select's disabled options. */
const greyed = (page, id) =>
  page.$$eval(`${field(id)} option:disabled`, (options) => options.map(({ textContent }) => textContent.trim()));

/** Waits until the cells of the output's grid, row by row, hold these values. */
const waitForCells = (page, values) =>
  page.waitForFunction(
    (selector, wanted) =>
      [...document.querySelectorAll(selector)].map(({ textContent }) => textContent.trim()).join(' ') === wanted,
    {},
    `${outputs} [role="gridcell"]`,
    values.join(' '),
  );

inUsualBrowsers((name, visit) => {
  test(`the result follows typed text in ${name}`, async (t) => {
    const { page, complaints, violations } = await openTry(visit, t);
    await waitForText(page, outputs, 'float32 [2, 3, 6]');
    await type(page, 'input:1:values', '2, 1, 2');
    await waitForText(page, outputs, 'float32 [2, 3, 2]');
    await type(page, 'input:0:values', '7 8 9.5');
    await waitForCells(page, ['7', '7', '8', '8', '9.5', '9.5']);
    await type(page, 'input:0:dims', '');
    await type(page, 'input:0:values', '5');
    await waitForText(page, outputs, 'float32 [2, 1, 2]');
    assert.deepEqual(complaints, []);
    assert.deepEqual(await violations(), []);
  });

  test(`an error is shown in the library's words at its field, and the last result stays, in ${name}`, async (t) => {
    const { page } = await openTry(visit, t);
    await type(page, 'input:1:values', '2, 2, 6');
    const problem = field('input:1:values:problem');
    const topOf = () => page.$eval('.outcome', (element) => element.getBoundingClientRect().top + scrollY);
    const top = await topOf();
    await waitForText(page, problem, 'Expand-13: cannot broadcast [3, 1] to [2, 2, 6]');
    assert.equal(await page.$eval(field('input:1:values'), (element) => element.getAttribute('aria-invalid')), 'true');
    await waitForText(page, outputs, 'float32 [2, 3, 6]');
    assert.equal(await topOf(), top);
    await type(page, 'input:1:values', '2, -1, 6');
    await waitForText(page, problem, 'sizes cannot be negative');
    await type(page, 'input:0:dims', '3, 2');
    await waitForText(page, field('input:0:values:problem'), '3 entries');
    await type(page, 'input:0:dims', '3, x');
    await waitForText(page, field('input:0:dims:problem'), 'x');
    await type(page, 'input:0:dims', '3, 1');
    await type(page, 'input:1:values', '2, 3, 6');
    await page.waitForFunction(() => document.querySelector('.problem') === null);
    await waitForText(page, outputs, 'float32 [2, 3, 6]');
  });

  test(`a text that cannot be read has an error in the language of the page, also after a change of language, in ${name}`, async (t) => {
    const { page } = await openTry(visit, t, { language: 'zh' });
    await type(page, 'input:0:values', '1, two, 3');
    await waitForText(page, field('input:0:values:problem'), "第 1 个元素是 'two'，应为数字");
    await page.select('#language', 'en');
    await waitForText(page, field('input:0:values:problem'), "element 1 is 'two', expected a number");
  });

  test(`types that a version does not allow are disabled with the reason in ${name}`, async (t) => {
    const { page } = await openTry(visit, t);
    assert.deepEqual((await greyed(page, 'opset')).at(-1), '7 (Expand starts at opset 8)');
    assert.ok((await greyed(page, 'input:0:type')).includes('int4 (not in any version of Expand)'));
    assert.ok((await greyed(page, 'input:1:type')).includes('int32 (not in any version of Expand)'));
    await page.select('#opset', '12');
    await waitForText(page, '#chosen-version', 'Expand-8');
    assert.ok((await greyed(page, 'input:0:type')).includes('bfloat16 (new in Expand-13)'));
    await openOperator(page, 'Shape', 'int64 [2]');
    await page.select('#opset', '14');
    await waitForText(page, '.attribute[data-greyed="true"]', 'new in Shape-15');
    assert.ok(await page.$eval(field('attribute:start:given'), (element) => element.disabled));
  });

  test(`a type that a chosen version lacks is refused at the type in ${name}`, async (t) => {
    const { page } = await openTry(visit, t);
    await page.select(field('input:0:type'), 'bfloat16');
    await waitForText(page, outputs, 'bfloat16 [2, 3, 6]');
    await page.select('#opset', '12');
    await waitForText(page, field('input:0:type:problem'), 'Expand-13 (opset 13) allows it');
  });

  test(`edits are undone and redone, with buttons and with keys, in ${name}`, async (t) => {
    const { page } = await openTry(visit, t);
    assert.ok(await page.$eval('#undo', (button) => button.disabled));
    await type(page, 'input:1:values', '4');
    await type(page, 'input:1:dims', '1');
    await waitForText(page, outputs, 'float32 [3, 4]');
    await page.click('#undo');
    await page.click('#undo');
    await waitForText(page, outputs, 'float32 [2, 3, 6]');
    assert.equal(await page.$eval(field('input:1:values'), ({ value }) => value), '2, 1, 6');
    await page.focus('#main');
    await page.keyboard.down('Control');
    await page.keyboard.down('Shift');
    await page.keyboard.press('z');
    await page.keyboard.press('z');
    await page.keyboard.up('Shift');
    await waitForText(page, outputs, 'float32 [3, 4]');
    await page.keyboard.press('z');
    await page.keyboard.press('z');
    await page.keyboard.up('Control');
    await waitForText(page, outputs, 'float32 [2, 3, 6]');
  });

  test(`a pasted NumPy array sets the dims and type in ${name}`, async (t) => {
    const { page } = await openTry(visit, t);
    await paste(page, 'input:0:values', 'array([[[1, 2]],\n       [[3, 4]]], dtype=int16)');
    await page.waitForFunction(() => document.getElementById('input:0:dims').value === '2, 1, 2');
    await type(page, 'input:1:dims', '2');
    await type(page, 'input:1:values', '3, 2');
    await waitForText(page, outputs, 'int16 [2, 3, 2]');
  });

  test(`a link holds the whole call in ${name}`, async (t) => {
    const { page } = await openTry(visit, t);
    await openOperator(page, 'ConstantOfShape', 'float32 [4, 3, 2]');
    await page.select(field('attribute:value:type'), 'int4');
    await type(page, 'attribute:value:values', '-3');
    await type(page, 'input:0:values', '1, 3, 3');
    await waitForText(page, outputs, 'int4 [1, 3, 3]');
    await page.evaluate(() => {
      navigator.clipboard.writeText = async (text) => {
        globalThis.copied = text;
      };
    });
    await page.click('#copy-link');
    await waitForText(page, '.take-panel [role="status"]', 'Copied');
    await page.waitForFunction(() => location.href === globalThis.copied); // the address follows the edits
    const hash = await page.evaluate(() => new URL(globalThis.copied).hash.slice(1));
    const { page: other } = await visit(t, { hash, language: 'zh' });
    await waitForText(other, outputs, 'int4 [1, 3, 3]');
    await waitForCells(other, Array(9).fill('-3'));
    assert.equal(await other.$eval('#operator', ({ value }) => value), 'ConstantOfShape');
  });

  test(`numbers of a range stay as typed in ${name}`, async (t) => {
    const { page } = await openTry(visit, t);
    await openOperator(page, 'Identity', 'float32 [1, 1, 2, 2]');
    await page.select(field('input:0:kind'), 'range');
    for (const [typed, first] of [
      ['-5', '-5'],
      ['1.50', '1.5'],
      ['-0.05e1', '-0.5'],
    ]) {
      await type(page, 'input:0:start', typed);
      assert.equal(await page.$eval(field('input:0:start'), ({ value }) => value), typed);
      await page.waitForFunction(
        (selector, wanted) => document.querySelector(selector)?.textContent.trim() === wanted,
        {},
        `${outputs} [role="gridcell"]`,
        first,
      );
    }
    await type(page, 'input:0:start', '');
    await page.focus('#operator');
    await page.waitForFunction(() => document.getElementById('input:0:start').value === '-0.5');
  });

  test(`a string may have line ends in ${name}`, async (t) => {
    const { page } = await openTry(visit, t);
    await openOperator(page, 'Constant', 'float32 [5, 5]');
    await page.click(field('attribute:value:given'));
    await page.click(field('attribute:value_string:given'));
    await page.focus(field('attribute:value_string'));
    await page.keyboard.type('one');
    await page.keyboard.press('Enter');
    await page.keyboard.type('"two", 三 🎉');
    await waitForCells(page, [JSON.stringify('one\n"two", 三 🎉')]);
  });

  test(`the last result of a refused call can still be explored in ${name}`, async (t) => {
    const { page } = await openTry(visit, t);
    await type(page, 'input:1:values', '300, 3, 400');
    await page.waitForSelector('tensor-window');
    await type(page, 'input:1:values', '300, 2, 400');
    await page.waitForSelector('.outcome[data-stale="true"][data-note="From before the error"]');
    await page.$eval('.window-from input', (input) => {
      input.value = '400';
      input.dispatchEvent(new Event('change'));
    });
    await page.waitForFunction(
      (selector) => document.querySelector(selector)?.textContent.trim() === '2',
      {},
      `${outputs} [role="gridcell"]`,
    );
  });

  test(`.npy, .pb and image files become inputs in ${name}`, async (t) => {
    const { page } = await openTry(visit, t);
    const header = `${"{'descr': '<i2', 'fortran_order': False, 'shape': (1, 2), }".padEnd(117)}\n`;
    const npy = Buffer.concat([
      Buffer.from([0x93, ...Buffer.from('NUMPY'), 1, 0, header.length, 0]),
      Buffer.from(header),
      Buffer.from(new Int16Array([-5, 6]).buffer),
    ]);
    writeFileSync(join(folder, 'values.npy'), npy);
    writeFileSync(join(folder, 'values.pb'), ops.writeTensor(ops.tensor('bfloat16', [1.5, -2], [1, 2])));
    // A PNG of one red and one green pixel.
    const png = 'iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAAD0lEQVR4nGP4z8DA8J8BAAf/Af8Bf4mnAAAAAElFTkSuQmCC';
    writeFileSync(join(folder, 'pixels.png'), Buffer.from(png, 'base64'));
    const input = await page.$('.form .card input[type="file"]');
    await type(page, 'input:1:values', '2, 2, 2');
    await input.uploadFile(join(folder, 'values.npy'));
    await waitForText(page, outputs, 'int16 [2, 2, 2]');
    await input.uploadFile(join(folder, 'values.pb'));
    await waitForText(page, outputs, 'bfloat16 [2, 2, 2]');
    await type(page, 'input:1:values', '2, 1, 1');
    await input.uploadFile(join(folder, 'pixels.png'));
    await waitForText(page, outputs, 'uint8 [2, 2, 3]');
    writeFileSync(join(folder, 'nothing.npy'), 'nothing');
    await input.uploadFile(join(folder, 'nothing.npy'));
    await page.waitForSelector('.problem');
  });

  test(`a large result is drawn, and one that does not fit in memory is described by its layout, in ${name}`, async (t) => {
    const { page, complaints } = await openTry(visit, t);
    await type(page, 'input:1:values', '300, 3, 400');
    await waitForText(page, outputs, 'float32 [300, 3, 400]');
    await page.waitForSelector(`${outputs} canvas`);
    await type(page, 'input:1:values', '100000, 3, 40000');
    await page.waitForSelector('.viewer-unwritten');
    await waitForText(page, '.viewer-facts', '100000');
    assert.deepEqual(complaints, []);
  });

  test(`the page says that it waits for a slow result in ${name}`, async (t) => {
    const { page } = await openTry(visit, t);
    await openOperator(page, 'Identity', 'float32 [1, 1, 2, 2]');
    await page.select(field('input:0:kind'), 'random');
    await page.select(field('input:0:type'), 'string');
    await type(page, 'input:0:dims', '12000000');
    await waitForText(page, '.result-head', 'Computing');
    await waitForText(page, outputs, 'string [12000000]');
    await page.waitForFunction(() => !document.querySelector('.result-head').textContent.includes('Computing'));
  });

  test(`the chosen element of a large result stays when the language changes in ${name}`, async (t) => {
    const { page } = await openTry(visit, t);
    await type(page, 'input:1:values', '300, 3, 400');
    await waitForText(page, 'chosen-element', 'output[0, 0, 0]');
    await page.select('#language', 'zh');
    await waitForText(page, 'chosen-element', '读自');
  });

  test(`pointing at an element highlights its sources, and the reverse, in ${name}`, async (t) => {
    const { page } = await openTry(visit, t);
    const lit = (where) =>
      page.$$eval(`${where} [data-lit]`, (elements) => elements.map(({ textContent }) => textContent.trim()));
    await page.waitForSelector('.viewer-inputs [role="gridcell"]');
    const [, second] = await page.$$('.viewer-inputs [role="gridcell"]');
    await second.hover();
    await page.waitForSelector(`${outputs} [data-lit]`);
    assert.deepEqual([...new Set(await lit(outputs))], ['2']);
    const last = (await page.$$(`${outputs} [role="gridcell"]`)).at(-1);
    await last.hover();
    await page.waitForFunction(() => document.querySelectorAll('.viewer-inputs [data-lit]').length === 1);
    assert.deepEqual(await lit('.viewer-inputs'), ['3']);
  });

  test(`from 768 px on the result stays in sight while the last field is edited, in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/try/Resize', width: 768, height: 800 });
    await page.waitForSelector(`${outputs} tensor-grid`);
    const place = () => page.$eval('.viewer-outputs tensor-grid', (grid) => grid.getBoundingClientRect().toJSON());
    for (const where of ['top', 'bottom']) {
      if (where === 'bottom') await page.$eval('.form > :last-child', (last) => last.scrollIntoView({ block: 'end' }));
      const { top, bottom } = await place();
      assert.ok(top >= 0 && bottom <= 800, `at the ${where} of the page, it stands at ${top} to ${bottom} of 800`);
    }
  });

  test(`an operator is found by the name that another library has for it, and Escape keeps the one before, in ${name}`, async (t) => {
    const { page } = await openTry(visit, t);
    await type(page, 'operator', 'torch.cat');
    await waitForText(page, '#operator-hits [aria-selected="true"]', 'Concat');
    await page.keyboard.press('Escape');
    assert.equal(await page.$eval('#operator', ({ value }) => value), 'Expand');
    await type(page, 'operator', 'torch.cat');
    await (await page.waitForSelector('#operator-hits [aria-selected="true"]')).click();
    await waitForText(page, '#chosen-version', 'Concat-13');
    assert.equal(await page.$eval('#operator', ({ value }) => value), 'Concat');
  });

  test(`everything can be reached and done by keyboard alone in ${name}`, async (t) => {
    const { page } = await visit(t);
    /** Presses Tab until `condition` holds for the focused element. */
    const tabTo = async (condition, argument) => {
      for (let presses = 0; presses < 120; presses++) {
        await page.keyboard.press('Tab');
        if (await page.evaluate(condition, argument)) return;
      }
      assert.fail(`Tab does not reach ${condition}`);
    };
    const hasId = (id) => document.activeElement?.id === id;
    await tabTo(() => document.activeElement?.getAttribute('href') === '#/try');
    await page.keyboard.press('Enter');
    await page.waitForSelector(outputs);
    await tabTo(hasId, 'operator');
    await page.keyboard.type('identity');
    await waitForText(page, '#operator-hits [aria-selected="true"]', 'Identity');
    await page.keyboard.press('Enter');
    await waitForText(page, outputs, 'float32 [1, 1, 2, 2]');
    await tabTo(hasId, 'input:0:dims');
    await page.keyboard.type('2, 2');
    await waitForText(page, outputs, 'float32 [2, 2]');
    await tabTo(() => document.activeElement?.getAttribute('role') === 'gridcell');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    assert.equal(await page.evaluate(() => document.activeElement.textContent.trim()), '4');
    await tabTo(hasId, 'tab-typescript');
    await tabTo(hasId, 'copy-code');
    await tabTo(hasId, 'save-onnx');
  });
});
