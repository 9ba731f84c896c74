// `npm run playground:dev`: the live server of the playground's sources.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../../tools/run.mjs';
import { launch, patience } from './helpers/browsers.mjs';

/** Starts the server; it ends with test `t`. Returns its address. */
function serveLive(t) {
  const server = spawn(process.execPath, ['tools/playground.mjs', '--dev'], {
    cwd: root,
    env: { ...process.env, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  // The server is a process of its own, in the group of the tool.
  t.after(() => process.kill(-server.pid));
  return new Promise((resolve, reject) => {
    let output = '';
    server.stdout.setEncoding('utf8').on('data', (part) => {
      output += part;
      const [address] = output.match(/http:\/\/127\.0\.0\.1:\d+\//) ?? [];
      if (address !== undefined) resolve(address);
    });
    server.on('exit', () => reject(new Error(`the server ended: ${output}`)));
  });
}

test('the page of the live server runs operators, and follows a change of its sources', async (t) => {
  const address = await serveLive(t);
  const { browser, close } = await launch('chromium');
  t.after(close);
  const page = await browser.newPage();
  page.setDefaultTimeout(patience);
  const complaints = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  const showsResult = () =>
    page.waitForFunction(() => document.querySelector('.viewer-outputs')?.textContent.includes('float32 [2, 3, 6]'));
  await page.goto(`${address}#/operators/Expand`, { timeout: patience });
  await showsResult();
  assert.deepEqual(complaints, []);

  await page.evaluate(() => {
    globalThis.isOld = true;
  });
  const now = new Date();
  utimesSync(join(root, 'web-demo/src/main.ts'), now, now);
  await page.waitForFunction(() => globalThis.isOld === undefined);
  await showsResult();
});
