// The playground's page of models, its tab "Weights": the tensors that a model holds.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { initializer, input, node, output, tensor, tensorAttribute } from '../../tools/models/writer.mjs';
import { choose, made, press, words } from './helpers/models.mjs';
import { inUsualBrowsers, openTab, type, waitForText } from './helpers/playground.mjs';

const graph = [
  node('Constant', 'small', [], ['shift'], [tensorAttribute('value', tensor([2], [3, 4]))]),
  node('Mul', 'scale', ['x', 'layer.weights'], ['scaled']),
  node('Add', 'move', ['scaled', 'shift'], ['y']),
  initializer('layer.weights', [3, 2], [1, 2, 0, 0, 5, 6]),
  input('x', 'float32', [3, 2]),
  output('y', 'float32', [3, 2]),
];

inUsualBrowsers((name, visit) => {
  test(`initializers and Constant nodes are listed by their bytes, and one shows its histogram, in ${name}`, async (t) => {
    const { page, complaints, violations } = await visit(t, { hash: '/models' });
    await choose(page, made('weights.onnx', graph));
    await openTab(page, 'weights');
    const rows = () =>
      page.$$eval('.weights-table tbody tr', (all) => all.map((row) => row.textContent.replace(/\s+/g, ' ').trim()));
    assert.deepEqual(await rows(), ['layer.weights float32 3×2 24 B 75 % Mul 1', 'shift float32 2 8 B 25 % Add 2']);
    await waitForText(page, '.nodes-filter', '2 tensors, 32 B');
    await press(page, '.weights-table tbody .panel-link');
    await waitForText(page, '.weights-looked', 'float32 [3, 2]');
    await page.waitForFunction(() => /Zeros\s*2/.test(document.querySelector('.weights-looked')?.textContent));
    assert.ok(await page.$('.weights-looked .picture-histogram rect'));
    await type(page, 'weights-text', 'shift');
    await waitForText(page, '.nodes-filter', '1 of 2 match');
    await press(page, '.weights-table tbody .panel-link');
    await waitForText(page, '.weights-looked [role=grid]', '3');
    await press(page, '.weights-table tbody td .panel-link');
    await page.waitForSelector('#models-tab-graph[aria-selected=true]');
    assert.match(await words(page, '#panel-title'), /^Add/);
    assert.deepEqual(complaints, []);
    assert.deepEqual(await violations(), []);
  });
});
