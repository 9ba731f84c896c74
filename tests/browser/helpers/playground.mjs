// Opens the built playground as a visitor, and records every complaint of the browser.
import { after } from 'node:test';
import { browserNames, launch, patience, usualBrowsers } from './browsers.mjs';
import { serveSite } from './site.mjs';

/** Calls `run(name, visit)` for every browser; `visit(t, options)` opens a new visitor's page. */
export function inEveryBrowser(run) {
  for (const name of browserNames) run(name, (t, options) => visit(t, name, options));
}

/** Runs a test in the usual browsers. It is for tests of pages, which hardly differ between browsers. */
export function inUsualBrowsers(run) {
  for (const name of usualBrowsers) run(name, (t, options) => visit(t, name, options));
}

const launched = new Map();

/** One browser for all tests of a file, because starting one takes longer than most tests. */
function browserOf(name, language, isWhole) {
  const key = `${name} ${language} ${isWhole}`;
  if (!launched.has(key)) launched.set(key, launch(name, language, [], isWhole));
  return launched.get(key).then(({ browser }) => browser);
}
after(async () => {
  for (const { close } of await Promise.all(launched.values())) await close();
});

/**
 * A page of a new visitor without history, and its server. Both close when test `t` ends.
 *
 * @param hash the part of the address after `#`
 * @param language, theme the visitor's earlier choices
 * @param browserLanguage the language that the browser requests
 * @param unanswered, missing patterns of paths that the server never answers, or does not find
 * @param pages other contents of files of the site, by their paths
 * @param keepsFiles whether the site's service worker keeps its files for visits without the server
 * @param isWhole whether Chromium has to be the whole browser
 * @returns { page, server, complaints }: complaints are console errors and warnings, exceptions, and CSP violations
 */
async function visit(t, name, options = {}) {
  const {
    hash = '',
    language,
    theme,
    browserLanguage,
    width = 1280,
    height = 900,
    unanswered,
    missing,
    pages,
    keepsFiles,
    isWhole,
  } = options;
  // The worker fetches hundreds of files to keep: a fifth of the time of all these tests.
  const without = keepsFiles ? {} : { 'service-worker.js': '' };
  const server = await serveSite({ unanswered, missing, pages: { ...without, ...pages } });
  const browser = await browserOf(name, browserLanguage, isWhole);
  const visitor = await browser.createBrowserContext();
  t.after(async () => {
    await visitor.close();
    await server.close();
  });
  const page = await visitor.newPage();
  page.setDefaultTimeout(patience);
  const complaints = [];
  page.on('console', (message) => {
    if (['error', 'warn', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.evaluateOnNewDocument(
    (choices) => {
      globalThis.violations = [];
      addEventListener('securitypolicyviolation', (event) => globalThis.violations.push(event.violatedDirective));
      // The blank page has no storage.
      if (location.protocol === 'http:')
        for (const [key, value] of Object.entries(choices)) localStorage[key] ??= value;
    },
    { language, theme },
  );
  await page.setViewport({ width, height });
  await page.goto(server.address + (hash === '' ? '' : `#${hash}`));
  const violations = () => page.evaluate(() => globalThis.violations);
  return { page, server, visitor, complaints, violations };
}

/** Replaces the text of a field by `text`, with the keyboard. */
export async function type(page, id, text) {
  await page.focus(`[id="${id}"]`);
  await page.keyboard.down('Control');
  await page.keyboard.press('a');
  await page.keyboard.up('Control');
  if (text === '') await page.keyboard.press('Delete');
  else await page.keyboard.type(text);
}

/** Opens "Try it" with its first result. */
export async function openTry(visit, t, options = {}) {
  const opened = await visit(t, { hash: '/try', ...options });
  await opened.page.waitForSelector('.viewer-outputs');
  return opened;
}

/** Asks for an operator of "Try it" by its name, with the keyboard. */
export async function askForOperator(page, name) {
  await page.waitForSelector('#operator');
  await type(page, 'operator', name);
  await page.waitForFunction(
    (wanted) => document.querySelector('#operator-hits [aria-selected="true"] .search-name')?.textContent === wanted,
    {},
    name,
  );
  await page.keyboard.press('Enter');
}

/** Asks for an operator, and waits until it is the one of "Try it". */
export async function chooseOperator(page, name) {
  await askForOperator(page, name);
  await page.waitForFunction(
    (wanted) => document.querySelector('#operator').value === wanted && !document.querySelector('#operator-hits a'),
    {},
    name,
  );
}

/** Pastes `text` over the text of a field, with the keyboard. */
export async function paste(page, id, text) {
  await page.evaluate((copied) => {
    const source = document.createElement('textarea');
    source.value = copied;
    document.body.append(source);
    source.focus();
    source.select();
  }, text);
  await page.keyboard.down('Control');
  await page.keyboard.press('c');
  await page.focus(`[id="${id}"]`);
  await page.keyboard.press('a');
  await page.keyboard.press('v');
  await page.keyboard.up('Control');
}

/** Waits until the text of the first element that matches `selector` contains `text`. */
export async function waitForText(page, selector, text) {
  const found = (wanted, part) => document.querySelector(wanted)?.textContent.includes(part);
  try {
    await page.waitForFunction(found, {}, selector, text);
  } catch {
    const is = await page.evaluate((wanted) => document.querySelector(wanted)?.textContent, selector);
    throw new Error(`${selector} holds ${JSON.stringify(is)}, wanted ${JSON.stringify(text)}`);
  }
}

/** Goes to another address of the site, without loading it anew. */
export const go = (page, hash) =>
  page.evaluate((wanted) => {
    location.hash = wanted;
  }, hash);

/** Keeps what the page copies in `globalThis.copied`. */
export const catchCopies = (page) =>
  page.evaluate(() => {
    navigator.clipboard.writeText = async (text) => {
      globalThis.copied = text;
    };
  });

/** Shows a tab of the page of models. */
export async function openTab(page, tab) {
  const selector = `#models-tab-${tab}`;
  await (await page.waitForSelector(selector)).evaluate((link) => link.click());
  await page.waitForSelector(`${selector}[aria-selected=true]`);
}

/** Opens a sample on the page of models, whose buttons are folded while a model is open. */
export async function openSample(page, name) {
  await (await page.waitForSelector(`[data-sample=${name}]`)).evaluate((button) => button.click());
}

/** The layout shifts since the page was loaded. Firefox does not report them. */
export const layoutShifts = (page) =>
  page.evaluate(
    () =>
      new Promise((resolve) => {
        const values = [];
        new PerformanceObserver((list) => {
          for (const { value } of list.getEntries()) values.push(value);
        }).observe({ type: 'layout-shift', buffered: true });
        setTimeout(() => resolve(values), 500);
      }),
  );

/** Drops a file on the page, at its end, as somebody does who does not aim. */
export const dropFile = (page, name, bytes) =>
  page.evaluate(
    (called, content) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([Uint8Array.from(content)], called));
      const options = { dataTransfer, bubbles: true, cancelable: true };
      document.querySelector('footer').dispatchEvent(new DragEvent('drop', options));
    },
    name,
    [...bytes],
  );

/** The count of an operator after simplification, from the table; undefined if it has no row. */
export const countAfter = (page, operator) =>
  page.$$eval(
    '.simplify-operators tbody tr',
    (rows, name) => {
      const row = rows.find(({ cells }) => cells[0].textContent === name);
      return row && Number(row.cells[2].textContent);
    },
    operator,
  );
