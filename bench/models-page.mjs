// npm run bench:models-page: the playground's page Models with large models. It prints the time from a file's choice until
// its graph is drawn, the frames a second while the drawing is dragged, and how much the page's heap grows: weights stay in the
// worker. It runs in Chromium, with a server on this machine.
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launch } from '../tests/browser/helpers/browsers.mjs';
import { serveSite } from '../tests/browser/helpers/site.mjs';
import { generatedModels } from '../tools/models/generated.mjs';
import { writeSparseModel } from '../tools/models/sparse.mjs';
import { input, model, node, output } from '../tools/models/writer.mjs';
import { root } from '../tools/run.mjs';
import { resultsFolder } from './results.mjs';
import { median } from './statistics.mjs';

const rounds = 5;
const folder = mkdtempSync(join(tmpdir(), 'broadloom-bench-'));

/** Branches that meet again and do not repeat, so that no block is collapsed. */
function wide(count) {
  const operators = ['Neg', 'Abs', 'Relu', 'Exp', 'Sigmoid', 'Tanh', 'Sqrt', 'Floor'];
  const nodes = Array.from({ length: count }, (_, i) => {
    const operator = operators[(i * i + (i >> 3)) % operators.length];
    const [one, other] = [Math.max(0, i - 1 - ((i * 7) % 5)), Math.max(0, i - 1 - ((i * 13) % 41))];
    if (i % 3 === 2) return node('Add', `add_${i}`, [`v${one}`, `v${other}`], [`v${i + 1}`]);
    return node(operator, `node_${i}`, [`v${one}`], [`v${i + 1}`]);
  });
  return model('wide', [...nodes, input('v0', 'float32', ['n', 64]), output(`v${count}`, 'float32', ['n', 64])]);
}

function file(name, bytes) {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

const large = join(folder, 'large.onnx');
writeSparseModel(large, 25_600 * 4096);
const files = {
  'wide graph of 4,000 nodes': file('wide.onnx', wide(4000)),
  'BERT of 4,000 nodes': file('bert.onnx', generatedModels.bert({ layers: 31 })),
  'one weight of 105 MB': large,
  'BERT of 105 MB': file('heavy.onnx', generatedModels.bert({ layers: 12, bytes: 105e6 })),
};

/** Bytes of the page's JavaScript objects, and of the buffers that they hold. */
async function heapOf(page) {
  const session = await page.createCDPSession();
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize, backingStorageSize = 0 } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize + backingStorageSize;
}

/** Frames a second while the drawing is dragged to and fro. */
async function framesOf(page) {
  await page.$eval('#models-drawing', (canvas) => canvas.scrollIntoView({ block: 'center' }));
  const { x, y, width, height } = await page.$eval('#models-drawing', (canvas) =>
    canvas.getBoundingClientRect().toJSON(),
  );
  const counting = page.evaluate(
    () =>
      new Promise((resolve) => {
        const start = performance.now();
        let frames = 0;
        const next = (now) => {
          if (now - start > 2000) resolve((1000 * frames) / (now - start));
          else {
            frames++;
            requestAnimationFrame(next);
          }
        };
        requestAnimationFrame(next);
      }),
  );
  let going = true;
  const counted = counting.then((frames) => {
    going = false;
    return frames;
  });
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  for (let i = 0; going; i++) {
    await page.mouse.move(x + width / 2 + 200 * Math.sin(i / 8), y + height / 2 + 150 * Math.sin(i / 11));
  }
  await page.mouse.up();
  return counted;
}

async function openOnce(browser, address, path) {
  const visitor = await browser.createBrowserContext();
  const page = await visitor.newPage();
  await page.setViewport({ width: 1280, height: 900 });
  await page.goto(`${address}#/models`);
  const field = await page.waitForSelector('#models-file');
  await new Promise((rest) => setTimeout(rest, 500)); // the page itself is loaded
  const before = await heapOf(page);
  await field.uploadFile(path);
  await page.waitForFunction(() => performance.getEntriesByName('graph-drawn').length > 0, {
    polling: 50,
    timeout: 60_000,
  });
  const took = await page.evaluate(() => {
    const time = (name) => performance.getEntriesByName(name)[0].startTime;
    return time('graph-drawn') - time('model-chosen');
  });
  const grown = (await heapOf(page)) - before;
  return { page, took, grown, close: () => visitor.close() };
}

async function measure(browser, address, path) {
  const times = [];
  const heaps = [];
  for (let round = 0; round < rounds; round++) {
    const { took, grown, close } = await openOnce(browser, address, path);
    times.push(took);
    heaps.push(grown);
    await close();
  }
  const { page, close } = await openOnce(browser, address, path);
  const collapse = await page.$('#models-collapse');
  if (collapse !== null) await page.$eval('#models-collapse', (box) => box.click());
  const near = await framesOf(page);
  await page.focus('#models-drawing');
  await page.keyboard.press('0');
  const whole = await framesOf(page);
  await close();
  return { drawn: median(times), heap: median(heaps), near, whole };
}

const server = await serveSite();
const { browser, close } = await launch('chromium');
const rows = [];
for (const [name, path] of Object.entries(files)) {
  rows.push({ name, bytes: statSync(path).size, ...(await measure(browser, server.address, path)) });
  const { bytes, drawn, heap, near, whole } = rows.at(-1);
  console.log(
    `${name.padEnd(26)} ${(bytes / 1e6).toFixed(1).padStart(6)} MB  drawn after ${drawn.toFixed(0).padStart(5)} ms, page's heap +${(heap / 1e6).toFixed(1)} MB, ${near.toFixed(0)} frames/s, of the whole graph ${whole.toFixed(0)}`,
  );
}
await close();
await server.close();
rmSync(folder, { recursive: true });
resultsFolder(join(root, 'bench/results')).write('models-page', { rows });
