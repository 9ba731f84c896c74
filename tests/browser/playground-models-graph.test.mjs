// The playground's page of models, its tab "Graph": nodes and values in the drawing, in the list and in the panel, and graphs within nodes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { graphAttribute, input, node, output } from '../../tools/models/writer.mjs';
import { branches, choose, ends, made, run, textOf, words } from './helpers/models.mjs';
import { inUsualBrowsers, openSample, openTab, type, waitForText } from './helpers/playground.mjs';

/** Chooses a node of the list by keyboard, since rows above it may get their heights while the page scrolls to it. */
async function chooseNode(page, path) {
  await page.focus(`[id="node-${path}"] .nodes-choose`);
  await page.keyboard.press('Enter');
}

/** Nested graphs. The innermost node is `innermost`, the outermost value `y`. */
function nested(depth) {
  let inner = node('Identity', 'innermost', ['x'], ['y0']);
  for (let i = 1; i <= depth; ++i) {
    inner = branches(`if_${i}`, i === depth ? 'y' : `y${i}`, `y${i - 1}`, [inner]);
  }
  return [inner, ...ends];
}

inUsualBrowsers((name, visit) => {
  test(`the value of an edge is chosen by keyboard and by a click on its label, in ${name}`, async (t) => {
    const { page, complaints, violations } = await visit(t, { hash: '/models' });
    const chain = [
      node('Neg', 'first', ['x'], ['half']),
      node('Abs', 'second', ['half'], ['y']),
      input('x', 'float32', [2]),
      output('y', 'float32', [2]),
    ];
    await choose(page, made('chain.onnx', chain));
    await page.waitForSelector('#models-drawing');
    await page.click('#node-0 .nodes-choose');
    await waitForText(page, '.panel-name', 'first');
    await page.focus('#models-drawing');
    await page.keyboard.press('e');
    await waitForText(page, '.models-edge', 'half: 2. Enter shows the value.');
    await waitForText(page, '.panel-name', 'first'); // nothing was chosen yet
    await page.keyboard.press('Enter');
    await waitForText(page, '#panel-title', 'half');
    assert.match(await words(page, '.panel'), /Type and shape float32 \[2\] From first To second Value/);
    await page.keyboard.down('Shift');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.up('Shift');
    await waitForText(page, '.panel-name', 'second');

    await page.$eval('#models-drawing', (canvas) => canvas.scrollIntoView({ block: 'center' }));
    const { x, y, width, height } = await page.$eval('#models-drawing', (canvas) =>
      canvas.getBoundingClientRect().toJSON(),
    );
    const titles = new Set();
    for (let at = 4; at < height; at += 6) {
      await page.mouse.click(x + width / 2, y + at);
      titles.add(await textOf(page, '#panel-title').then((text) => text.trim().split(/\s/)[0]));
    }
    for (const title of ['x', 'Neg', 'half', 'Abs', 'y']) assert.ok(titles.has(title), `${title} of ${[...titles]}`);
    await page.click('#node-0 .nodes-choose');
    await (await page.waitForSelector('.panel dd .panel-link')).click(); // x, in the panel of its reader
    await waitForText(page, '.panel', 'Input of the model');
    assert.deepEqual(complaints, []);
    assert.deepEqual(await violations(), []);
  });

  test(`a value that a run gave is shown at once, and others when they are asked for, in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/models' });
    await openSample(page, 'batchBias');
    await page.waitForSelector('#models-drawing');
    const ofOutput = '.panel-list:nth-of-type(2) .panel-link';
    await page.click(ofOutput);
    await waitForText(page, '.panel', 'Output of the model');
    assert.equal(await page.$('.panel-looked'), null);
    await run(page);
    await waitForText(page, '.models-output', 'float32 [3, 4]');
    await openTab(page, 'graph');
    await page.click('.panel-close');
    await page.click(ofOutput);
    await waitForText(page, '.panel-looked', 'float32 [3, 4]');
  });

  test(`values of inner graphs have their types, makers and readers, and say why they have no single value, in ${name}`, async (t) => {
    const { page, complaints } = await visit(t, { hash: '/models' });
    const body = [
      node('Identity', 'go', ['going'], ['still']),
      node('Add', 'plus', ['before', 'x'], ['next']),
      input('i', 'int64', []),
      input('going', 'bool', []),
      input('before', 'float32', ['n']),
      output('still', 'bool', []),
      output('next', 'float32', ['n']),
    ];
    const loop = [
      node('Loop', 'long', ['turns', '', 'x'], ['y'], [graphAttribute('body', body)]),
      input('turns', 'int64', []),
      input('x', 'float32', ['n']),
      output('y', 'float32', ['n']),
    ];
    await choose(page, made('loop.onnx', loop));
    await page.waitForSelector('#models-drawing');
    await chooseNode(page, '0.0.1');
    await waitForText(page, '.panel-name', 'plus');
    const chosen = (value) =>
      page.$$eval(
        '.panel dd .panel-text',
        (all, wanted) => all.find(({ textContent }) => textContent === wanted).click(),
        value,
      );
    await chosen('before');
    await waitForText(page, '#panel-title', 'before');
    assert.match(
      await words(page, '.panel'),
      /Type and shape float32 \[n\] From Input of body To plus There is no single value to show: body is a graph.*: long$/,
    );
    assert.equal(await page.$('.panel-value'), null);
    await page.waitForSelector('.models-ways'); // the drawing stays with the inner graph
    await chooseNode(page, '0.0.1');
    await waitForText(page, '.panel-name', 'plus');
    await chosen('next');
    await waitForText(page, '.panel', 'Output of body');
    await chooseNode(page, '0.0.1');
    await waitForText(page, '.panel-name', 'plus');
    await chosen('x'); // of the graph around it, which a run computes
    await waitForText(page, '.panel', 'Input of the model');
    assert.match(await words(page, '.panel'), /To long plus Value$/);
    assert.deepEqual(complaints, []);
  });

  test(`subgraphs are listed under their nodes, and can be opened by keyboard, in ${name}`, async (t) => {
    const { page, complaints, violations } = await visit(t, { hash: '/models', width: 320 });
    await choose(page, made('deep.onnx', nested(32)));
    await waitForText(page, '#models-name', 'deep.onnx');
    await waitForText(page, '.models-facts', '65 nodes in 65 graphs');
    await waitForText(page, '.nodes-filter', '1 of 65 nodes shown');
    assert.match(await textOf(page, '.nodes-graph > summary'), /then_branch\s+63 nodes in 63 graphs/);
    assert.equal((await page.$$('.nodes-row')).length, 1);
    await page.focus('.nodes-graph > summary');
    await page.keyboard.press('Enter');
    await waitForText(page, '[id="node-0.0.0"]', 'if_31');
    await waitForText(page, '.nodes-filter', '2 of 65 nodes shown');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await waitForText(page, '[id="node-0.0.0.0.0"]', 'if_30');
    await page.focus('.nodes-graph > summary');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.querySelectorAll('.nodes-row').length === 1);
    assert.deepEqual(complaints, []);
    assert.deepEqual(await violations(), []);
  });

  test(`a filter finds nodes at any depth, and leaves what was open before, in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/models', width: 320 });
    await choose(page, made('deep.onnx', nested(32)));
    await waitForText(page, '#models-name', 'deep.onnx');
    await type(page, 'nodes-text', 'innermost');
    await waitForText(page, '.nodes-filter', '1 of 1 matching nodes shown');
    assert.match(await textOf(page, `[id="node-0${'.0.0'.repeat(32)}"]`), /innermost/);
    assert.equal((await page.$$('.nodes-row')).length, 33);
    assert.match(await textOf(page, '.nodes-graph > summary'), /1 of 63 nodes in 63 graphs match/);
    const { right, width } = await page.evaluate(
      (id) => {
        const { right } = document.getElementById(id).getBoundingClientRect();
        return { right, width: document.documentElement.scrollWidth };
      },
      `node-0${'.0.0'.repeat(32)}`,
    );
    assert.ok(right <= 320 && width <= 320, `${right} ${width}`);
    await type(page, 'nodes-text', '');
    await waitForText(page, '.nodes-filter', '1 of 65 nodes shown');
  });

  test(`a large subgraph shows its first nodes and the number of all in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/models' });
    const many = Array.from({ length: 700 }, (_, i) => node('Gelu', '', [`v${i}`], [`v${i + 1}`], [], 'other'));
    const first = node('Identity', '', ['x'], ['v0']);
    await choose(page, made('large.onnx', [branches('if', 'y', 'v700', [first, ...many]), ...ends], ['other']));
    await waitForText(page, '.models-facts', '703 nodes in 3 graphs');
    assert.match(await textOf(page, '.models-facts'), /2 supported\s+701 unsupported/);
    await openTab(page, 'run');
    await waitForText(page, '#models-run ~ p', '701 of its nodes');
    await openTab(page, 'graph');
    await page.click('.nodes-graph > summary');
    await waitForText(page, '.nodes-filter', '51 of 703 nodes shown');
    await page.focus('.nodes-more');
    await page.keyboard.press('Enter');
    await waitForText(page, '.nodes-filter', '251 of 703 nodes shown');
    await page.click('.models-missing');
    await waitForText(page, '.nodes-filter', '50 of 700 matching nodes shown');
  });

  test(`a run that fails in a graph within a node leads there in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/models' });
    const shape = [node('Shape', '', ['b'], ['shape']), node('Expand', '', ['x', 'shape'], ['wide'])];
    const last = [node('Identity', '', ['wide'], ['out'])];
    const others = Array.from({ length: 60 }, (_, i) => node('Identity', '', ['x'], [`o${i}`]));
    const graph = [branches('if', 'y', 'out', [...others, ...shape, ...last]), input('b', 'float32', ['m']), ...ends];
    await choose(page, made('fails.onnx', graph));
    await waitForText(page, '#models-name', 'fails.onnx');
    await openTab(page, 'run');
    for (const [index, dims] of ['3', '2'].entries()) await type(page, `feed:${index}:dims`, dims);
    await run(page);
    await waitForText(page, '#models-run ~ .button', 'Show node 0 › then_branch › 61');
    await page.click('#models-run ~ .button');
    await page.waitForFunction(() => document.activeElement.id === 'node-0.0.61');
    assert.match(await textOf(page, '[id="node-0.0.61"] .nodes-reason'), /Expand/);
  });

  test(`the drawing has 70 % of the height in view, and by F the whole width, in ${name}`, async (t) => {
    const { page, complaints } = await visit(t, { hash: '/models/edges' });
    await page.waitForSelector('#models-drawing');
    const place = () => page.$eval('#models-drawing', (canvas) => canvas.getBoundingClientRect().toJSON());
    const { top, bottom, height } = await place();
    assert.ok(height >= 0.7 * 900 && top >= 0 && bottom <= 900, `${top} to ${bottom}`);
    await page.focus('#models-drawing');
    await page.keyboard.press('f');
    await page.waitForSelector('#models-wide[aria-pressed=true]');
    const { width } = await place();
    assert.ok(width > 1200, `${width}`);
    assert.equal(await page.evaluate(() => document.activeElement.id), 'models-drawing');
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 1280);
    await page.click('#models-wide');
    await page.waitForSelector('#models-wide[aria-pressed=false]');
    assert.ok((await place()).width < 900);
    assert.deepEqual(complaints, []);
  });
});
