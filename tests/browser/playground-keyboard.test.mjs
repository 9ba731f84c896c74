// Every page by keyboard alone: the Tab key reaches all controls in reading order, shows the focus,
// and leaves the page again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { someOf } from '../depth.mjs';
import { inUsualBrowsers, waitForText } from './helpers/playground.mjs';

const pages = {
  'the first page': { hash: '/', shows: 'sliding-window svg' },
  'an operator': { hash: '/operators/Shape', shows: '.viewer-outputs [role="gridcell"]' },
  'an operator with a curve': { hash: '/operators/Sigmoid', shows: '.curve-picture' },
  'an operator with a small call': { hash: '/operators/ReduceSum', shows: '.viewer-outputs [role="gridcell"]' },
  'Try it': { hash: '/try', shows: '.viewer-outputs [role="gridcell"]' },
  Models: { hash: '/models', shows: '[data-sample]' },
  'an open model': {
    hash: '/models',
    shows: '[data-sample]',
    opens: '[data-sample="expandLike"]',
    awaits: '#models-drawing',
  },
  'the tab of a run': { hash: '/models/expandLike/run', shows: '#run' },
  'the tab of the weights': { hash: '/models/edges/weights', shows: '.weights-table' },
  Prepare: { hash: '/prepare', shows: '.viewer [role="gridcell"]' },
  Simplify: { hash: '/simplify', shows: '[data-sample]' },
  'a simplified model': {
    ...{ hash: '/simplify', shows: '[data-sample]' },
    ...{ opens: '[data-sample="parts"]', awaits: '#simplify-before' },
  },
  Benchmark: { hash: '/benchmark', shows: '.benchmark-actions' },
  'an embedded call': { hash: '/embed', shows: '.viewer-outputs [role="gridcell"]' },
  'an unknown address': { hash: '/operators/Expnad', shows: '.unknown-links' },
};

/** Returns the names of all elements that the Tab key should reach, in order, and marks each with its number. */
const markStops = (page) =>
  page.evaluate(() => {
    const stops = [
      ...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]'),
    ].filter((element) => !element.disabled && element.tabIndex >= 0 && element.checkVisibility());
    return stops.map((element, number) => {
      element.dataset.stop = number;
      return `${element.localName} ${element.id || element.textContent.trim().slice(0, 40)}`;
    });
  });

/** The number of the focused element, and whether its focus is visible. */
const focused = (page) =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (element === null || element === document.body) return undefined;
    // The fields of files are invisible: their labels show the focus.
    const shown = element.type === 'file' ? element.closest('label') : element;
    const { outlineStyle, outlineWidth } = getComputedStyle(shown);
    const hasRing = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0;
    return { number: Number(element.dataset.stop ?? Number.NaN), hasRing };
  });

async function press(page, key, times = 1) {
  for (let time = 0; time < times; time++) await page.keyboard.press(key);
}

inUsualBrowsers((name, visit) => {
  for (const [what, { hash, shows, opens, awaits }] of someOf(Object.entries(pages), 3)) {
    test(`the Tab key goes through all of ${what} in order, with a visible focus, in ${name}`, async (t) => {
      const { page } = await visit(t, { hash });
      await page.waitForSelector(shows);
      if (opens) {
        await page.focus(opens);
        await press(page, 'Enter');
        await page.waitForSelector(awaits);
      }
      const stops = await markStops(page);
      const reached = [];
      await page.evaluate(() => {
        // A visitor begins before everything.
        const start = document.createElement('span');
        start.tabIndex = -1;
        document.body.prepend(start);
        start.focus();
      });
      for (let presses = 0; presses < stops.length + 20 && reached.at(-1) !== stops.length - 1; presses++) {
        await press(page, 'Tab');
        const at = await focused(page);
        if (at === undefined || Number.isNaN(at.number)) continue; // a browser's own stop, such as a box that scrolls
        assert.ok(at.hasRing, `no ring around ${stops[at.number]}`);
        reached.push(at.number);
      }
      assert.deepEqual(
        reached.map((number) => stops[number]),
        stops,
      );
      await press(page, 'Tab', 2); // nothing holds the focus
      assert.notEqual((await focused(page))?.number, stops.length - 1);
    });
  }

  test(`the focus goes on when the button that had it has gone, in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/models' });
    const enter = async (selector) => {
      await (await page.waitForSelector(selector)).focus();
      await press(page, 'Enter');
    };
    const waitForFocus = (selector) =>
      page.waitForFunction((wanted) => document.activeElement.matches(wanted), {}, selector);
    await enter('[data-sample=edges]');
    await waitForFocus('#models-tab-graph');
    await enter('#models-tab-time');
    await enter('#run-measure');
    await waitForFocus('[name=profile-rows]');
    await enter('#models-tab-compare');
    await enter('[data-compare=loudness]');
    await waitForFocus('#compare-end');
    await enter('#compare-end');
    await waitForFocus('#compare-file');
  });

  test(`the page of an operator can be used by keyboard alone in ${name}`, async (t) => {
    const { page } = await visit(t, { hash: '/operators/Expand' });
    const outputs = '.viewer-outputs';
    await waitForText(page, outputs, 'float32 [2, 3, 6]');
    await press(page, 'Tab');
    await press(page, 'Enter'); // to the content
    assert.equal(await page.evaluate(() => document.activeElement.id), 'content');
    const tabTo = async (condition) => {
      for (let presses = 0; presses < 40; presses++) {
        await press(page, 'Tab');
        if (await page.evaluate(condition)) return;
      }
      assert.fail(`Tab does not reach ${condition}`);
    };
    await tabTo(() => document.activeElement.dataset.preset === '1');
    await press(page, ' ');
    await waitForText(page, outputs, 'float32 [3, 4]');
    await tabTo(() => document.activeElement.id === 'input:1:values');
    await page.keyboard.type('2, 4');
    await waitForText(page, outputs, 'float32 [2, 4]');
    await tabTo(() => document.activeElement.role === 'gridcell' || document.activeElement.localName === 'td');
    await press(page, 'ArrowRight');
    await waitForText(page, 'chosen-element', 'output[0, 1]');
    // The address changes a moment after typing. It must not replace the link's address.
    const address = () => page.evaluate(() => location.hash);
    for (let last = ''; last !== (await address()); await new Promise((go) => setTimeout(go, 700)))
      last = await address();
    await tabTo(() => document.activeElement.getAttribute('href')?.startsWith('#/try/'));
    await press(page, 'Enter');
    await waitForText(page, `.try-page ${outputs}`, 'float32 [2, 4]');
  });
});
