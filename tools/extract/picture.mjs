// Draws docs/playground.webp, the README's picture, from the built playground: `node tools/extract/picture.mjs`.
import { join } from 'node:path';
import { launch } from '../../tests/browser/helpers/browsers.mjs';
import { serveSite } from '../../tests/browser/helpers/site.mjs';
import { root } from '../run.mjs';

const server = await serveSite();
const { browser, close } = await launch('chromium');
const page = await browser.newPage();
await page.setViewport({ width: 1280, height: 1000 });
await page.goto(`${server.address}#/try`);
const cell = await page.waitForSelector('.viewer-inputs [role="gridcell"]');
await cell.hover();
await page.waitForSelector('.viewer-outputs [data-lit]');
await page.screenshot({ path: join(root, 'docs/playground.webp'), type: 'webp', quality: 40 });
await close();
await server.close();
