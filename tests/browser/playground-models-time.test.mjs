// The playground's page of models, its tab "Time": the nodes by time, memory and what they compute, beside the drawing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generatedModels } from '../../tools/models/generated.mjs';
import { choose, madeFile, press, words } from './helpers/models.mjs';
import { inUsualBrowsers, openTab, waitForText } from './helpers/playground.mjs';

const rows = (page) =>
  page.$$eval('.profile-table tbody tr', (all) => all.map((row) => row.textContent.trim().split(/\s/)[0]));

inUsualBrowsers((name, visit) => {
  test(`a run from the tab Time measures each node: time, memory, FLOPs and bytes, in ${name}`, async (t) => {
    const { page, complaints, violations } = await visit(t, { hash: '/models/edges/time' });
    await press(page, '#run-measure');
    await page.waitForSelector('.profile-table');
    assert.deepEqual((await rows(page)).toSorted(), ['Clip', 'Conv', 'Mul', 'ReduceMean', 'ReduceSum', 'Sqrt']);
    assert.match(await words(page, '.profile-facts'), /^Block between nodes: [\d.]+ [kM]B All tensors: /);
    await waitForText(page, '.drawing-legend', 'Time of the node');
    const cells = (operator) =>
      page.$$eval(
        '.profile-table tbody tr',
        (all, wanted) =>
          [...all.find((row) => row.textContent.trim().startsWith(wanted)).cells]
            .slice(-2)
            .map((cell) => cell.textContent),
        operator,
      );
    // 2 outputs of 240 by 320, each of 9 products and sums; 1 channel in, 2 out, and 18 weights, of 4 bytes each.
    assert.deepEqual(await cells('Conv'), ['2.76 M', '922 kB']);
    assert.deepEqual(await cells('ReduceMean'), ['230 k', '1.23 MB']);
    assert.match(await words(page, '.memory-chart figcaption'), /922 kB at most, at (Conv 1|ReduceSum 3)/);
    await press(page, '.profile-memory button');
    assert.equal(await page.$eval('.profile-memory', (cell) => cell.ariaSort), 'descending');
    assert.equal((await rows(page))[0], 'Conv'); // the only value with two channels
    await press(page, '[name=profile-rows][value=operators]', ' ');
    await waitForText(page, '.profile-calls', 'Calls');
    assert.equal((await rows(page)).length, 6);
    assert.deepEqual(complaints, []);
    assert.deepEqual(await violations(), []);
  });

  test(`a row moves the drawing to its node and keeps the focus, and the graph shows the node, in ${name}`, async (t) => {
    const { page, complaints } = await visit(t, { hash: '/models' });
    await choose(page, madeFile('bert.onnx', generatedModels.bert({ layers: 3 })));
    await openTab(page, 'time');
    await press(page, '#run-measure');
    await page.waitForSelector('.profile-table');
    await press(page, 'th.profile-node .profile-sort');
    const view = () => page.$eval('#models-drawing', ({ __zoom: { k, x, y } }) => `${k} ${x} ${y}`);
    const before = await view();
    const last = '.profile-table tbody tr:last-child .panel-link';
    await page.$eval('.profile .scroll-x + p button', (more) => more.click()); // all rows, in the order of the model
    await press(page, last);
    await page.waitForSelector('.profile-table tr:last-child.nodes-chosen');
    assert.notEqual(await view(), before);
    assert.equal(await page.$eval(last, (button) => button === document.activeElement), true);
    const operator = await page.$eval(last, ({ textContent }) => textContent.trim());
    await openTab(page, 'graph');
    await waitForText(page, '#panel-title', operator);
    assert.deepEqual(complaints, []);
  });
});
