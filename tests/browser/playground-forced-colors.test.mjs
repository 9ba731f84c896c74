// Colours that the system sets, as for high contrast, in Chromium, which can be told to have them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inUsualBrowsers } from './helpers/playground.mjs';

async function openForced(visit, t, hash) {
  const visited = await visit(t, { hash });
  const session = await visited.page.createCDPSession();
  await session.send('Emulation.setEmulatedMedia', { features: [{ name: 'forced-colors', value: 'active' }] });
  return visited;
}

const styleOf = (page, selector, property) =>
  page.$eval(selector, (element, name) => getComputedStyle(element)[name], property);

inUsualBrowsers((name, visit) => {
  if (name !== 'chromium') return;

  test('drawings have their own colours, and text that can be read', async (t) => {
    const { page } = await openForced(visit, t, '/models');
    await (await page.waitForSelector('[data-sample="keepOrClear"]')).click();
    // The boxes of nodes have colours, and the letters in them others.
    await page.waitForSelector('#models-drawing');
    const isColoured = () => {
      const canvas = document.querySelector('#models-drawing');
      if (canvas.width === 0) return false;
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      for (let i = 0; i < data.length; i += 4) if (data[i] !== data[i + 2]) return true;
      return false;
    };
    await page.waitForFunction(isColoured, { timeout: 10_000 });
  });

  test('what is selected differs from the rest', async (t) => {
    const { page } = await openForced(visit, t, '/operators/Expand');
    await (await page.waitForSelector('.viewer-outputs .grid-box tbody td')).hover();
    await page.waitForSelector('.grid-box tbody td[data-lit]', { timeout: 10_000 });
    const others = { current: 'a[aria-current="page"]', rest: 'a[aria-current="false"]' };
    for (const [where, property] of [
      ['header.top nav', 'borderBottomColor'],
      ['.operator-lists', 'backgroundColor'],
    ]) {
      const [current, rest] = await Promise.all(
        Object.values(others).map((which) => styleOf(page, `${where} ${which}`, property)),
      );
      assert.notEqual(current, rest, where);
    }
    const preset = (isPressed) => `.stage-presets .button[aria-pressed="${isPressed}"]`;
    assert.notEqual(
      await styleOf(page, preset(true), 'backgroundColor'),
      await styleOf(page, preset(false), 'backgroundColor'),
    );
    assert.equal(await styleOf(page, '.grid-box tbody td[data-lit]', 'outlineStyle'), 'solid');
  });
});
