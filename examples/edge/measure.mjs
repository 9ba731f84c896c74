// node measure.mjs [rounds] [pictures] [--module chosen.wasm]: measures the worker in workerd, with Broadloom's module or another one:
// the cold start beside a worker without a model, where its time goes, and memory: of pictures one after the other, and of many uploads
// at once. No rounds measure memory alone.
// Every round starts new processes. The machine is often not alone, so the processor time of the worker's thread is told, too.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { deflateSync } from 'node:zlib';
import { build } from 'esbuild';
import { encode as encodePng } from 'fast-png';
import jpeg from 'jpeg-js';
import workerd from 'workerd';

const { positionals, values } = parseArgs({ allowPositionals: true, options: { module: { type: 'string' } } });
const [rounds = 15, pictures = 25] = positionals.map(Number); // pictures of each type
const module = values.module ?? createRequire(import.meta.url).resolve('broadloom/broadloom.wasm');
const here = import.meta.dirname;
const folder = mkdtempSync(join(tmpdir(), 'edge-'));
const children = new Set();
process.on('exit', () => {
  for (const child of children) child.kill(); // one that is left would keep the output open
  rmSync(folder, { recursive: true });
});

/** Writes what workerd is to run: the bundle of `entry`, as wrangler makes it with --minify, or the text of a worker. */
async function writeWorker(name, { entry, text, flags = [] }) {
  const bundle = {
    bundle: true,
    minify: true,
    format: 'esm',
    conditions: ['workerd'],
    external: ['*.wasm', '*.onnx', 'node:*'],
  };
  if (entry) await build({ ...bundle, entryPoints: [join(here, entry)], outfile: join(folder, `${name}.js`) });
  else writeFileSync(join(folder, `${name}.js`), text);
  const files = entry
    ? ', (name = "broadloom.wasm", wasm = embed "broadloom.wasm"), (name = "model.onnx", data = embed "model.onnx")'
    : '';
  writeFileSync(
    join(folder, `${name}.capnp`),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  v8Flags = ${JSON.stringify(flags)},
  services = [(name = "main", worker = (
    modules = [(name = "worker.js", esModule = embed "${name}.js")${files}],
    compatibilityDate = "2026-04-01",
    compatibilityFlags = ["nodejs_compat"],
  ))],
  sockets = [(name = "http", http = (), service = "main")],
);`,
  );
}

const post = (type, body) => ({ method: 'POST', headers: { 'Content-Type': type }, body });
const small = post('image/png', encodePng({ width: 192, height: 48, data: new Uint8Array(192 * 48 * 3), channels: 3 }));

/** Starts a process, and asks it until it has answered a request with a picture. */
async function start(name) {
  const port = await freePort();
  const began = performance.now();
  const args = ['serve', join(folder, `${name}.capnp`), `--socket-addr=http=127.0.0.1:${port}`];
  const child = spawn(workerd.default, args, { stdio: 'inherit' });
  children.add(child);
  const ended = new Promise((resolve) => child.once('exit', resolve)).then(() => children.delete(child));
  const ask = (init = small) => fetch(`http://127.0.0.1:${port}/`, init);
  for (;;) {
    const response = await ask().catch(() => setTimeout(1));
    if (response) {
      await response.arrayBuffer();
      break;
    }
    if (child.exitCode !== null) throw new Error(`workerd ended with ${child.exitCode}`);
  }
  return {
    ask,
    port,
    milliseconds: performance.now() - began,
    processor: () => processorTime(child.pid),
    peak: () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))[1]) / 1024,
    end: () => child.kill() && ended,
  };
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Milliseconds for which the first thread of a process ran. JavaScript runs there. */
const processorTime = (pid) => Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;

const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];
const rows = {};
function note(row, column, milliseconds) {
  rows[row] ??= { clock: [], processor: [], compiled: [] };
  rows[row][column].push(milliseconds);
}

copyFileSync(module, join(folder, 'broadloom.wasm'));
copyFileSync(join(here, 'model.onnx'), join(folder, 'model.onnx'));
await writeWorker('plain', { text: 'export default { fetch: () => new Response("no model") };' });
await writeWorker('example', { entry: 'worker.js' });
await writeWorker('steps', { entry: 'measured.js' });
await writeWorker('collected', { entry: 'worker.js', flags: ['--expose-gc'] });
const bundled = readFileSync(join(folder, 'collected.js'), 'utf8');
writeFileSync(join(folder, 'collected.js'), bundled.replace(/export\{(\w+) as default\};?/, collecting));

/** The export of a worker that collects garbage before each request. The bundle may have a gc of its own. */
function collecting(_, worker) {
  return `export default { fetch: (...call) => (globalThis.gc(), ${worker}.fetch(...call)) };`;
}

let heapBytes;
for (let round = 0; round < rounds; round++) {
  for (const [name, row] of [
    ['plain', 'a worker without a model'],
    ['example', 'this worker'],
  ]) {
    const worker = await start(name);
    note(row, 'clock', worker.milliseconds);
    note(row, 'processor', worker.processor());
    await worker.end();
  }
  const worker = await start('steps');
  for (let runtime = 0; runtime < 6; runtime++) {
    for (let step = 0; step < 6; step++) {
      const [began, before] = [performance.now(), worker.processor()];
      const answer = await (await worker.ask()).json();
      if (runtime === 0) note(answer.name, 'clock', performance.now() - began);
      if (runtime === 0) note(answer.name, 'processor', worker.processor() - before);
      if (runtime === 5) note(answer.name, 'compiled', worker.processor() - before);
      heapBytes = answer.heapBytes;
    }
  }
  await worker.end();
}

/** Files of noise, which no encoder makes much smaller. */
function filesOf(width, height) {
  const data = new Uint8Array(width * height * 4).map(() => Math.random() * 256);
  return [
    ['image/jpeg', jpeg.encode({ width, height, data }, 60).data],
    ['image/png', encodePng({ width, height, data: data.map((byte) => byte & 3) })],
  ];
}

/** The most memory of a process that got pictures of this size. */
async function peakOf(name, width, height) {
  const files = filesOf(width, height);
  const worker = await start(name);
  for (let i = 0; i < pictures; i++) {
    for (const [type, file] of files) {
      const status = await upload(worker.port, file, { type });
      if (name !== 'plain' && status !== 200) throw new Error(`the worker answered ${status}`);
    }
  }
  const peak = worker.peak();
  await worker.end();
  return peak;
}

/** A file of 16 bits and four channels, nearly as long as is allowed. */
const deepest = encodePng({
  width: 512,
  height: 256,
  depth: 16,
  channels: 4,
  data: new Uint16Array(512 * 256 * 4).map(() => Math.random() * 2 ** 14),
});

/** A file of 100 kB that inflates to 100 MB. */
const bomb = Buffer.concat([deepest.subarray(0, 33), Buffer.alloc(8), deflateSync(Buffer.alloc(1e8)), Buffer.alloc(4)]);
bomb.writeUInt32BE(bomb.length - 45, 33);
bomb.write('IDAT', 37);

/** Sends a file without its last `missing` bytes. Returns the status of the response, or 0 if none comes in 30 seconds. */
async function upload(port, file, { type = 'image/png', missing = 0 } = {}) {
  const headers = { 'Content-Type': type, 'Content-Length': file.length };
  const sent = request({ host: '127.0.0.1', port, method: 'POST', headers, agent: false });
  sent.on('error', () => {}); // the server may close the connection of a file that it does not read
  const status = Promise.race([
    once(sent, 'response').then(async ([response]) => {
      await response.resume().toArray();
      return response.statusCode;
    }),
    setTimeout(30_000, 0, { ref: false }),
  ]);
  sent[missing > 0 ? 'write' : 'end'](file.subarray(0, file.length - missing));
  return status.catch(() => 'closed').finally(() => sent.destroy());
}

/** The most memory of a process that gets many files at once, and how many responses of each status it gave. */
async function peakOfMany(name, count, file, options) {
  const worker = await start(name);
  const statuses = await Promise.all(Array.from({ length: count }, () => upload(worker.port, file, options)));
  const peak = worker.peak();
  await worker.end();
  const counts = [...new Set(statuses)].map((one) => `${statuses.filter((status) => status === one).length} of ${one}`);
  return `${peak.toFixed(0).padStart(12)}  ${counts.join(', ')}`;
}

const cell = (numbers) => `${median(numbers).toFixed(1)} (${Math.min(...numbers).toFixed(1)})`.padStart(16);
const line = (row, ...cells) => console.log(row.padEnd(40) + cells.join(''));
if (rounds > 0) {
  console.log(`Medians of ${rounds} rounds, in ms (and the smallest)\n`);
  line('', ...['on the clock', 'processor', 'sixth runtime'].map((title) => title.padStart(16)));
  for (const [row, { clock, processor, compiled }] of Object.entries(rows))
    line(row, cell(clock), cell(processor), compiled.length ? cell(compiled) : '');
  console.log(`\nWebAssembly memory: ${(heapBytes / 2 ** 20).toFixed(1)} MiB`);
}
console.log(`\nMost memory of the process, after ${2 * pictures} pictures, in MiB\n`);
for (const [row, ...request] of [
  ['a worker without a model', 'plain', 512, 256],
  ['this worker, 64 x 64 pixels', 'example', 64, 64],
  ['this worker, 512 x 256 pixels', 'example', 512, 256],
  ['the same, garbage collected before each', 'collected', 512, 256],
])
  line(row, (await peakOf(...request)).toFixed(0).padStart(12));
console.log('\nMost memory of the process that gets many files at once, in MiB, and its responses\n');
for (const [row, ...request] of [
  ['a worker without a model, 50 files', 'plain', 50, deepest],
  ['this worker, 50 files', 'example', 50, deepest],
  ['a worker without a model, 500 files', 'plain', 500, deepest],
  ['this worker, 500 files', 'example', 500, deepest],
  ['this worker, 200 files that do not end', 'example', 200, deepest, { missing: 1 }],
  ['this worker, 50 that inflate to 100 MB', 'example', 50, bomb],
])
  line(row, await peakOfMany(...request));
