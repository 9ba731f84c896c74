// Unusually long, large or strange data: it neither breaks the page nor is shown
// wrongly.
import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { bytes, input, integer, model, node, output } from '../../tools/models/writer.mjs';
import { chooseOperator, inUsualBrowsers, openTab, paste, type, waitForText } from './helpers/playground.mjs';

const folder = mkdtempSync(join(tmpdir(), 'broadloom-edges-'));
const outputs = '.viewer-outputs';

/** A .npy file of int64 elements. */
function npy(name, elements) {
  const header = `${`{'descr': '<i8', 'fortran_order': False, 'shape': (${elements.length},), }`.padEnd(117)}\n`;
  const start = Buffer.from([0x93, ...Buffer.from('NUMPY'), 1, 0, header.length, 0]);
  const path = join(folder, name);
  writeFileSync(path, Buffer.concat([start, Buffer.from(header), Buffer.from(BigInt64Array.from(elements).buffer)]));
  return path;
}

async function openIdentity(visit, t, options) {
  const opened = await visit(t, { hash: '/try', ...options });
  await opened.page.waitForSelector(outputs);
  await chooseOperator(opened.page, 'Identity');
  await waitForText(opened.page, outputs, 'float32 [1, 1, 2, 2]');
  return opened;
}

async function giveStrings(page, text) {
  await page.select('[id="input:0:type"]', 'string');
  await page.select('[id="input:0:kind"]', 'text');
  await type(page, 'input:0:dims', '1');
  await paste(page, 'input:0:values', text);
  await waitForText(page, outputs, 'string [1]');
}

const widthOf = (page) => page.evaluate(() => document.documentElement.scrollWidth);

inUsualBrowsers((name, visit) => {
  for (const operator of ['Constant', 'ConstantOfShape', 'Expand', 'Identity', 'Shape']) {
    test(`the page of ${operator} fits 320 px, below a header of two low lines, in ${name}`, async (t) => {
      const { page } = await visit(t, { hash: `/operators/${operator}`, width: 320 });
      await waitForText(page, 'h1', operator);
      assert.ok((await widthOf(page)) <= 320, `${await widthOf(page)} px`);
      assert.ok((await page.$eval('header.top', ({ offsetHeight }) => offsetHeight)) <= 88);
      assert.ok(
        (await page.$eval('h1', (title) => title.getBoundingClientRect().top)) < 180,
        'the list is before the title',
      );
    });
  }

  test(`the name of the last page is in view on a phone in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/benchmark', width: 360 });
    await waitForText(page, 'h1', 'Benchmark');
    const isSeen = () => {
      const { right } = document.querySelector('header.top [aria-current=page]').getBoundingClientRect();
      return right <= document.documentElement.clientWidth;
    };
    await page.waitForFunction(isSeen);
    await page.evaluate(() => {
      location.hash = '#/operators/Abs';
    });
    await waitForText(page, 'h1', 'Abs');
    await page.waitForFunction(() => document.querySelector('header.top nav').scrollLeft === 0);
  });

  test(`a string of a million characters does not widen the page in ${name}`, async (t) => {
    const { page, complaints } = await openIdentity(visit, t, { width: 320 });
    await giveStrings(page, `"${'m'.repeat(1_000_000)}"`);
    await waitForText(page, 'chosen-element', 'mmm');
    assert.ok((await widthOf(page)) <= 320, `${await widthOf(page)} px`);
    assert.deepEqual(complaints, []);
  });

  test(`long names in a model do not widen the pages that show it in ${name}`, async (t) => {
    const { page, complaints } = await visit(t, { hash: '/simplify', width: 320 });
    const long = (letter) => letter.repeat(200);
    const file = join(folder, 'long.onnx');
    const place = bytes(13, [bytes(1, 'location'), bytes(2, long('l'))]);
    const graph = [
      node(long('O'), long('n'), [long('x'), long('w')], [long('m')]),
      node('Neg', long('k'), [long('m')], [long('y')]),
      bytes(5, [integer(1, 3), integer(2, 1), bytes(8, long('w')), integer(14, 1), place]),
      input(long('x'), 'float32', [long('d')]),
      output(long('y'), 'float32', [long('d')]),
    ];
    writeFileSync(file, model('made', graph));
    const isNarrow = async () => assert.ok((await widthOf(page)) <= 320, `${await widthOf(page)} px`);
    await (await page.waitForSelector('#models-file')).uploadFile(file);
    await page.waitForSelector('#simplify-result');
    await isNarrow();
    await type(page, 'dim:0', '-1');
    await page.keyboard.press('Enter');
    await waitForText(page, '.simplify-form .problem', 'is -1');
    await isNarrow();
    for (const tab of ['run', 'weights', 'compare']) {
      await openTab(page, tab);
      await page.waitForSelector(
        `${{ run: '#models-run ~ p', weights: '.weights-table', compare: '#compare-file' }[tab]}`,
      );
      await isNarrow();
    }
    await openTab(page, 'graph');
    await page.waitForSelector('.panel-list');
    await isNarrow();
    await page.$eval('#node-0 .nodes-choose', (button) => button.click());
    await page.waitForSelector('.panel .panel-close');
    await isNarrow();
    assert.deepEqual(complaints, []);
  });

  test(`characters that change the direction of text are shown by their codes in ${name}`, async (t) => {
    const { page } = await openIdentity(visit, t);
    await giveStrings(page, '"safe\u202Etxt.exe"');
    await waitForText(page, `${outputs} [role="gridcell"]`, 'safe\\u202etxt.exe');
    await waitForText(page, '.hidden-note', 'safe\\u202etxt.exe');
    await waitForText(page, '#code', 'safe\\u202etxt.exe');
    assert.equal(await page.$eval('#main', (main) => main.textContent.includes('\u202e')), false);
    await page.goto(page.url().replace(/#.*/, '#/models'));
    const file = join(folder, 'a\u202Exnno.onnx');
    writeFileSync(file, 'nothing');
    await (await page.waitForSelector('#models-file')).uploadFile(file);
    await waitForText(page, '[role=alert]', 'a\\u202exnno.onnx');
  });

  test(`one of many axes can be selected to step through, in ${name}`, async (t) => {
    const { page } = await openIdentity(visit, t, { width: 320 });
    await page.select('[id="input:0:kind"]', 'range');
    await type(page, 'input:0:dims', Array(24).fill('1').fill('2', 15).join(', '));
    const planes = `${outputs} plane-choice`;
    await waitForText(page, `${planes} .sliders-plane`, '[0, 0,');
    assert.equal((await page.$$(`${planes} input[type="range"]`)).length, 1);
    await waitForText(page, `${outputs} [role="gridcell"]`, '0');
    await page.select(`${planes} select`, '15');
    await page.focus(`${planes} input[type="range"]`);
    await page.keyboard.press('ArrowRight');
    await waitForText(page, `${outputs} [role="gridcell"]`, '256');
    await waitForText(page, `${planes} .sliders-plane`, '1, 0, 0, 0, 0, 0, 0, :, :]');
    assert.ok((await widthOf(page)) <= 320, `${await widthOf(page)} px`);
  });

  test(`2^53 + 1 from a .npy file is shown exactly, in cells and in pictures, in ${name}`, async (t) => {
    const { page } = await openIdentity(visit, t);
    const big = 2n ** 53n + 1n;
    const input = await page.$('.form .card input[type="file"]');
    await input.uploadFile(npy('few.npy', [big]));
    await waitForText(page, `${outputs} [role="gridcell"]`, String(big));
    await waitForText(page, 'chosen-element', String(big));
    await input.uploadFile(npy('many.npy', Array(5000).fill(big)));
    await waitForText(page, `${outputs} .picture-statistics`, `Min${big}`);
    await waitForText(page, `${outputs} .picture-statistics`, `Max${big}`);
    await waitForText(page, `${outputs} .picture-ends`, String(big));
    await (await page.$(`${outputs} .picture-plane canvas`)).hover();
    await waitForText(page, `${outputs} [data-read]`, String(big));
    await waitForText(page, `${outputs} [role="gridcell"]`, String(big));
  });
});
