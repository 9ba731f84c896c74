// The playground's page that simplifies models: its form, messages, drawings and result file.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { load } from '../../dist/inline.js';
import { writeSparseModel } from '../../tools/models/sparse.mjs';
import { bytes, initializer, input, integer, model, node, output } from '../../tools/models/writer.mjs';
import { inUsualBrowsers, type, waitForText } from './helpers/playground.mjs';

const site = fileURLToPath(new URL('../../build/playground/', import.meta.url));
const real = join(site, 'simplify/real');

const folder = mkdtempSync(join(tmpdir(), 'broadloom-simplify-'));
after(() => rmSync(folder, { recursive: true }));

/** A file with a model of one graph. */
function made(name, graph) {
  const file = join(folder, name);
  writeFileSync(file, model('made', graph));
  return file;
}

async function choose(page, ...files) {
  await (await page.waitForSelector('#simplify-file')).uploadFile(...files);
}

async function openSample(page, name) {
  await (await page.waitForSelector(`[data-sample=${name}]`)).click();
  await page.waitForSelector('#simplify-result');
}

/** Uses the keyboard, because Firefox under WebDriver clicks beside an element that it has just scrolled to. */
async function press(page, selector, key = 'Enter') {
  await page.focus(selector);
  await page.keyboard.press(key);
}

const textOf = (page, selector) => page.$eval(selector, (element) => element.textContent);
const valueIn = (page, id) => page.$eval(`[id="${id}"]`, ({ value }) => value);

/** The count of an operator after simplification, from the table; undefined if it has no row. */
const countAfter = (page, operator) =>
  page.$$eval(
    '.simplify-operators tbody tr',
    (rows, name) => {
      const row = rows.find(({ cells }) => cells[0].textContent === name);
      return row && Number(row.cells[2].textContent);
    },
    operator,
  );

/** The number of drawn pixels of a canvas. Reads a copy, because browsers warn of canvases that are read often. */
const inked = (page, id) =>
  page.$eval(`#${id}`, (canvas) => {
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true });
    copy.drawImage(canvas, 0, 0);
    const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let i = 3; i < data.length; i += 4) count += data[i] > 0;
    return count;
  });

/** Looks for half a minute, until what it sees is wanted. */
async function seen(look, isWanted) {
  let now = await look();
  for (let tries = 0; tries < 600 && !isWanted(now); tries++) {
    await new Promise((go) => setTimeout(go, 50));
    now = await look();
  }
  assert.ok(isWanted(now), `${now} was seen last`);
  return now;
}

/** Waits until `isWanted` holds for the number of drawn pixels of a canvas. */
const inkedWhen = (page, id, isWanted) => seen(() => inked(page, id), isWanted);

/** Waits until the drawing on a canvas changes. */
const inkedAfter = (page, id, before) => inkedWhen(page, id, (now) => now !== before);

const chain = (count) => [
  ...Array.from({ length: count }, (_, i) => node('Neg', `neg_${i}`, [`v${i}`], [`v${i + 1}`])),
  input('v0', 'float32', ['n']),
  output(`v${count}`, 'float32', ['n']),
];

/** The package's script of workers, which spoils the memory of its runtime when a batch of 7 is wished. */
function fragileWorker() {
  const assets = readdirSync(join(site, 'assets')).filter((file) => /^worker-.*\.js$/.test(file));
  const contents = assets.map((file) => [`assets/${file}`, readFileSync(join(site, 'assets', file), 'utf8')]);
  const [path, script] = contents.find(([, text]) => text.includes('broadloom/worker is the script of a worker'));
  const spoils = `
    let memory;
    WebAssembly.Memory = class extends WebAssembly.Memory {
      constructor(sizes) {
        super(sizes);
        memory = this;
      }
    };
    addEventListener('message', ({ data }) => {
      if (data.method === 'simplify' && data.args[1].dims.batch === 7) new Uint8Array(memory.buffer).fill(255);
    });
  `;
  return { [path]: `${spoils}\n${script}` };
}

inUsualBrowsers((name, visit) => {
  test(`a model is simplified as its form says, and the result can be saved, in ${name}`, async (t) => {
    const { page, complaints, violations } = await visit(t, { hash: '/simplify' });
    await openSample(page, 'parts');
    assert.equal(await countAfter(page, 'Shape'), 0);
    assert.equal(await countAfter(page, 'If'), 1);
    await waitForText(page, '[aria-labelledby="simplify-kept"]', 'If choose');
    await press(page, '[aria-labelledby="simplify-kept"] .simplify-fix');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'value:1');
    await page.keyboard.type('0');
    await waitForText(page, '#simplify-result ~ .simplify-buttons', 'The form has changed');
    await page.keyboard.press('Enter');
    await page.waitForFunction(
      () => !document.querySelector('#simplify-result ~ .simplify-buttons').textContent.includes('has changed'),
    );
    assert.equal(await countAfter(page, 'If'), 0);
    assert.match(await textOf(page, '[aria-labelledby="simplify-passes"]'), /1 If decided/);
    const saved = await page.evaluate(
      () =>
        new Promise((resolve) => {
          URL.createObjectURL = (blob) => {
            blob.arrayBuffer().then((buffer) => resolve([...new Uint8Array(buffer)]));
            return '#';
          };
          HTMLAnchorElement.prototype.click = function () {
            globalThis.savedName = this.download;
          };
          document.getElementById('simplify-download').click();
        }),
    );
    assert.equal(await page.evaluate(() => globalThis.savedName), 'parts.simplified.onnx');
    const ops = await load();
    const result = ops.loadModel(Uint8Array.from(saved), { allowUnsupported: true });
    assert.deepEqual(
      result.inputs.map(({ name: input, dims }) => [input, dims]),
      [['image', [1, 3, 8, 8]]],
    );
    assert.ok(result.nodes.every(({ operator }) => operator !== 'If' && operator !== 'Shape'));
    await press(page, '#simplify-compare');
    await waitForText(page, '#models-compare', 'Compared with parts.simplified.onnx');
    await waitForText(page, '#models-compare ~ [role=status]', 'only in A');
    assert.deepEqual(complaints, []);
    assert.deepEqual(await violations(), []);
  });

  test(`an unknown size has its reason, and its advice fills the field, in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/simplify' });
    await openSample(page, 'parts');
    await type(page, 'dim:0', '');
    await press(page, '#simplify-run');
    await waitForText(page, '#simplify-dynamic ~ *', 'Axis 0 of input image is open (batch)');
    await waitForText(page, '[aria-labelledby="simplify-dynamic"] .simplify-fix', 'Set batch');
    await press(page, '[aria-labelledby="simplify-dynamic"] .simplify-fix');
    assert.equal(await valueIn(page, 'dim:0'), '1');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'dim:0');
    await page.keyboard.type('7'); // over what was filled in, which is selected
    await page.keyboard.press('Enter');
    await waitForText(page, '#simplify-dynamic ~ *', 'every size is known');
    assert.equal(await valueIn(page, 'dim:0'), '7');
  });

  test(`unselected outputs are removed with the nodes that only they need in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/simplify' });
    await openSample(page, 'parts');
    assert.equal(await countAfter(page, 'Add'), 1);
    await press(page, '.simplify-form fieldset:nth-of-type(3) input', ' ');
    await press(page, '#simplify-run');
    await page.waitForFunction(
      () => !document.querySelector('#simplify-result ~ .simplify-buttons').textContent.includes('has changed'),
    );
    assert.equal(await countAfter(page, 'Add'), 0);
    assert.equal(await countAfter(page, 'Reshape'), 1);
  });

  test(`an invalid text is reported at its field, and an error of the library below the form, in ${name}`, async (t) => {
    const { page, complaints } = await visit(t, { hash: '/simplify' });
    await openSample(page, 'parts');
    await type(page, 'dim:0', 'one');
    await page.keyboard.press('Enter');
    await waitForText(page, '[id="dim:0:problem"]', 'expected a whole number');
    await type(page, 'dim:0', '1');
    await page.waitForFunction(() => document.getElementById('dim:0:problem') === null);
    await type(page, 'value:1', '1, 2');
    await page.keyboard.press('Enter');
    await waitForText(page, '[id="value:1:problem"]', '2');
    await type(page, 'value:1', '');
    await type(page, 'dim:0', '-3');
    await page.keyboard.press('Enter');
    await waitForText(page, '.simplify-form [role=alert] .problem', "'batch' is -3");
    assert.deepEqual(complaints, []);
  });

  test(`a file that is not a model is refused in the library's words in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/simplify' });
    await choose(page, fileURLToPath(import.meta.url));
    await waitForText(page, '[role=alert] .problem', 'not an ONNX file, but');
  });

  test(`a model can be dropped anywhere on the page in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/simplify' });
    await page.waitForSelector('#simplify-file');
    await page.evaluate(
      (content) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([Uint8Array.from(content)], 'dropped.onnx'));
        const options = { dataTransfer, bubbles: true, cancelable: true };
        document.querySelector('footer').dispatchEvent(new DragEvent('drop', options));
      },
      [...readFileSync(join(site, 'simplify/parts.onnx'))],
    );
    await waitForText(page, '#simplify-name', 'dropped.onnx');
    await page.waitForSelector('#simplify-result');
  });

  test(`constants are folded from an external file in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/simplify' });
    const outside = bytes(5, [
      ...[integer(1, 2), integer(2, 7), bytes(8, 'halves'), integer(14, 1)],
      bytes(13, [bytes(1, 'location'), bytes(2, 'halves.bin')]),
    ]);
    const file = made('outside.onnx', [
      node('Add', 'double', ['halves', 'halves'], ['shape']),
      node('Reshape', 'reshape', ['x', 'shape'], ['y']),
      outside,
      input('x', 'float32', [8]),
      output('y', 'float32', [2, 4]),
    ]);
    writeFileSync(join(folder, 'halves.bin'), Buffer.from(BigInt64Array.of(1n, 2n).buffer));
    await choose(page, file);
    await page.waitForSelector('#simplify-result');
    assert.equal(await countAfter(page, 'Add'), 1);
    assert.match(await textOf(page, '[aria-labelledby="simplify-files"]'), /needs in its folder\s*halves\.bin\s*$/);
    const isFolded = () =>
      page.waitForFunction(() =>
        [...document.querySelectorAll('.simplify-operators tr')].some(
          ({ cells }) => cells[0].textContent === 'Add' && cells[2].textContent.trim() === '0',
        ),
      );
    const halves = join(folder, 'halves.bin');
    await type(page, 'unroll', '3');
    await choose(page, halves); // for the model that is open, whose form stays
    await isFolded();
    assert.match(await textOf(page, '#simplify-name'), /outside\.onnx/);
    assert.equal(await valueIn(page, 'unroll'), '3');
    assert.equal(await page.$('#simplify-files'), null);
    await choose(page, made('other.onnx', [node('Neg', '', ['x'], ['y']), input('x', 'float32', [1]), output('y', 'float32', [1])])); // biome-ignore format: one line
    await waitForText(page, '#simplify-name', 'other.onnx');
    await choose(page, file, halves);
    await isFolded();
  });

  test(`both graphs are drawn, and can be moved and selected from by keyboard and pointer, in ${name}`, async (t) => {
    const { page, complaints } = await visit(t, { hash: '/simplify' });
    await openSample(page, 'parts');
    const before = await inkedAfter(page, 'simplify-before', 0);
    const afterwards = await inkedAfter(page, 'simplify-after', 0);
    assert.ok(afterwards < before, `${afterwards} ${before}`);
    await press(page, '#simplify-before', '+');
    const larger = await inkedAfter(page, 'simplify-before', before);
    await inkedAfter(page, 'simplify-after', afterwards); // both show the same part
    await press(page, '#simplify-after', 'ArrowUp');
    await inkedAfter(page, 'simplify-before', larger);
    for (let i = 0; i < 30; i++) await page.keyboard.press('ArrowLeft');
    await inkedWhen(page, 'simplify-before', (now) => now === 0);
    await page.keyboard.press('0');
    await inkedAfter(page, 'simplify-before', 0);

    await press(page, '#simplify-list');
    await press(page, '.simplify-list tbody tr:nth-child(2) button');
    await waitForText(page, '.simplify-chosen', 'BatchNormalization normalize');
    assert.match(await textOf(page, '.simplify-chosen'), /makes normal/);
    // The chosen node is in the middle now.
    await page.$eval('#simplify-after', (canvas) => canvas.scrollIntoView({ block: 'center' }));
    const { x, y, width, height } = await page.$eval('#simplify-after', (canvas) =>
      canvas.getBoundingClientRect().toJSON(),
    );
    await page.mouse.click(x + 10, y + 10);
    await waitForText(page, '.simplify-chosen', 'Choose a node');
    await page.mouse.click(x + width / 2, y + height / 2);
    await waitForText(page, '.simplify-chosen', 'BatchNormalization normalize');
    assert.deepEqual(complaints, []);
  });

  test(`the wheel scrolls the page past a drawing without focus in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/simplify' });
    await openSample(page, 'parts');
    const ink = await inkedAfter(page, 'simplify-before', 0);
    await page.$eval('#simplify-before', (canvas) => canvas.scrollIntoView({ block: 'center' }));
    const place = () => page.$eval('#simplify-before', (canvas) => canvas.getBoundingClientRect().toJSON());
    const { x, y } = await place();
    await page.mouse.move(x + 100, y + 100);
    const start = await page.evaluate(() => scrollY);
    await page.mouse.wheel({ deltaY: -200 });
    await page.waitForFunction((from) => scrollY < from, {}, start);
    assert.equal(await inked(page, 'simplify-before'), ink);
    await page.focus('#simplify-before');
    const { y: now } = await place();
    await page.mouse.move(x + 100, now + 100);
    await page.mouse.wheel({ deltaY: -200 });
    await inkedAfter(page, 'simplify-before', ink);
  });

  test(`a chain of 4,000 nodes is drawn and listed, one of 4,001 only simplified, in ${name}`, async (t) => {
    const { page, complaints } = await visit(t, { hash: '/simplify' });
    await choose(page, made('long.onnx', chain(4000)));
    await waitForText(page, '#simplify-name', 'long.onnx');
    await page.waitForSelector('#simplify-before');
    const collapsed = await inkedAfter(page, 'simplify-before', 0);
    await press(page, '#simplify-list');
    await waitForText(page, '.simplify-list tbody', '3,999 more blocks like the one above');
    await press(page, '#simplify-collapse', ' ');
    await inkedAfter(page, 'simplify-before', collapsed);
    assert.equal((await page.$$('.simplify-list tbody tr')).length, 50);
    await press(page, '#simplify-more');
    await page.waitForFunction(() => document.querySelectorAll('.simplify-list tbody tr').length === 250);
    await choose(page, made('longer.onnx', chain(4001)));
    await waitForText(page, '[aria-labelledby="simplify-graph"]', 'more than 4,000 nodes');
    assert.equal(await page.$('#simplify-before'), null);
    assert.deepEqual(complaints, []);
  });

  test(`a file of 614 MB is simplified, and not drawn, in ${name}`, async (t) => {
    const { page, complaints } = await visit(t, { hash: '/simplify' });
    const file = join(folder, 'large.onnx');
    writeSparseModel(file, 150_000 * 4096);
    await choose(page, file);
    await waitForText(page, '[aria-labelledby="simplify-graph"]', 'too large to draw');
    assert.equal(await page.$('#simplify-before'), null);
    assert.deepEqual([await countAfter(page, 'MatMul'), await countAfter(page, 'Shape')], [1, 0]);
    assert.deepEqual(complaints, []);
  });

  test(`Stop ends the work, and the next run does not wait for it, in ${name}`, async (t) => {
    const { page, complaints } = await visit(t, { hash: '/simplify' });
    const long = [...chain(200_000), node('Neg', 'short', ['v0'], ['y']), output('y', 'float32', ['n'])];
    await choose(page, made('slow.onnx', long));
    await waitForText(page, '.simplify-form .quiet', 'Stop');
    const before = page.workers().length;
    await press(page, '.simplify-form .quiet');
    await page.waitForFunction(() => document.querySelector('.simplify-form .quiet') === null);
    assert.equal(await page.evaluate(() => document.activeElement.id), 'simplify-run');
    assert.equal(await page.$('.simplify [role=alert]'), null);
    await seen(
      () => page.workers().length,
      (now) => now === before - 1,
    );
    await press(page, '.simplify-form input[type=checkbox]', ' ');
    await press(page, '#simplify-run');
    await page.waitForSelector('#simplify-result');
    assert.equal(await countAfter(page, 'Neg'), 1);
    assert.deepEqual(complaints, []);
  });

  test(`a run for another form does not wait for the one before, and the same form does not run twice, in ${name}`, async (t) => {
    const { page, complaints } = await visit(t, { hash: '/simplify' });
    const long = [...chain(200_000), node('Neg', 'short', ['v0'], ['y']), output('y', 'float32', ['n'])];
    await choose(page, made('slow.onnx', long));
    await page.waitForSelector('#simplify-stop');
    const workers = new Set(page.workers());
    await press(page, '#simplify-run');
    await press(page, '.simplify-form input[type=checkbox]', ' ');
    assert.ok(page.workers().every((worker) => workers.has(worker)));
    await press(page, '#simplify-run');
    await page.waitForSelector('#simplify-result');
    assert.equal(await countAfter(page, 'Neg'), 1);
    assert.equal(page.workers().length, workers.size);
    assert.ok(!page.workers().every((worker) => workers.has(worker)));
    assert.deepEqual(complaints, []);
  });

  test(`after an error in WebAssembly the next run has another worker in ${name}`, async (t) => {
    // In Chromium without windows the worker's call with a spoilt memory does not end.
    const { page, complaints } = await visit(t, { hash: '/simplify', pages: fragileWorker(), isWhole: true });
    await openSample(page, 'parts');
    await type(page, 'dim:0', '7');
    await page.keyboard.press('Enter');
    await waitForText(page, '.simplify-form [role=alert] .problem', 'the runtime in the worker has ended by an error');
    await type(page, 'dim:0', '8');
    await page.keyboard.press('Enter');
    await page.waitForFunction(
      () =>
        document.querySelector('.simplify-form [role=alert]') === null &&
        !document.querySelector('#simplify-result ~ .simplify-buttons').textContent.includes('has changed'),
    );
    assert.deepEqual(complaints, []);
  });

  test(`names of a model are shown as text in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/simplify' });
    const graph = [
      node('Mul', '<b>bold</b>', ['x\u202e', 'two'], ['y']),
      initializer('two', [], [2]),
      input('x\u202e', 'float32', ['n\u202e']),
      output('y', 'float32', ['n\u202e']),
    ];
    await choose(page, made('names.onnx', graph));
    await page.waitForSelector('#simplify-result');
    assert.equal(await textOf(page, 'label[for="dim:0"]'), 'n\\u202e');
    await press(page, '#simplify-list');
    assert.match(await textOf(page, '.simplify-list tbody'), /<b>bold<\/b>/);
    assert.ok(!(await textOf(page, 'main')).includes('\u202e'));
  });

  test(`the real samples have their licences, and are downloaded only on request, in ${name}`, async (t) => {
    const { page, server } = await visit(t, { hash: '/simplify' });
    await page.waitForSelector('[data-sample=parts]');
    const offered = await page.$$eval('[data-sample]', (buttons) => buttons.map(({ dataset }) => dataset.sample));
    let models = [];
    try {
      models = readdirSync(real).filter((file) => file.endsWith('.onnx'));
    } catch {} // built without the packages of tests/models
    assert.equal(offered.length, 1 + models.length);
    const worker = readFileSync(join(site, 'service-worker.js'), 'utf8');
    assert.ok(worker.includes('simplify/parts.onnx') && !worker.includes('simplify/real'));
    assert.ok(!server.requests.some((path) => path.includes('/simplify/real/')));
    if (models.length === 0) return;
    assert.match(await textOf(page, '.simplify'), /MIT, Silero Team.*Apache-2\.0, PaddlePaddle Authors/s);
    const licences = readFileSync(join(real, 'LICENSES.txt'), 'utf8');
    for (const part of [...models, 'MIT License', 'ISC License', 'Apache License'])
      assert.ok(licences.includes(part), part);
    for (const sample of offered.slice(1)) {
      await press(page, `[data-sample=${sample}]`);
      await page.waitForFunction(
        (file) =>
          document.getElementById('simplify-name')?.textContent.includes(file) &&
          document.getElementById('simplify-before') !== null,
        {},
        sample === 'silero' ? 'silero_vad_v5' : 'PP-OCRv4',
      );
      assert.equal(await page.$('.simplify [role=alert]'), null);
    }
  });
});
