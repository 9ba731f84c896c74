// The browsers of the tests, each with a fresh profile.
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer from 'puppeteer-core';
import { isDeep } from '../../depth.mjs';

/** Chromium without windows and extensions: it opens a page in a quarter of the time. */
const shell = '/usr/bin/chromium-headless-shell';

const options = {
  chromium: {
    executablePath: '/usr/bin/chromium',
    args: '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync --use-fake-device-for-media-stream --use-fake-ui-for-media-stream'.split(
      ' ',
    ),
  },
  firefox: { browser: 'firefox', executablePath: '/usr/bin/firefox-esr' },
};

/** How long a page may take, in milliseconds, on a machine that compiles beside it. */
export const patience = 120_000;

export const browserNames = Object.keys(options);

/** The browsers for all of the playground's tests: one, or every one in `npm run test:deep`. */
export const usualBrowsers = isDeep ? browserNames : ['chromium'];

/**
 * Starts a browser that asks for pages in `language`, with extensions in these folders; `close` ends it and removes its profile.
 * Chromium is whole with extensions, in `npm run test:deep`, and where that is asked for.
 */
export async function launch(name, language = 'en-US', extensions = [], isWhole = extensions.length > 0) {
  const profile = await mkdtemp(join(tmpdir(), 'broadloom-'));
  const { args = [], ...others } = options[name];
  const isShell = name === 'chromium' && !isWhole && !isDeep && existsSync(shell);
  const browser = await puppeteer.launch({
    ...others,
    args: name === 'chromium' ? [...args, `--accept-lang=${language}`] : args,
    extraPrefsFirefox: { 'intl.accept_languages': language },
    userDataDir: profile,
    // Without a locale, Chromium cannot open files whose names have other characters than ASCII.
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
    headless: isShell ? 'shell' : true,
    ...(isShell && { executablePath: shell }),
    ...(extensions.length > 0 && { enableExtensions: extensions, pipe: true }),
  });
  const close = async () => {
    await browser.close();
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  return { browser, close };
}
