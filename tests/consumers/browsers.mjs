// Opens a project's page in Chromium and Firefox.
import { browserNames, launch } from '../browser/helpers/browsers.mjs';
import { serve } from '../browser/helpers/server.mjs';

/** What the page puts into `globalThis.result`, and that the browser complained of nothing meanwhile. */
async function readPage(name, address) {
  const { browser, close } = await launch(name);
  try {
    const page = await browser.newPage();
    const complaints = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.goto(address);
    await page
      .waitForFunction(() => 'result' in globalThis, { timeout: 30_000 })
      .catch((error) => {
        throw new Error(`${complaints.join('\n')}\n${error.message}`);
      });
    const result = await page.evaluate(() => globalThis.result);
    // Firefox asks for an icon of its own accord, and a strict policy allows no images.
    const real = complaints.filter((text) => !text.includes('/favicon.ico'));
    if (real.length > 0) throw new Error(real.join('\n'));
    return { environment: await browser.version(), result };
  } finally {
    await close();
  }
}

/** Rows for `address` in every browser. */
export async function readAddressInBrowsers(address, what) {
  const rows = [];
  for (const name of browserNames) {
    const { environment, result } = await readPage(name, address);
    rows.push({ environment: `${environment.replace('/', ' ')}, ${what}`, result });
  }
  return rows;
}

/** Rows for a folder of files on a plain server, in every browser. */
export async function readInBrowsers(folder, { what, policy = "default-src 'self' 'wasm-unsafe-eval'" }) {
  const server = await serve(folder, { policy });
  try {
    return await readAddressInBrowsers(server.address, what);
  } finally {
    await server.close();
  }
}
