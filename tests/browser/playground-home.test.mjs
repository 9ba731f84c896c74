// The first page: three ways to begin, a search over everything, a convolution that slides, and files that are dropped there.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { load } from '../../dist/index.js';
import { png } from './helpers/media.mjs';
import { catchCopies, go, inEveryBrowser, waitForText } from './helpers/playground.mjs';

const sample = new URL('../../web-demo/public/samples/batch-bias.onnx', import.meta.url);
const addressOf = (page) => page.evaluate(() => location.hash);
const waitForHash = (page, start) => page.waitForFunction((part) => location.hash.startsWith(part), {}, start);

/** Types into the search and waits until its first result leads to `address`. */
async function search(page, text, address) {
  await page.focus('#search');
  await page.$eval('#search', (field) => field.select());
  await page.keyboard.type(text);
  await page.waitForFunction(
    (wanted) => document.querySelector('#search-hits [role="option"]')?.getAttribute('href').startsWith(wanted),
    {},
    address,
  );
}

const press = async (page, key, times = 1) => {
  for (let time = 0; time < times; time++) await page.keyboard.press(key);
};

/** Drops a file on the page, as if from a folder. */
const drop = (page, name, type, bytes) =>
  page.evaluate(
    ([fileName, fileType, numbers]) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([new Uint8Array(numbers)], fileName, { type: fileType }));
      const event = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
      return document.querySelector('h1').dispatchEvent(event);
    },
    [name, type, [...bytes]],
  );

/** The place of the window, and the sum that stands beside it, as numbers. */
const windowOf = (page) =>
  page.evaluate(() => {
    const number = (text) => Number(text.replace('−', '-').replaceAll(/[()]/g, ''));
    const terms = [...document.querySelectorAll('.window-terms span')].map((term) =>
      term.textContent.replace('+ ', '').split(' × ').map(number),
    );
    const result = number(document.querySelector('.window-result b').textContent);
    return { place: Number(document.querySelector('.window-picture').ariaValueNow), terms, result };
  });

const isReady = (page) => page.waitForSelector('sliding-window svg[data-ready="true"]');

/** Loads the page again with clocks that `tick` turns, for a visitor who wants little motion or not. */
async function withOwnClock(page, wantsStillness) {
  await page.evaluateOnNewDocument((isStill) => {
    const turns = [];
    globalThis.setInterval = (turn) => turns.push(turn);
    globalThis.tick = () => {
      for (const turn of turns) turn();
    };
    if (!isStill) return;
    const ask = matchMedia;
    globalThis.matchMedia = (query) => {
      const list = ask.call(globalThis, query);
      if (query.includes('reduced-motion')) Object.defineProperty(list, 'matches', { value: true });
      return list;
    };
  }, wantsStillness);
  await page.reload();
  await isReady(page);
}

/** The number of the place after a turn of the clock. */
const placeAfterTick = async (page) => {
  await page.evaluate(() => globalThis.tick());
  return (await windowOf(page)).place;
};

inEveryBrowser((name, visit) => {
  const doors = {
    operator: ['Learn an operator', '学习算子', '#/operators/Expand', 'Expand'],
    models: ['Open a model', '打开模型', '#/models', 'Models'],
    prepare: ['Prepare an input', '准备输入', '#/prepare', 'Prepare'],
  };

  test(`three links lead from the first page to where one begins, and the brand leads back, in ${name}`, async (t) => {
    const { page, complaints, violations } = await visit(t);
    for (const [door, [text, , address, heading]] of Object.entries(doors)) {
      await waitForText(page, `#door-${door}`, text);
      await page.click(`#door-${door}`);
      await waitForText(page, 'h1', heading);
      assert.ok((await addressOf(page)).startsWith(address));
      await page.click('.brand');
      await waitForText(page, 'h1', 'Broadloom runs ONNX operators and models');
      assert.equal(await addressOf(page), '#/');
    }
    assert.equal(await page.title(), 'Broadloom: ONNX operators and models in the browser');
    assert.equal(await page.$eval('.brand', (link) => link.ariaCurrent ?? link.getAttribute('aria-current')), 'page');
    assert.deepEqual(complaints, []);
    assert.deepEqual(await violations(), []);
  });

  test(`the first page is Chinese for who reads Chinese in ${name}`, async (t) => {
    const { page, complaints } = await visit(t, { language: 'zh' });
    await waitForText(page, 'h1', '在浏览器里运行 ONNX 算子和模型');
    for (const [door, [, text]] of Object.entries(doors)) await waitForText(page, `#door-${door}`, text);
    await search(page, '转置', '#/operators/Transpose');
    await waitForText(page, '#search-hits', '算子');
    await search(page, '简化', '#/simplify');
    await isReady(page);
    await page.focus('.window-picture');
    const said = await page.$eval('.window-picture', (element) => element.getAttribute('aria-valuetext'));
    assert.match(said, /^第 \d+ 行第 \d+ 列：和为 -?\d+$/);
    assert.match(await page.title(), /^Broadloom：/);
    assert.deepEqual(complaints, []);
  });

  test(`the first page is complete before the wasm module arrives in ${name}`, async (t) => {
    const { page } = await visit(t, { unanswered: /\.wasm$/ });
    await waitForText(page, '#door-prepare', 'Prepare an input');
    await search(page, 'torch.expand', '#/operators/Expand');
    await waitForText(page, '.window-result', '…');
  });

  test(`the search finds operators, pages, models, presets and guides, and Enter opens the first, in ${name}`, async (t) => {
    const { page, complaints } = await visit(t);
    const finds = [
      ['torch.expand', '#/operators/Expand', 'torch.expand'],
      ['卷积', '#/operators/Conv', '卷积'],
      ['ImageDecoder', '#/operators/ImageDecoder', 'known shapes only'],
      ['simplify', '#/simplify', 'Page'],
      ['batch-bias', '#/models/batchBias', 'Model'],
      ['yolo', '#/prepare/image?', 'Preset'],
    ];
    for (const [text, address, says] of finds) {
      await search(page, text, address);
      await waitForText(page, '#search-hits [role="option"]', says);
      await press(page, 'Enter');
      await waitForHash(page, address);
      await page.waitForFunction(() => document.querySelector('.home') === null);
      await go(page, '/');
      await page.waitForSelector('#search');
      assert.equal(await page.$eval('#search', ({ value }) => value), '');
    }
    await search(page, 'memory and lifetimes', '../reference/documents/Memory_and_lifetimes.html');
    await page.focus('#search');
    await page.$eval('#search', (field) => field.select());
    await page.keyboard.type('zzzz');
    await waitForText(page, '.search-nothing', 'Nothing matches');
    assert.deepEqual(complaints, []);
  });

  test(`the search is a combobox for keys alone in ${name}`, async (t) => {
    const { page } = await visit(t);
    await isReady(page);
    await press(page, '/');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'search');
    const state = () =>
      page.$eval('#search', (field) => {
        const active = document.getElementById(field.getAttribute('aria-activedescendant') ?? '');
        const options = [...document.querySelectorAll('#search-hits [role="option"]')];
        return {
          expanded: field.getAttribute('aria-expanded'),
          active: active?.id,
          selected: options
            .filter((one) => one.ariaSelected === 'true' || one.getAttribute('aria-selected') === 'true')
            .map(({ id }) => id),
          last: options.at(-1)?.id,
        };
      });
    assert.equal((await state()).expanded, 'false');
    await search(page, 'reduce', '#/operators/Reduce');
    const { last, ...first } = await state();
    assert.deepEqual(first, { expanded: 'true', active: 'search-hit-0', selected: ['search-hit-0'] });
    await press(page, 'ArrowDown', 2);
    assert.equal((await state()).active, 'search-hit-2');
    await press(page, 'ArrowUp', 3);
    assert.equal((await state()).active, last);
    await press(page, 'ArrowDown', 2);
    const chosen = await page.$eval('#search-hit-1', (link) => link.getAttribute('href'));
    await press(page, 'Enter');
    await waitForHash(page, chosen);
    await go(page, '/');
    await page.waitForSelector('#search');
    await search(page, 'reduce', '#/operators/Reduce');
    await press(page, 'Escape');
    assert.equal(await page.$eval('#search', ({ value }) => value), '');
    assert.equal((await state()).expanded, 'false');
  });

  test(`Enter opens the first result though the search was not there yet in ${name}`, async (t) => {
    const { page } = await visit(t);
    await page.waitForSelector('#search');
    await page.focus('#search');
    await page.keyboard.type('torch.expand');
    await press(page, 'Enter');
    await waitForHash(page, '#/operators/Expand');
  });

  test(`the filter slides by itself, and its sums are those that the module computes, in ${name}`, async (t) => {
    const { page, complaints, violations } = await visit(t);
    await isReady(page);
    const { place } = await windowOf(page);
    await page.waitForFunction(
      (before) => Number(document.querySelector('.window-picture').getAttribute('aria-valuenow')) > before + 1,
      {},
      place,
    );
    await page.click('#play');
    await waitForText(page, '#play', 'Play');
    await page.focus('.window-picture');
    await press(page, 'Home');
    await press(page, 'ArrowUp', 9);
    for (let number = 0; number < 10; number++) {
      const { place: at, terms, result } = await windowOf(page);
      assert.equal(at, 11 * number + 1);
      assert.equal(terms.length, 9);
      assert.equal(
        terms.reduce((sum, [value, factor]) => sum + value * factor, 0),
        result,
      );
      await press(page, 'ArrowRight');
      await press(page, 'ArrowDown');
    }
    // The module's call, made here, gives the numbers of the drawing.
    const drawn = await page.$$eval('sliding-window svg g', (grids) =>
      grids.map((grid) => [...grid.querySelectorAll('text')].map((text) => Number(text.textContent.replace('−', '-')))),
    );
    const ops = await load();
    const [x, w, y] = drawn;
    const computed = ops.conv(ops.tensor('float32', x, [1, 1, 12, 12]), ops.tensor('float32', w, [1, 1, 3, 3]));
    assert.deepEqual([...computed.data], y);
    assert.deepEqual(complaints, []);
    assert.deepEqual(await violations(), []);
  });

  test(`the filter rests while it is looked at, and goes where the pointer is, in ${name}`, async (t) => {
    const { page } = await visit(t);
    await withOwnClock(page, false);
    await page.$eval('.window-picture', (element) => element.scrollIntoView({ block: 'center' }));
    const box = await (await page.$('.window-picture svg')).boundingBox();
    const unit = box.width / 30.2;
    const pointTo = async (x, y) => {
      await page.mouse.move(box.x + x * unit, box.y + y * unit);
      return (await windowOf(page)).place;
    };
    assert.equal(await pointTo(20.6, 1.6), 1); // the first element of the output
    assert.equal(await pointTo(29.6, 10.6), 100); // the last one
    assert.equal(await pointTo(2.6, 2.6), 12); // the middle of a window
    assert.equal(await page.$eval('#play', ({ textContent }) => textContent.trim()), 'Pause');
    assert.equal(await placeAfterTick(page), 12);
    await page.mouse.move(0, 0);
    assert.equal(await placeAfterTick(page), 13);
    await page.focus('.window-picture');
    assert.equal(await placeAfterTick(page), 13);
    await page.focus('#play');
    assert.equal(await placeAfterTick(page), 14);
  });

  test(`with little motion the filter moves only when it is asked to in ${name}`, async (t) => {
    const { page } = await visit(t);
    await withOwnClock(page, true);
    await waitForText(page, '#play', 'Play');
    const { place } = await windowOf(page);
    assert.equal(await placeAfterTick(page), place);
    await page.click('#play');
    await waitForText(page, '#play', 'Pause');
    await page.mouse.move(0, 0);
    assert.equal(await placeAfterTick(page), place + 1);
  });

  test(`the example leads to the page of Conv in ${name}`, async (t) => {
    const { page } = await visit(t);
    await (await page.waitForSelector('.slide-controls a')).click();
    await waitForText(page, 'h1', 'Conv');
  });

  test(`a model that is dropped on the first page opens in Models, and a picture in Prepare, in ${name}`, async (t) => {
    const { page, complaints } = await visit(t);
    await page.waitForSelector('#door-models');
    assert.equal(await drop(page, 'mine.onnx', '', readFileSync(sample)), false);
    await waitForText(page, 'h1', 'Models');
    await waitForText(page, 'main', 'mine.onnx');
    await page.waitForSelector('#models-drawing');
    await go(page, '/');
    await page.waitForSelector('#door-models');
    const picture = png(20, 10, (x, y) => [10 * x, 10 * y, 99]);
    assert.equal(await drop(page, 'photo.png', 'image/png', picture), false);
    await waitForText(page, 'h1', 'Prepare');
    await waitForText(page, 'main', 'photo.png');
    assert.deepEqual(complaints, []);
  });

  test(`every page leads to the documents, and the first one says how to install the package, in ${name}`, async (t) => {
    const { page } = await visit(t);
    const hrefs = () => page.$$eval('a', (links) => links.map((link) => link.getAttribute('href')));
    await page.waitForSelector('.home-install');
    assert.ok((await hrefs()).includes('../reference/documents/Getting_started.html'));
    await catchCopies(page);
    await page.click('#copy-install');
    await waitForText(page, '.home-install [role="status"]', 'Copied');
    assert.equal(await page.evaluate(() => globalThis.copied), 'npm install broadloom');
    for (const hash of [
      '/',
      '/operators/Shape',
      '/try',
      '/models',
      '/prepare',
      '/simplify',
      '/benchmark',
      '/nowhere',
    ]) {
      await go(page, hash);
      await page.waitForSelector('h1');
      assert.ok((await hrefs()).includes('../reference/index.html'), hash);
    }
  });
});
