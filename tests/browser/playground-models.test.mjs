// The playground's page of models: ways to open files, the line of the file that is open, and what is refused.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { officialFolder } from '../../tools/models/official.mjs';
import { bytes, integer, node } from '../../tools/models/writer.mjs';
import { choose, ends, made, madeFile, run, sampleFile, textOf, words } from './helpers/models.mjs';
import {
  catchCopies,
  dropFile,
  inUsualBrowsers,
  openSample,
  openTab,
  type,
  waitForText,
} from './helpers/playground.mjs';

const official = (name) => join(officialFolder(), name, 'model.onnx');

inUsualBrowsers((name, visit) => {
  test(`every sample model that can run gives an output of the expected shape in ${name}`, async (t) => {
    const { page, complaints, violations } = await visit(t, { hash: '/models' });
    for (const [button, output, shape] of [
      ['zerosLike', 'zeros', 'float32 [2, 3]'],
      ['expandLike', 'y', 'float32 [2, 2, 3]'],
      ['batchBias', 'biases', 'float32 [3, 4]'],
      ['keepOrClear', 'y', 'float32 [2, 3]'],
    ]) {
      await openSample(page, button);
      await waitForText(page, '.models-values', output);
      await run(page);
      await waitForText(page, '.models-output', shape);
      assert.match(await textOf(page, '.models-output'), new RegExp(output));
    }
    assert.deepEqual(complaints, []);
    assert.deepEqual(await violations(), []);
  });

  test(`a node that cannot run is marked with the reason, and the graph is not offered to run, in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/models' });
    await choose(page, sampleFile('unsupported-gelu.onnx'));
    await waitForText(page, '.nodes-bad', 'com.microsoft.BiasSplitGelu');
    assert.match(await textOf(page, '.nodes-reason'), /BiasSplitGelu.*com\.microsoft/);
    assert.match(await textOf(page, '.models-missing'), /com\.microsoft\.BiasSplitGelu × 1/);
    await openTab(page, 'run');
    await waitForText(page, '#models-run ~ p', 'one of its nodes is unsupported');
    assert.equal(await page.$('#run'), null);
    await page.click('.models-missing');
    await page.waitForSelector('#models-tab-graph[aria-selected=true]');
    assert.equal((await page.$$('.nodes-row')).length, 1);
  });

  test(`official models can be opened in ${name}, with supported operators and with others`, async (t) => {
    const { page } = await visit(t, { hash: '/models' });
    await choose(page, official('node/test_expand_dim_changed'));
    await waitForText(page, '.nodes-row', 'Expand');
    assert.equal((await page.$$('.nodes-bad')).length, 0);
    await choose(page, official('node/test_tfidfvectorizer_tf_batch_onlybigrams_skip0'));
    await waitForText(page, '.nodes-bad', 'TfIdfVectorizer');
    await waitForText(page, '.drawing-legend', 'Text');
    assert.match(await words(page, '.drawing-legend'), /Text Cannot run$/);
  });

  test(`a file that is not a model is refused in the library's words in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/models' });
    await choose(page, fileURLToPath(import.meta.url));
    await waitForText(page, '[role=alert] .problem', 'not an ONNX file, but');
    await waitForText(page, '[role=alert]', 'This page opens ONNX models');
    await choose(page, madeFile('nothing.onnx', Buffer.from([0xf7, 0x12, 0x93, 0x99])));
    await waitForText(page, '[role=alert]', 'No ONNX model can be read from it');
  });

  test(`a feed that does not fit is reported at its field in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/models' });
    await choose(page, sampleFile('expand-like.onnx'));
    await openTab(page, 'run');
    await type(page, 'feed:0:dims', '2, 4');
    await run(page);
    await waitForText(page, '[id="feed:0:dims:problem"]', "input 'x' has dims [2, 4]");
    assert.equal(await page.evaluate(() => document.activeElement.id), 'feed:0:dims');
  });

  test(`a model can be dropped anywhere on the page in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/models' });
    await page.waitForSelector('#models-file');
    // Another page that takes files was loaded meanwhile.
    await page.evaluate(() => void (location.hash = '/prepare'));
    await page.waitForSelector('#prepare-dims');
    await page.evaluate(() => void (location.hash = '/models'));
    await page.waitForSelector('#models-file');
    const isDragging = () => page.evaluate(() => document.documentElement.classList.contains('models-dragging'));
    const drag = (kind) =>
      page.evaluate(
        (event, bytes) => {
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(new File([Uint8Array.from(bytes)], 'dropped.onnx'));
          const options = { dataTransfer, bubbles: true, cancelable: true };
          document.querySelector('footer').dispatchEvent(new DragEvent(event, options));
        },
        kind,
        [...readFileSync(sampleFile('zeros-like.onnx'))],
      );
    await drag('dragover');
    assert.equal(await isDragging(), true);
    await drag('drop');
    assert.equal(await isDragging(), false);
    await waitForText(page, '#models-name', 'dropped.onnx');
  });

  test(`a reload opens the model again with its inputs, until it is closed, in ${name}`, async (t) => {
    const { page, complaints } = await visit(t, { hash: '/models' });
    await choose(page, sampleFile('zeros-like.onnx'));
    await waitForText(page, '.models-keeping', 'a reload of this tab opens it again');
    await openTab(page, 'run');
    await page.waitForFunction(() => location.hash === '#/models//run'); // the file has no name for addresses
    await type(page, 'feed:0:dims', '5, 1');
    await page.reload();
    await waitForText(page, '#models-name', 'zeros-like.onnx');
    await page.waitForSelector('#models-tab-run[aria-selected=true]');
    assert.equal(await page.$eval('[id="feed:0:dims"]', ({ value }) => value), '5, 1');
    await catchCopies(page);
    await page.click('#share');
    await waitForText(page, '.share-said', 'without zeros-like.onnx: a link cannot carry a file of your computer');
    await run(page);
    await waitForText(page, '.models-output', 'float32 [5, 1]');
    await page.focus('#close-model');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.activeElement.id === 'models-file');
    await page.reload();
    await page.waitForSelector('#models-file');
    assert.equal(await page.$('#models-name'), null);
    assert.deepEqual(complaints, []);
  });

  test(`a model that the browser does not keep says so in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/models' });
    await page.waitForSelector('#models-file');
    await page.evaluate(() => {
      Object.defineProperty(Blob.prototype, 'size', { get: () => 2 ** 30 });
    });
    await choose(page, sampleFile('zeros-like.onnx'));
    await waitForText(page, '.models-keeping', 'larger than 250 MB');
    await page.evaluate(() => {
      IDBFactory.prototype.open = () => {
        throw new Error('full');
      };
    });
    await openSample(page, 'batchBias');
    await waitForText(page, '.models-keeping', 'does not keep the model');
  });

  test(`warnings are counted, and long lists of them fold, in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/models' });
    const graph = [node('Identity', '', ['x'], ['y']), ...ends];
    await choose(page, made('two.onnx', graph, ['a\u202e', 'b']));
    await waitForText(page, '#models-warnings', 'Warnings (2)');
    assert.match(await textOf(page, '.models-warnings'), /'a\\u202e' is imported/);
    assert.equal(await page.$('.models-more-warnings'), null);
    const domains = Array.from({ length: 103 }, (_, i) => `d${i}`);
    await choose(page, made('many.onnx', graph, domains));
    await waitForText(page, '#models-warnings', 'Warnings (100+)');
    await waitForText(page, '.models-more-warnings > summary', '95+ more');
    assert.equal(await page.$eval('.models-more-warnings', ({ open }) => open), false);
    await choose(page, made('none.onnx', graph));
    await waitForText(page, '#models-name', 'none.onnx');
    assert.equal(await page.$('#models-warnings'), null);
  });

  test(`an input that is not a tensor is reported, and the graph is not offered to run, in ${name}`, async (t) => {
    const { page, complaints } = await visit(t, { hash: '/models' });
    const sequence = [bytes(4, [bytes(1, [bytes(1, [integer(1, 1)])])])]; // of float32 tensors
    const list = bytes(11, [bytes(1, 'list'), bytes(2, sequence)]);
    await choose(page, made('sequence.onnx', [node('Identity', '', ['x'], ['y']), list, ...ends]));
    await waitForText(page, '.models-values', 'list not a tensor, or of unknown type');
    await openTab(page, 'run');
    await waitForText(page, '#models-run ~ p', 'its input list is not a tensor');
    assert.equal(await page.$('#run'), null);
    assert.deepEqual(complaints, []);
  });

  test(`the tabs of a model have addresses, and are walked through by arrows, in ${name}`, async (t) => {
    const { page, complaints, violations } = await visit(t, { hash: '/models/batchBias/weights' });
    await waitForText(page, '.weights-table', 'bias');
    const selected = () => page.$eval('[role=tab][aria-selected=true]', ({ id }) => id.replace('models-tab-', ''));
    assert.equal(await selected(), 'weights');
    await page.focus('#models-tab-weights');
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction(() => location.hash === '#/simplify/batchBias');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'models-tab-simplify');
    await page.waitForSelector('#simplify-result');
    await page.keyboard.press('End');
    await page.waitForFunction(() => location.hash === '#/models/batchBias/compare');
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction(() => location.hash === '#/models/batchBias');
    assert.equal(await selected(), 'graph');
    await page.waitForSelector('#models-drawing');
    assert.equal(await page.$$eval('[role=tab][tabindex="0"]', (all) => all.length), 1);
    await page.click('#models-tab-time');
    await page.waitForSelector('#run-measure');
    await page.goBack();
    await page.waitForSelector('#models-tab-graph[aria-selected=true]');
    assert.deepEqual(complaints, []);
    assert.deepEqual(await violations(), []);
  });

  test(`the file has one line of the page, with its facts behind a fold, and is saved as it is, in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/models/edges' });
    await waitForText(page, '.models-facts', 'opset');
    assert.match(await words(page, '.models-facts'), /^565 B IR 8 opset 21 6 nodes$/);
    const heights = await page.$eval('.models-bar', (bar) => [bar.offsetHeight, bar.offsetTop]);
    assert.ok(heights[0] < 50, `${heights}`);
    assert.equal(await page.$eval('.models-values', (list) => list.checkVisibility()), false);
    await page.click('.models-about > summary');
    assert.equal(await page.$eval('.models-values', (list) => list.checkVisibility()), true);
    const saved = await page.evaluate(
      () =>
        new Promise((resolve) => {
          URL.createObjectURL = (blob) => {
            resolve(blob.size);
            return '#';
          };
          HTMLAnchorElement.prototype.click = () => {};
          document.querySelector('[aria-label="Save edges.onnx"]').click();
        }),
    );
    assert.equal(saved, 565);
  });

  test(`a second model is a sample or a file that is dropped on the tab Compare, in ${name}`, async (t) => {
    const { page, complaints } = await visit(t, { hash: '/models/batchBias/compare' });
    await (await page.waitForSelector('[data-compare=zerosLike]')).click();
    await waitForText(page, '#models-compare', 'Compared with zeros-like.onnx');
    await page.waitForSelector('#compare-after');
    await dropFile(page, 'dropped.onnx', readFileSync(sampleFile('batch-bias.onnx')));
    await waitForText(page, '#models-compare', 'Compared with dropped.onnx');
    await waitForText(page, '#models-compare ~ p[role=status]', 'do not differ');
    await waitForText(page, '#models-name', 'batch-bias.onnx');
    assert.deepEqual(complaints, []);
  });
});
