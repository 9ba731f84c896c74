// Hosts within browsers that are no pages and no plain workers.
import { launch } from '../browser/helpers/browsers.mjs';
import { readInBrowsers, strictPolicy } from './browsers.mjs';

/** The background script of a Chrome extension, with the policy of its manifest. */
async function extension(project) {
  const { browser, close } = await launch('chromium', 'en-US', [project.folder]);
  try {
    const target = await browser.waitForTarget((one) => one.type() === 'service_worker');
    const worker = await target.worker();
    const result = await worker.evaluate(() => globalThis.result);
    return [{ environment: `${(await browser.version()).replace('/', ' ')}, an extension's service worker`, result }];
  } finally {
    await close();
  }
}

async function serviceWorker(project) {
  await project.execute('npm', ['run', 'build']);
  const policy = `${strictPolicy}; worker-src 'self'`;
  return readInBrowsers(project.folder, { what: 'a service worker', policy });
}

export const hosts = [
  {
    name: 'worklet',
    run: async (project) => {
      await project.execute('npm', ['run', 'build']);
      return readInBrowsers(project.folder, { what: 'broadloom/worklet in an AudioWorklet, strict CSP' });
    },
  },
  {
    name: 'shared-worker',
    run: (project) =>
      readInBrowsers(project.folder, { what: 'a shared worker', policy: `${strictPolicy}; worker-src 'self'` }),
  },
  { name: 'service-worker', run: serviceWorker },
  { name: 'extension', run: extension },
];
