// Makes web-demo/public/preview.png, which is shown with links to the playground: its first page. To be run by
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
// 1200 by 630 is what previews have.
await page.setViewport({ width: 1200, height: 630 });
await page.goto(server.address);
await page.waitForSelector('sliding-window svg[data-ready="true"]');
await page.click('#play');
await page.focus('.window-picture');
for (const key of ['Home', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
await page.evaluate(() => document.activeElement.blur());
await page.screenshot({
  path: join(root, 'web-demo/public/preview.png'),
});
await close();
await server.close();
