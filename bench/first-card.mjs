// npm run bench:playground: from the start of the page's load until its first documented example is there as expected, in
// Chromium and Firefox, from a server on this machine; every load is a new visitor's, with nothing cached.
import { join } from 'node:path';
import { browserNames, launch } from '../tests/browser/helpers/browsers.mjs';
import { serveSite } from '../tests/browser/helpers/site.mjs';
import { root } from '../tools/run.mjs';
import { resultsFolder } from './results.mjs';
import { median } from './statistics.mjs';

const rounds = 11;

/** Milliseconds of one load by a new visitor, as the page's own clock has them. */
async function load(browser, address) {
  const visitor = await browser.createBrowserContext();
  const page = await visitor.newPage();
  await page.goto(address);
  await page.waitForFunction(() => performance.getEntriesByName('first-example').length > 0);
  const times = await page.evaluate(() => ({
    painted: performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
    firstCard: performance.getEntriesByName('first-example')[0].startTime,
  }));
  await visitor.close();
  return times;
}

async function measure(name) {
  const server = await serveSite();
  const { browser, close } = await launch(name);
  const loads = [];
  for (let round = -1; round < rounds; round++) {
    const times = await load(browser, server.address);
    if (round >= 0) loads.push(times); // the first one starts the browser's own processes
  }
  await close();
  await server.close();
  const medianOf = (key) => median(loads.map((times) => times[key]));
  return { name, painted: medianOf('painted'), firstCard: medianOf('firstCard') };
}

const rows = [];
for (const name of browserNames) rows.push(await measure(name));
console.log(`Milliseconds from the start of the page's load (median of ${rounds} new visitors)`);
for (const { name, painted, firstCard } of rows) {
  console.log(
    `${name.padEnd(10)} painted ${painted.toFixed(0).padStart(5)}, first card as expected ${firstCard.toFixed(0).padStart(5)}`,
  );
}
resultsFolder(join(root, 'bench/results')).write('first-card', { rows });
