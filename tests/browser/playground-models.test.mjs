// The playground's page of models: ways to open files, the description of their graphs, and runs.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { officialFolder } from '../../tools/models/official.mjs';
import { bytes, graphAttribute, input, integer, model, node, output } from '../../tools/models/writer.mjs';
import { catchCopies, inUsualBrowsers, type, waitForText } from './helpers/playground.mjs';

const sample = (name) => fileURLToPath(new URL(`../../web-demo/public/samples/${name}`, import.meta.url));
const official = (name) => join(officialFolder(), name, 'model.onnx');

async function choose(page, file) {
  const input = await page.waitForSelector('#models-file');
  await input.uploadFile(file);
}

async function run(page) {
  await page.waitForSelector('#run');
  await page.click('#run');
}

const folder = mkdtempSync(join(tmpdir(), 'broadloom-models-'));
after(() => rmSync(folder, { recursive: true }));

/** Chooses a node of the list by keyboard, since rows above it may get their heights while the page scrolls to it. */
async function chooseNode(page, path) {
  await page.focus(`[id="node-${path}"] .nodes-choose`);
  await page.keyboard.press('Enter');
}

/** A file with a model of one graph. */
function made(name, graph, domains) {
  const file = join(folder, name);
  writeFileSync(file, model('made', graph, domains));
  return file;
}

/** An If whose then_branch has `nodes`. The last of them produces `inner`. */
function branches(name, result, inner, nodes) {
  return node(
    'If',
    name,
    ['c'],
    [result],
    [
      graphAttribute('then_branch', [...nodes, output(inner, 'float32', ['n'])]),
      graphAttribute('else_branch', [
        node('Identity', '', ['x'], [`${result}_else`]),
        output(`${result}_else`, 'float32', ['n']),
      ]),
    ],
  );
}
const ends = [input('x', 'float32', ['n']), input('c', 'bool', []), output('y', 'float32', ['n'])];

/** Nested graphs. The innermost node is `innermost`, the outermost value `y`. */
function nested(depth) {
  let inner = node('Identity', 'innermost', ['x'], ['y0']);
  for (let i = 1; i <= depth; ++i) {
    inner = branches(`if_${i}`, i === depth ? 'y' : `y${i}`, `y${i - 1}`, [inner]);
  }
  return [inner, ...ends];
}

const textOf = (page, selector) => page.$eval(selector, (element) => element.textContent);
const words = async (page, selector) => (await textOf(page, selector)).replace(/\s+/g, ' ').trim();

inUsualBrowsers((name, visit) => {
  test(`every sample model that can run gives an output of the expected shape in ${name}`, async (t) => {
    const { page, complaints, violations } = await visit(t, { hash: '/models' });
    for (const [button, output, shape] of [
      ['zerosLike', 'zeros', 'float32 [2, 3]'],
      ['expandLike', 'y', 'float32 [2, 2, 3]'],
      ['batchBias', 'biases', 'float32 [3, 4]'],
      ['keepOrClear', 'y', 'float32 [2, 3]'],
    ]) {
      await page.waitForSelector(`[data-sample=${button}]`);
      await page.click(`[data-sample=${button}]`);
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
    await choose(page, sample('unsupported-gelu.onnx'));
    await waitForText(page, '.nodes-bad', 'com.microsoft.BiasSplitGelu');
    assert.match(await textOf(page, '.nodes-reason'), /BiasSplitGelu.*com\.microsoft/);
    assert.match(await textOf(page, '.models-missing'), /com\.microsoft\.BiasSplitGelu × 1/);
    assert.equal(await page.$('#run'), null);
    await page.click('.models-missing');
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
    const bytesOfNothing = join(folder, 'nothing.onnx');
    writeFileSync(bytesOfNothing, Buffer.from([0xf7, 0x12, 0x93, 0x99]));
    await choose(page, bytesOfNothing);
    await waitForText(page, '[role=alert]', 'No ONNX model can be read from it');
  });

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
    await page.waitForSelector('[data-sample=batchBias]');
    await page.click('[data-sample=batchBias]');
    await page.waitForSelector('#models-drawing');
    const ofOutput = '.panel-list:nth-of-type(2) .panel-link';
    await page.click(ofOutput);
    await waitForText(page, '.panel', 'Output of the model');
    assert.equal(await page.$('.panel-looked'), null);
    await run(page);
    await waitForText(page, '.models-output', 'float32 [3, 4]');
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

  test(`a feed that does not fit is reported at its field in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/models' });
    await choose(page, sample('expand-like.onnx'));
    await page.waitForSelector('#run');
    await type(page, 'feed:0:dims', '2, 4');
    await run(page);
    await waitForText(page, '[id="feed:0:dims:problem"]', "input 'x' has dims [2, 4]");
    assert.equal(await page.evaluate(() => document.activeElement.id), 'feed:0:dims');
  });

  test(`a model can be dropped anywhere on the page in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/models' });
    await page.waitForSelector('#models-file');
    // Another page that takes files was loaded meanwhile.
    await page.evaluate(() => void (location.hash = '/simplify'));
    await page.waitForSelector('#simplify-file');
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
        [...readFileSync(sample('zeros-like.onnx'))],
      );
    await drag('dragover');
    assert.equal(await isDragging(), true);
    await drag('drop');
    assert.equal(await isDragging(), false);
    await waitForText(page, '#models-name', 'dropped.onnx');
  });

  test(`a reload opens the model again with its inputs, until it is closed, in ${name}`, async (t) => {
    const { page, complaints } = await visit(t, { hash: '/models' });
    await choose(page, sample('zeros-like.onnx'));
    await waitForText(page, '.models-keeping', 'a reload of this tab opens it again');
    await type(page, 'feed:0:dims', '5, 1');
    await page.reload();
    await waitForText(page, '#models-name', 'zeros-like.onnx');
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
    await choose(page, sample('zeros-like.onnx'));
    await waitForText(page, '.models-keeping', 'larger than 250 MB');
    await page.evaluate(() => {
      IDBFactory.prototype.open = () => {
        throw new Error('full');
      };
    });
    await (await page.$('[data-sample="batchBias"]')).click();
    await waitForText(page, '.models-keeping', 'does not keep the model');
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
    await waitForText(page, '#models-run ~ p', '701 of its nodes');
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
    for (const [index, dims] of ['3', '2'].entries()) await type(page, `feed:${index}:dims`, dims);
    await run(page);
    await waitForText(page, '#models-run ~ .button', 'Show node 0 › then_branch › 61');
    await page.click('#models-run ~ .button');
    await page.waitForFunction(() => document.activeElement.id === 'node-0.0.61');
    assert.match(await textOf(page, '[id="node-0.0.61"] .nodes-reason'), /Expand/);
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
    await waitForText(page, '#models-run ~ p', 'its input list is not a tensor');
    assert.equal(await page.$('#run'), null);
    assert.deepEqual(complaints, []);
  });
});
