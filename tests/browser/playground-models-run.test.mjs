// The playground's page of models: runs on random numbers, a picture and a sound, and what each node took.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytes, initializer, input, model, node, output } from '../../tools/models/writer.mjs';
import { png, wav } from './helpers/media.mjs';
import { choose, isSeen, madeFile as made, run, words } from './helpers/models.mjs';
import {
  catchCopies,
  go,
  inUsualBrowsers,
  openTab,
  openSample as sample,
  type,
  waitForText,
} from './helpers/playground.mjs';

/** A model that gives back its input. */
const same = (name, type, dims) =>
  made(name, model('same', [node('Identity', '', ['x'], ['y']), input('x', type, dims), output('y', type, dims)]));

async function open(page, file) {
  await choose(page, file);
  await openTab(page, 'run');
  await page.waitForSelector('#run');
}

async function openSample(page, name) {
  await sample(page, name);
  await openTab(page, 'run');
  await page.waitForSelector('#run');
}

async function feed(page, file) {
  const field = await page.waitForSelector('.tensor-editor input[type=file]');
  await field.uploadFile(file);
}

inUsualBrowsers((name, visit) => {
  test(`a sample runs on its photograph without any setting, and its outputs stand beside its inputs, in ${name}`, async (t) => {
    const { page, complaints, violations } = await visit(t, { hash: '/models' });
    await openSample(page, 'edges');
    await waitForText(page, 'media-preview', '640 × 480 → 320 × 240');
    await run(page);
    await waitForText(page, '.models-output', 'float32 [1, 1, 240, 320]');
    assert.ok(await isSeen(page, '#models-outcome'), 'the outputs are in view');
    await waitForText(page, '.glance-picture', '0 is black, 1 is white');
    const places = await page.$$eval('#run, .glance-picture', (all) =>
      all.map((element) => element.getBoundingClientRect().toJSON()),
    );
    assert.ok(places[1].left > places[0].right && places[1].top < 400, JSON.stringify(places));
    assert.match(await words(page, '#models-run ~ h3 + p'), /^Run: .*runs; the first took .* Writing the outputs/);
    assert.deepEqual(complaints, []);
    assert.deepEqual(await violations(), []);
  });

  test(`a link leads to the tab of a sample, and the tab Simplify has the same model, in ${name}`, async (t) => {
    const { page, complaints } = await visit(t, { hash: '/models' });
    await openSample(page, 'edges');
    await page.waitForFunction(() => location.hash === '#/models/edges/run');
    await catchCopies(page);
    await page.click('#share');
    await waitForText(page, '.share-said', 'Link copied');
    const link = await page.evaluate(() => globalThis.copied);
    assert.match(link, /#\/models\/edges\/run$/);
    await page.evaluate(() => sessionStorage.clear());
    await page.goto('about:blank');
    await page.goto(link);
    await waitForText(page, '#models-name', 'edges.onnx');
    await page.waitForSelector('#run');
    await go(page, '/simplify');
    await page.waitForSelector('#simplify-result');
    await page.waitForFunction(() => location.hash === '#/simplify/edges');
    await choose(page, same('same.onnx', 'float32', [2]));
    await waitForText(page, '#models-name', 'same.onnx');
    await page.waitForFunction(() => location.hash === '#/simplify');
    await go(page, '/models');
    await page.waitForSelector('#models-drawing');
    await waitForText(page, '#models-name', 'same.onnx');
    await page.click('#close-model');
    await go(page, '/simplify');
    await waitForText(page, 'h1', 'Simplify');
    assert.equal(await page.$('#models-name'), null);
    assert.deepEqual(complaints, []);
  });

  test(`a picture is drawn into the dims of an input, with the numbers that are chosen, in ${name}`, async (t) => {
    const { page, complaints, violations } = await visit(t, { hash: '/models' });
    await open(page, same('picture.onnx', 'float32', ['n', 3, 'height', 16]));
    await type(page, 'feed:0:dims', '1, 3, 8, 16');
    await feed(
      page,
      made(
        'colour.png',
        png(4, 3, () => [255, 0, 51]),
      ),
    );
    await waitForText(page, 'media-preview', '4 × 3 → 16 × 8');
    await run(page);
    await waitForText(page, '.models-output', 'float32 [1, 3, 8, 16]');
    await waitForText(page, 'tensor-statistics', '0.4'); // the mean of 1, 0 and 0.2
    await page.select('[id="feed:0:scale"]', 'bytes');
    await waitForText(page, '#models-run ~ h3 + p', 'The inputs have changed');
    await run(page);
    await waitForText(page, 'tensor-statistics', '255');
    await page.select('[id="feed:0:layout"]', 'NHWC');
    await run(page);
    await waitForText(page, '[id="feed:0:values:problem"]', 'the dims are [1, 3, 8, 16]; a picture as NHWC needs');
    await feed(page, made('broken.png', 'no picture'));
    await page.waitForSelector('[data-note="From before the error"] media-preview');
    await open(page, same('bytes.onnx', 'uint8', [1, 16, 16, 4]));
    await feed(
      page,
      made(
        'clear.png',
        png(2, 2, () => [7, 8, 9]),
      ),
    );
    await waitForText(page, 'media-preview', '2 × 2 → 16 × 16');
    await run(page);
    await waitForText(page, '.models-output', 'uint8 [1, 16, 16, 4]');
    await waitForText(page, 'tensor-statistics', '69.75'); // of 7, 8, 9 and 255
    assert.deepEqual(complaints, []);
    assert.deepEqual(await violations(), []);
  });

  test(`a sound becomes mono samples at the rate that is chosen, cut or padded, in ${name}`, async (t) => {
    const { page, complaints, violations } = await visit(t, { hash: '/models' });
    await open(page, same('sound.onnx', 'float32', ['n', 'samples']));
    assert.equal(await page.$eval('[id="feed:0:dims"]', ({ value }) => value), '1, 16000');
    await type(page, 'feed:0:dims', '1, 1000');
    const channels = [0.75, 0.25].map((level) => new Array(1600).fill(level));
    await feed(page, made('tone.wav', wav(8000, channels)));
    await page.waitForSelector('[id="feed:0:rate"]');
    await page.select('[id="feed:0:rate"]', '8000');
    await waitForText(page, 'media-preview', '0.125 s of 0.2 s');
    await type(page, 'feed:0:from', '0.15');
    await waitForText(page, 'media-preview', 'the last 600 samples are zeros');
    await run(page);
    await waitForText(page, '.models-output', 'float32 [1, 1000]');
    await waitForText(page, 'tensor-statistics', '600'); // zeros
    assert.match(await words(page, 'tensor-statistics'), /Mean0\.2 /); // of 400 times 0.5
    assert.deepEqual(complaints, []);
    assert.deepEqual(await violations(), []);
  });

  test(`samples that hear begin with a voice in ${name}`, async (t) => {
    const { page, complaints } = await visit(t, { hash: '/models/loudness/run' });
    await waitForText(page, '.media-name', 'voice.wav');
    await run(page);
    await waitForText(page, '.models-output', 'float32 [1, 1, 98]');
    if ((await page.$('[data-sample=silero]')) !== null) {
      await openSample(page, 'silero');
      await page.waitForFunction(() => document.getElementById('feed:0:dims')?.value === '1, 512');
      await waitForText(page, '.media-name', 'voice.wav');
      await run(page);
      await waitForText(page, '.models-output', 'float32 [1, 1]');
      const speech = await page.$eval('.models-output [role=gridcell]', ({ textContent }) => Number(textContent));
      assert.ok(speech > 0.5, `${speech}`);
    }
    assert.deepEqual(complaints, []);
  });

  test(`real models run without any setting in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/models' });
    await page.waitForSelector('[data-sample=edges]');
    if ((await page.$('[data-sample=silero]')) === null) return t.skip('the packages of tests/models are not there');
    for (const [sample, first, output] of [
      ['silero', '1, 512', 'float32 [1, 1]'],
      ['ppocr', '1, 3, 48, 536', '6625]'],
      ['ppocrDetection', '1, 3, 480, 640', 'float32 [1, 1, 480, 640]'],
    ]) {
      await openSample(page, sample);
      await page.waitForFunction((dims) => document.getElementById('feed:0:dims')?.value === dims, {}, first);
      await run(page);
      await waitForText(page, '.models-output', output);
    }
  });

  test(`the most probable elements are told in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/models' });
    const scores = [node('Softmax', '', ['x'], ['y']), input('x', 'float32', [1, 8]), output('y', 'float32', [1, 8])];
    await open(page, made('scores.onnx', model('scores', scores)));
    await page.select('[id="feed:0:kind"]', 'zeros');
    await run(page);
    await waitForText(page, '.glance-top', 'The most probable');
    assert.match(await words(page, '.glance-top tbody'), /^0 12\.50 % 1 12\.50 % 2 12\.50 % 3 12\.50 % 4 12\.50 %$/);
  });

  test(`files and numbers that do not fit are told at their input on a phone, and the page goes on, in ${name}`, async (t) => {
    const { page, complaints } = await visit(t, { hash: '/models', width: 360, language: 'zh', theme: 'dark' });
    await open(page, same('picture.onnx', 'float32', [1, 3, 'height', 'width']));
    await feed(page, made('broken.png', 'no picture'));
    await waitForText(page, '.tensor-editor > .problem', '这个文件不是本浏览器能读取的图片');
    await page.select('[id="feed:0:kind"]', 'picture');
    await run(page);
    await waitForText(page, '[id="feed:0:values:problem"]', '尚未选择文件');
    await page.select('[id="feed:0:kind"]', 'text');
    await type(page, 'feed:0:values', '1, 2, 3');
    await run(page);
    await waitForText(page, '[id="feed:0:values:problem"]', '3');
    await page.select('[id="feed:0:kind"]', 'random');
    await run(page);
    await waitForText(page, '.models-output', 'float32 [1, 3, 224, 224]');
    assert.equal(await page.$('.problem'), null);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 360, `${width}`);
    await openSample(page, 'loudness');
    await feed(page, made('broken.wav', 'no sound'));
    await waitForText(page, '.tensor-editor > .problem', '这个文件不是本浏览器能读取的声音');
    await run(page);
    await waitForText(page, '.models-output', 'float32 [1, 1, 98]');
    assert.deepEqual(complaints, []);
  });

  test(`an output with the dims of a YOLO head is drawn as boxes on the picture, with the names of the file, in ${name}`, async (t) => {
    const { page, complaints, violations } = await visit(t, { hash: '/models' });
    // For a picture of 32 by 32, three grids have 16, 4 and 1 cells. Two of these boxes are good, a third is covered.
    const columns = [
      [8, 8, 8, 8, 0.9, 0],
      [24, 16, 8, 16, 0, 0.8],
      [9, 8, 8, 8, 0.6, 0],
      ...Array.from({ length: 18 }, () => [16, 16, 4, 4, 0.1, 0.1]),
    ];
    const head = Array.from({ length: 6 }, (_, row) => columns.map((column) => column[row])).flat();
    const entry = bytes(14, [bytes(1, 'names'), bytes(2, "{0: 'cat', 1: 'dog'}")]); // of metadata_props
    const graph = [
      node('ReduceMax', '', ['image'], ['most'], []),
      node('Mul', '', ['most', 'zero'], ['nothing']),
      node('Add', '', ['nothing', 'head'], ['boxes']),
      node('Reshape', '', ['boxes', 'dims'], ['output0']),
      initializer('zero', [], [0]),
      initializer('head', [1, 1, 6, 21], head),
      initializer('dims', [3], [1, 6, 21], 'int64'),
      input('image', 'float32', [1, 3, 32, 32]),
      output('output0', 'float32', [1, 6, 21]),
    ];
    await open(page, made('head.onnx', Buffer.concat([model('head', graph), Buffer.from(entry)])));
    await feed(
      page,
      made(
        'blue.png',
        png(4, 4, () => [0, 0, 255]),
      ),
    );
    await run(page);
    await waitForText(page, 'output-boxes figcaption', '2 boxes on the picture of the input');
    assert.match(await words(page, '.boxes-list'), /^cat 90 % \[4, 4, 12, 12\] ?dog 80 % \[20, 8, 28, 24\]$/);
    const places = await page.$$eval('.boxes-box', (all) => all.map((box) => box.getAttribute('x')));
    assert.deepEqual(places, ['4', '20']);
    const isBlue = () => {
      const brush = document.querySelector('.boxes-picture canvas').getContext('2d');
      return brush.getImageData(16, 16, 1, 1).data.join() === '0,0,255,255';
    };
    await page.waitForFunction(isBlue);
    assert.deepEqual(complaints, []);
    assert.deepEqual(await violations(), []);
  });
});
