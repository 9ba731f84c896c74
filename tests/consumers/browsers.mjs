// Opens a project's page in Chromium and Firefox. Each is started once for the whole run.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { browserNames, launch, patience } from '../browser/helpers/browsers.mjs';
import { serve } from '../browser/helpers/server.mjs';

/** The strictest Content-Security-Policy that allows compiling wasm. */
export const strictPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";

/** The files that the check requests: itself, and the package with its one wasm file. */
export const libraryFiles = ['/check.js', '/agreement.js', '/data.js'].concat(
  ['error.js', 'index.js', 'broadloom.wasm'].map((file) => `/node_modules/broadloom/dist/${file}`),
);

/** The files that `loadInWorker` requests besides, and the script of the two workers of `loadPool`. */
export const workerFiles = ['remote.js', 'worker.js', 'broadloom.wasm', 'worker.js', 'worker.js'].map(
  (file) => `/node_modules/broadloom/dist/${file}`,
);

/** The entries for programs of onnxruntime. */
export const onnxruntimeFiles = ['onnxruntime.js', 'ort.js'].map((file) => `/node_modules/broadloom/dist/${file}`);

/** Writes a page of a project: the shared one with another script. */
export const writePage = (project, path, script) =>
  writeFileSync(join(project.folder, path), project.read('index.html').replace('main.js', script));

const launched = new Map();

function launchOnce(name) {
  if (!launched.has(name)) launched.set(name, launch(name));
  return launched.get(name);
}

export async function closeBrowsers() {
  for (const { close } of await Promise.all(launched.values())) await close();
}

/**
 * Opens a page in a context of its own. Two projects share a browser, and Firefox may lose a page that is opened while the other
 * project closes its context: then it is opened again.
 */
async function openPage(browser, usesStorage, tries = 3) {
  // Chromium's own contexts have no storage, where service workers are.
  if (usesStorage) {
    const page = await browser.newPage();
    return { visitor: page, page };
  }
  const visitor = await browser.createBrowserContext();
  try {
    return { visitor, page: await visitor.newPage() };
  } catch (error) {
    await visitor.close();
    if (tries === 1 || !/no such frame/.test(error.message)) throw error;
    return openPage(browser, usesStorage, tries - 1);
  }
}

/** Returns the page's `globalThis.result`. Fails if the browser complained. */
async function readPage(name, address, usesStorage) {
  const { browser } = await launchOnce(name);
  const { visitor, page } = await openPage(browser, usesStorage);
  try {
    const complaints = [];
    page.on('console', (message) => {
      if (['error', 'warn', 'warning'].includes(message.type())) {
        complaints.push(`${message.text()} ${message.location().url ?? ''}`);
      }
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.setDefaultTimeout(patience);
    await page.goto(address);
    const result = await page
      .waitForFunction(() => globalThis.result)
      .then((handle) => handle.evaluate((value) => value))
      .catch((error) => {
        throw new Error(`${complaints.join('\n')}\n${error.message}`);
      });
    // Browsers request an icon by themselves. There is none, and a strict policy allows no images.
    const real = complaints.filter((text) => !text.includes('/favicon.ico'));
    if (real.length > 0) throw new Error(real.join('\n'));
    return { environment: await browser.version(), result };
  } finally {
    await visitor.close();
  }
}

/** A row for `address` in a browser. */
async function readRow(name, address, what, usesStorage = false) {
  const { environment, result } = await readPage(name, address, usesStorage);
  return { environment: `${environment.replace('/', ' ')}, ${what}`, result };
}

/** Rows for `address` in these browsers. */
export const readAddressInBrowsers = (address, what, browsers = browserNames) =>
  Promise.all(browsers.map((name) => readRow(name, address, what)));

/**
 * Rows for a folder of files on a plain server, in these browsers.
 *
 * @param requests the paths that a visit must request, in any order, without those of onnxruntime-common; if omitted, requests
 *   are not checked
 * @param usesStorage whether the page keeps something in the browser, such as a service worker
 */
export function readInBrowsers(
  folder,
  { what, policy = strictPolicy, path = '/', requests, usesStorage, browsers = browserNames },
) {
  const read = async (name) => {
    const server = await serve(folder, { policy });
    try {
      const row = await readRow(name, new URL(path, server.address).href, what, usesStorage);
      const asked = server.requests.filter((one) => !/^\/(favicon\.ico$|node_modules\/onnxruntime-common\/)/.test(one));
      if (requests) assert.deepEqual(asked.sort(), requests.toSorted(), `${name} asked the server for other files`);
      return row;
    } finally {
      await server.close();
    }
  };
  return Promise.all(browsers.map(read));
}
