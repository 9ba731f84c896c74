// npm run bench:playground: the time from the start of the load of Expand's page until its first documented example shows the
// expected result, and until the page answers an edit that is made as soon as its field exists. It runs in Chromium and Firefox, with a
// server on this machine. Every load is a new visitor's, with nothing cached.
import { join } from 'node:path';
import { browserNames, launch } from '../tests/browser/helpers/browsers.mjs';
import { serveSite } from '../tests/browser/helpers/site.mjs';
import { root } from '../tools/run.mjs';
import { resultsFolder } from './results.mjs';
import { median } from './statistics.mjs';

const rounds = 11;

/** Edits the wanted shape on the page of Expand as soon as its field exists. */
function editAtOnce() {
  const watcher = new MutationObserver(() => {
    const field = document.getElementById('input:1:values');
    if (field === null) return;
    watcher.disconnect();
    field.value = '2, 3, 4';
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });
  watcher.observe(document, { childList: true, subtree: true });
}

/** Milliseconds of one load by a new visitor, by the page's own clock. */
async function load(browser, address, mark) {
  const visitor = await browser.createBrowserContext();
  const page = await visitor.newPage();
  if (mark === 'first-edit') await page.evaluateOnNewDocument(editAtOnce);
  await page.goto(`${address}#/operators/Expand`);
  await page.waitForFunction((name) => performance.getEntriesByName(name).length > 0, {}, mark);
  const times = await page.evaluate(
    (name) => ({
      painted: performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
      marked: performance.getEntriesByName(name)[0].startTime,
    }),
    mark,
  );
  await visitor.close();
  return times;
}

async function measure(name) {
  const server = await serveSite();
  const { browser, close } = await launch(name);
  const cards = [];
  const edits = [];
  for (let round = -1; round < rounds; round++) {
    const card = await load(browser, server.address, 'first-example');
    const edit = await load(browser, server.address, 'first-edit');
    if (round < 0) continue; // the first one starts the browser's own processes
    cards.push(card);
    edits.push(edit);
  }
  await close();
  await server.close();
  const medianOf = (loads, key) => median(loads.map((times) => times[key]));
  return {
    name,
    painted: medianOf(cards, 'painted'),
    firstCard: medianOf(cards, 'marked'),
    firstEdit: medianOf(edits, 'marked'),
  };
}

const rows = [];
for (const name of browserNames) rows.push(await measure(name));
console.log(`Milliseconds from the start of the page's load (median of ${rounds} new visitors)`);
for (const { name, painted, firstCard, firstEdit } of rows) {
  const columns = { painted, 'first card as expected': firstCard, 'first edit answered': firstEdit };
  const texts = Object.entries(columns).map(([what, time]) => `${what} ${time.toFixed(0).padStart(5)}`);
  console.log(`${name.padEnd(10)} ${texts.join(', ')}`);
}
resultsFolder(join(root, 'bench/results')).write('first-card', { rows });
