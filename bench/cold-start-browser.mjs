// npm run bench:start: the time to a first result, Expand [3,1] -> [2,3,6] with its data read. In Chromium, it starts with the
// navigation to a page with one module script, from a server on this machine, with nothing cached. In Node, it starts with the
// process, or with the import. Contenders take turns.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { launch } from '../tests/browser/helpers/browsers.mjs';
import { serve } from '../tests/browser/helpers/server.mjs';
import { root } from '../tools/run.mjs';
import { bundle } from './bundle.mjs';
import { measureColdStart } from './cold-start.mjs';
import { expandModel } from './peers/onnx-model.mjs';
import { reportColdStart, reportPageStart } from './report.mjs';
import { resultsFolder } from './results.mjs';
import { median } from './statistics.mjs';

const rounds = 11;
const model = expandModel({ type: 'float32', inputDims: [3, 1], outputDims: [2, 3, 6] }).toString('base64');

const broadloom = (file) => `
  import { load } from '../dist/${file}';
  const ops = await load();
  const { length } = ops.expand(ops.tensor('float32', [1, 2, 3], [3, 1]), [2, 1, 6]).data;`;

/** Modules that set `length` to the length of the data. */
const scripts = {
  'empty module': 'const length = 36;',
  Broadloom: broadloom('index.js'),
  'Broadloom, broadloom/inline': broadloom('inline.js'),
  'onnxruntime-web': `
    import { InferenceSession, Tensor, env } from 'onnxruntime-web/wasm';
    env.wasm.numThreads = 1;
    env.wasm.wasmPaths = { wasm: '/ort-wasm-simd-threaded.wasm' };
    const bytes = Uint8Array.from(atob('${model}'), (character) => character.charCodeAt(0));
    const session = await InferenceSession.create(bytes, { executionProviders: ['wasm'] });
    const x = new Tensor('float32', Float32Array.of(1, 2, 3), [3, 1]);
    const shape = new Tensor('int64', BigInt64Array.of(2n, 1n, 6n), [3]);
    const { length } = (await session.run({ x, shape })).y.data;`,
};

const wasmFiles = ['dist/broadloom.wasm', 'bench/node_modules/onnxruntime-web/dist/ort-wasm-simd-threaded.wasm'];

/** @returns the server's files by name: for each contender a page with one bundled script, and the wasm files */
async function makePages() {
  const pages = Object.fromEntries(wasmFiles.map((file) => [basename(file), readFileSync(join(root, file))]));
  for (const [i, script] of Object.values(scripts).entries()) {
    pages[`${i}.js`] = await bundle(`${script}\nglobalThis.result = { length, milliseconds: performance.now() };`);
    pages[`${i}.html`] = `<!doctype html><title>Start</title><script type="module" src="${i}.js"></script>`;
  }
  return pages;
}

/** Milliseconds of one visit by the page's own clock, which starts with the navigation. */
async function visit(browser, address) {
  const visitor = await browser.createBrowserContext();
  const page = await visitor.newPage();
  await page.goto(address);
  const handle = await page.waitForFunction(() => globalThis.result);
  const { length, milliseconds } = await handle.jsonValue();
  await visitor.close();
  if (length !== 36) throw new Error(`cold start: ${length} elements`);
  return milliseconds;
}

/** @returns rows { name, milliseconds, aboveEmpty }, all medians; `aboveEmpty` is the median of the differences within a round */
async function measurePageStart() {
  const server = await serve(root, { pages: await makePages(), policy: "default-src 'self' 'unsafe-eval'" });
  const { browser, close } = await launch('chromium');
  const all = Object.keys(scripts).map((name) => ({ name, samples: [], above: [] }));
  for (let round = -1; round < rounds; round++) {
    const elapsed = [];
    for (const i of all.keys()) elapsed.push(await visit(browser, `${server.address}${i}.html`));
    if (round < 0) continue; // starts the browser's own processes
    all.forEach(({ samples, above }, i) => {
      samples.push(elapsed[i]);
      above.push(elapsed[i] - elapsed[0]);
    });
  }
  await close();
  await server.close();
  return all.map(({ name, samples, above }) => ({
    name,
    milliseconds: median(samples),
    aboveEmpty: median(above),
  }));
}

/** Milliseconds in a fresh Node process from before the import of the file that `import 'broadloom'` gives. */
function measureImport() {
  const script = `
    const started = performance.now();
    const { load } = await import('./dist/node.js');
    const ops = await load();
    const { length } = ops.expand(ops.tensor('float32', [1, 2, 3], [3, 1]), [2, 1, 6]).data;
    console.log(length === 36 ? performance.now() - started : 'wrong result');`;
  const start = () => Number(execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: root }));
  return median(Array.from({ length: rounds }, start));
}

const rows = await measurePageStart();
reportPageStart(rows);
reportColdStart(await measureColdStart(rounds)); // its results are written by npm run bench
const nodeImport = measureImport();
console.log(`\nWithin Node, from the import of broadloom to its first result: ${nodeImport.toFixed(1)} ms`);
resultsFolder(join(root, 'bench/results')).write('cold-start-browser', { rows, nodeImport });
