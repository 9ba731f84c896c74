// Rules for every page of the playground: no complaint of the browser, no accessibility violation, no width that a
// phone lacks, no layout shift while loading, no need for the network after the first visit.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { isDeep, someOf } from '../depth.mjs';
import { png } from './helpers/media.mjs';
import { chooseOperator, inUsualBrowsers, layoutShifts, openTab, type, waitForText } from './helpers/playground.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const axe = readFileSync(`${root}web-demo/node_modules/axe-core/axe.min.js`, 'utf8');
const screenshots = `${root}build/screenshots`;
mkdirSync(screenshots, { recursive: true });

const picture = `${screenshots}/picture.png`;
writeFileSync(
  picture,
  png(16, 16, (x, y) => [16 * x, 16 * y, 99]),
);

/** The main views: their addresses, and elements that show that they are loaded. */
const views = {
  home: { hash: '/', shows: ['sliding-window svg[data-ready="true"]', ''] },
  Constant: { hash: '/operators/Constant/1..25', shows: ['.example .actual', 'float32'] },
  Expand: { hash: '/operators/Expand', shows: ['.viewer-outputs', 'float32'] },
  Sigmoid: { hash: '/operators/Sigmoid', shows: ['.curve-read', 'X = '] },
  ReduceSum: { hash: '/operators/ReduceSum', shows: ['.viewer-outputs', 'float32'] },
  TfIdfVectorizer: { hash: '/operators/TfIdfVectorizer', shows: ['.content code', 'onnxruntime-web'] },
  try: { hash: '/try', shows: ['.outcome', 'float32'] },
  models: { hash: '/models', shows: ['h1', ''] },
  prepare: { hash: '/prepare', shows: ['#prepare-dims', 'float32 [1, 3, 224, 224]'] },
  simplify: { hash: '/simplify', shows: ['h1', ''] },
  benchmark: { hash: '/benchmark', shows: ['h1', ''] },
  embed: { hash: '/embed', shows: ['.viewer-outputs', 'float32'] },
  unknown: { hash: '/operators/Expnad', shows: ['h1', 'Expnad'] },
};

const inAttribute = (name) => `[id="attribute:${name}:given"]`;

/** Views after an action: `act` does it and waits for its effect. */
const states = {
  'a prepared sound': {
    hash: '/prepare/sound?',
    shows: ['#prepare-dims', 'float32 [80, 169]'],
    act: (page) => page.waitForSelector('.prepare-spectrogram canvas'),
  },
  'a mistake in a step': {
    ...views.prepare,
    act: async (page) => {
      await type(page, 'prepare:crop', 'all of it');
      await page.waitForSelector('[id="prepare:crop:problem"]');
    },
  },
  'a search': {
    ...views.Expand,
    act: async (page) => {
      await page.keyboard.press('/');
      await page.keyboard.type('vector');
      await page.waitForSelector('.operators-foreign a');
    },
  },
  Shape: { hash: '/operators/Shape/1..25', shows: ['.differences', 'end'], act: async () => {} },
  'an error': {
    ...views.try,
    act: async (page) => {
      await type(page, 'input:1:values', '2, 2, 6');
      await page.waitForSelector('.outcome[data-stale="true"]');
    },
  },
  'all attributes': {
    ...views.try,
    act: async (page) => {
      await chooseOperator(page, 'Constant');
      await page.waitForSelector(inAttribute('value_strings'));
      for (const name of await page.$$eval('.attribute input[type="checkbox"]:not(:checked)', (boxes) =>
        boxes.map(({ id }) => id),
      )) {
        await page.click(`[id="${name}"]`);
      }
      await page.waitForSelector('[id="attribute:value:problem"]');
    },
  },
  'a large result': {
    ...views.try,
    act: async (page) => {
      await type(page, 'input:1:values', '300, 3, 400');
      await page.waitForSelector('tensor-window [role="gridcell"]');
      await page.waitForSelector('.picture-plane figcaption span + span');
    },
  },
  'packed elements': {
    ...views.try,
    act: async (page) => {
      await chooseOperator(page, 'ConstantOfShape');
      await page.waitForSelector('[id="attribute:value:type"]');
      await page.select('[id="attribute:value:type"]', 'uint2');
      await page.waitForSelector('.bits-byte');
    },
  },
  'a model that ran': {
    ...views.models,
    act: async (page) => {
      await (await page.waitForSelector('[data-sample="batchBias"]')).click();
      await openTab(page, 'run');
      await page.focus('#run'); // by keyboard: Firefox under WebDriver clicks beside an element that it has just scrolled to
      await page.keyboard.press('Enter');
      await page.waitForSelector('.models-output [role="gridcell"]');
    },
  },
  'a model that ran on a picture': {
    ...views.models,
    act: async (page) => {
      await (await page.waitForSelector('[data-sample="edges"]')).click();
      await openTab(page, 'run');
      await (await page.waitForSelector('.tensor-editor input[type=file]')).uploadFile(picture);
      await waitForText(page, 'media-preview', '16 × 16 → 320 × 240');
      await page.focus('#run');
      await page.keyboard.press('Enter');
      await page.waitForSelector('.glance-picture');
    },
  },
  'the times of the nodes of a model': {
    hash: '/models/edges/time',
    shows: ['#run-measure', ''],
    act: async (page) => {
      await page.focus('#run-measure');
      await page.keyboard.press('Enter');
      await page.waitForSelector('.profile-table');
      await page.$eval('.profile-table tbody .panel-link', (button) => button.click());
    },
  },
  'the weights of a model': {
    hash: '/models/edges/weights',
    shows: ['.weights-table', 'sobel'],
    act: async (page) => {
      await page.$eval('.weights-table tbody .panel-link', (button) => button.click());
      await page.waitForSelector('.weights-looked [role=gridcell]');
    },
  },
  'a model that cannot run': {
    ...views.models,
    act: async (page) => {
      await (await page.waitForSelector('[data-sample="unsupported"]')).click();
      await page.waitForSelector('.nodes-bad');
    },
  },
  'a node of a model with its weights': {
    ...views.models,
    act: async (page) => {
      await (await page.waitForSelector('[data-sample="batchBias"]')).click();
      await page.waitForSelector('#models-drawing');
      await page.$eval('.nodes-row .nodes-choose', (button) => button.click());
      await page.waitForSelector('.panel-rows');
      await page.$eval('.panel-value', (button) => button.click());
      await page.waitForSelector('.panel-looked [role="gridcell"]');
    },
  },
  'two models side by side': {
    ...views.models,
    act: async (page) => {
      await (await page.waitForSelector('[data-sample="batchBias"]')).click();
      await page.waitForSelector('#models-drawing');
      await openTab(page, 'compare');
      await (await page.$('#compare-file')).uploadFile(`${root}web-demo/public/samples/keep-or-clear.onnx`);
      await page.waitForSelector('#compare-after');
      await page.$eval('.compare-row .nodes-choose', (button) => button.click());
    },
  },
  'a model with graphs within a node': {
    ...views.models,
    act: async (page) => {
      await (await page.waitForSelector('[data-sample="keepOrClear"]')).click();
      await page.waitForSelector('.nodes-graph[open] .nodes-row');
    },
  },
  'the value of an edge in a graph within a node': {
    ...views.models,
    act: async (page) => {
      await (await page.waitForSelector('[data-sample="keepOrClear"]')).click();
      await (await page.waitForSelector('[id="node-0.1.0"] .nodes-choose')).click();
      await page.waitForSelector('model-graph[aria-busy=false]');
      await page.focus('#models-drawing');
      await page.keyboard.press('e');
      await page.keyboard.press('Enter');
      await page.waitForSelector('.panel .panel-title.mono');
    },
  },
  'a simplified model': {
    ...views.simplify,
    act: async (page) => {
      await (await page.waitForSelector('[data-sample="parts"]')).click();
      await page.waitForSelector('#simplify-before');
      await page.$eval('#simplify-list', (button) => button.click());
      await page.waitForSelector('.simplify-list table');
    },
  },
  'a simplified model with sizes that stay open': {
    ...views.simplify,
    act: async (page) => {
      await (await page.waitForSelector('[data-sample="parts"]')).click();
      await page.waitForSelector('#simplify-before');
      await type(page, 'dim:0', '');
      await page.keyboard.press('Enter');
      await page.waitForSelector('[aria-labelledby="simplify-dynamic"] .simplify-fix');
      await type(page, 'dim:0', 'one');
      await page.keyboard.press('Enter');
      await page.waitForSelector('[id="dim:0:problem"]');
    },
  },
  'a benchmark': {
    ...views.benchmark,
    act: async (page) => {
      for (const fieldset of (await page.$$('.benchmark-choices fieldset')).slice(0, 3)) {
        for (const box of (await fieldset.$$('input:checked')).slice(1)) await box.click();
      }
      await page.click('.benchmark-actions .button:not(.quiet)');
      await page.waitForSelector('.benchmark-choices progress');
      await page.waitForSelector('[data-network] td');
      await page.waitForSelector('benchmark-chart');
    },
  },
};

const isThere = async (page, { shows: [selector, text] }) => {
  await page.waitForSelector(selector);
  await waitForText(page, selector, text);
  await page.waitForFunction(() => document.querySelectorAll('.example[data-status="running"]').length === 0);
};

const combinations = [
  { language: 'en', theme: 'light', width: 1280 },
  { language: 'zh', theme: 'dark', width: 320 },
];

/** The findings of axe on the page. */
async function axeFindings(page) {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { violations } = await globalThis.axe.run(document);
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`)}`,
    );
  });
}

inUsualBrowsers((name, visit) => {
  for (const [number, [view, it]] of Object.entries({ ...views, ...states }).entries()) {
    for (const [turn, { language, theme, width }] of combinations.entries()) {
      // A visit takes three seconds of a processor. A short run has each combination on every fourth page.
      if (!isDeep && number % 4 !== turn) continue;
      // The rules see the same page in every browser, so slow combinations run in one only.
      if (name === 'firefox' && view in states && theme === 'light') continue;
      test(`axe finds nothing on ${view} in ${name} (${language}, ${theme}, ${width} px), and the page fits`, async (t) => {
        const { page, complaints, violations } = await visit(t, { hash: it.hash, language, theme, width });
        await isThere(page, it);
        await it.act?.(page);
        await page.screenshot({
          path: `${screenshots}/${view.replaceAll(' ', '-')}-${name}-${language}-${theme}-${width}.png`,
          fullPage: true,
        });
        assert.deepEqual(await axeFindings(page), []);
        assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width, 'it scrolls sideways');
        assert.deepEqual(complaints, []);
        assert.deepEqual(await violations(), []);
      });
    }
  }

  test(`after the first visit the playground works without its server in ${name}`, async (t) => {
    const { page, server } = await visit(t, { hash: '/operators/Expand', keepsFiles: true });
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}));
    await server.close();
    await page.reload();
    await page.waitForSelector('.example[data-status="equal"]');
    await page.evaluate(() => {
      location.hash = '#/models';
    });
    await page.waitForFunction(() => document.querySelector('main input[type="file"]') !== null);
  });

  test(`the page sends no request to another host and sets no cookie in ${name}`, async (t) => {
    const { page, server, visitor } = await visit(t, { hash: '/operators/Expand' });
    const asked = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.reload();
    await page.waitForSelector('.example[data-status="equal"]');
    assert.ok(asked.length > 0);
    assert.deepEqual(
      asked.filter((url) => !url.startsWith(server.address) && !/^(blob|data):/.test(url)),
      [],
    );
    assert.deepEqual(await visitor.cookies(), []);
  });

  test(`the operator page can be read before the wasm module arrives in ${name}`, async (t) => {
    const { page } = await visit(t, { unanswered: /\.wasm$/, hash: '/operators/Shape' });
    await waitForText(page, 'h1', 'Shape');
    await waitForText(page, '.differences', 'uint2');
    await waitForText(page, '.example .expected', 'int64 [2]');
  });

  // Firefox does not report layout shifts.
  if (name === 'chromium') {
    for (const [view, it] of someOf(Object.entries(views), 4)) {
      test(`loading ${view} shifts nothing`, async (t) => {
        const { page } = await visit(t, { hash: it.hash });
        await isThere(page, it);
        await page.reload();
        await isThere(page, it);
        const shifts = await layoutShifts(page);
        assert.deepEqual(shifts, []);
      });
    }
  }
});
