// Makes web-demo/public/preview.png, which is shown with links to the playground: a broadcast. To be run by
// hand when that looks different: `tools/bootstrap test && npm run playground:build && node tools/extract/preview.mjs`.
import { join } from 'node:path';
import { launch } from '../../tests/browser/helpers/browsers.mjs';
import { serveSite } from '../../tests/browser/helpers/site.mjs';
import { root } from '../run.mjs';

const server = await serveSite();
const { browser, close } = await launch('chromium');
const page = await browser.newPage();
await page.evaluateOnNewDocument(() => {
  if (location.protocol === 'http:') Object.assign(localStorage, { language: 'en', theme: 'light' });
});
// 1200 by 630 is what previews have; the page is drawn half as large again, since they are shown small.
await page.setViewport({ width: 800, height: 420, deviceScaleFactor: 1.5 });
await page.goto(`${server.address}#/embed`);
await page.waitForSelector('.viewer-outputs [role="gridcell"]');
await page.screenshot({
  path: join(root, 'web-demo/public/preview.png'),
  clip: { x: 0, y: 0, width: 800, height: 420 },
});
await close();
await server.close();
