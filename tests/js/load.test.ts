// Loading: sources of the module, and options. tests/package has tests of side effects.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { type LoadOptions, load, loadSync, OnnxError, type Runtime, type WasmSource } from 'broadloom';
import { errorOf, expectRefusal, expectUsable } from './helpers/runtime.js';

const url = new URL('../../dist/broadloom.wasm', import.meta.url);
const path = fileURLToPath(url);
const bytes = new Uint8Array(readFileSync(path));
const MiB = 2 ** 20;

async function refusal(work: () => Promise<unknown>): Promise<unknown> {
  return work().then(
    () => new Error('nothing was thrown'),
    (error: unknown) => error,
  );
}

test('load without options returns the same runtime to all callers', async () => {
  const [one, other] = await Promise.all([load(), load()]);
  expect(one).toBe(other);
  expect(await load(undefined)).toBe(one);
  expectUsable(one);
});

test('load with options makes a new runtime with its own memory each time', async () => {
  const shared = await load();
  const [one, other] = await Promise.all([load({}), load({})]);
  expect(new Set([shared, one, other]).size).toBe(3);
  const x = one.tensor('int8', [1], [1]);
  expect([one.memory().liveTensors, other.memory().liveTensors]).toEqual([1, 0]);
  x.dispose();
});

const sources: [what: string, source: () => WasmSource | PromiseLike<WasmSource>][] = [
  ['a file URL', () => url],
  ['a file URL as a string', () => url.href],
  ['a path', () => path],
  ['a path relative to the working folder', () => path.replace(`${process.cwd()}/`, '')],
  ['a data URL', () => `data:application/wasm;base64,${Buffer.from(bytes).toString('base64')}`],
  [
    'a Response of type application/wasm',
    () => new Response(bytes, { headers: { 'Content-Type': 'application/wasm' } }),
  ],
  [
    'a Response of another type',
    () => new Response(bytes, { headers: { 'Content-Type': 'application/octet-stream' } }),
  ],
  ['a promise of a Response', async () => new Response(bytes)],
  ['an ArrayBuffer', () => bytes.slice().buffer],
  ['a Uint8Array', () => bytes],
  ['a view into a larger buffer', () => Uint8Array.from([1, 2, 3, ...bytes, 4]).subarray(3, 3 + bytes.length)],
  ['a Buffer', () => Buffer.from(bytes)],
  ['a DataView', () => new DataView(bytes.slice().buffer)],
  ['a compiled module', () => new WebAssembly.Module(bytes)],
  ['a promise of a compiled module', () => WebAssembly.compile(bytes)],
];

test.each(sources)('load takes %s', async (_what, source) => {
  expectUsable(await load({ wasm: source() }));
});

test('load takes a URL of http', async () => {
  const server = createServer((request, response) => {
    response.writeHead(request.url === '/broadloom.wasm' ? 200 : 404, { 'Content-Type': 'application/wasm' });
    response.end(request.url === '/broadloom.wasm' ? bytes : undefined);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    expectUsable(await load({ wasm: `${base}/broadloom.wasm` }));
    expectUsable(await load({ wasm: new URL('/broadloom.wasm', base) }));
    const error = await refusal(() => load({ wasm: `${base}/nowhere.wasm` }));
    expect(error).toBeInstanceOf(OnnxError);
    expect(error).toMatchObject({ code: 'INVALID_ARGUMENT', message: expect.stringContaining('404') });
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test.each([
  ['a module', new WebAssembly.Module(bytes)],
  ['a Uint8Array', bytes],
  ['an ArrayBuffer', bytes.slice().buffer],
  ['a DataView', new DataView(bytes.slice().buffer)],
])('loadSync takes %s', (_what, source) => {
  const one = loadSync(source);
  expectUsable(one);
  expect(loadSync(source)).not.toBe(one);
});

test.each([7, null, true, [1, 2], {}])('%p is not a source of a wasm module', async (source) => {
  const error = await refusal(() => load({ wasm: source as never }));
  expect(error).toMatchObject({
    name: 'OnnxError',
    code: 'INVALID_ARGUMENT',
    message: expect.stringContaining('load: wasm is '),
  });
  expect(errorOf(() => loadSync(source as never))).toMatchObject({ code: 'INVALID_ARGUMENT' });
});

test.each([path, new Response(bytes)])('loadSync refuses %p, which load takes, and asks for bytes', (source) => {
  expect(errorOf(() => loadSync(source as never))).toMatchObject({
    code: 'INVALID_ARGUMENT',
    message: expect.stringMatching(/^load: wasm is .*, wanted bytes or a WebAssembly\.Module$/),
  });
});

const refused = (says: string, cause: object) => ({
  name: 'OnnxError',
  code: 'INVALID_ARGUMENT',
  message: expect.stringContaining(says),
  cause: expect.objectContaining(cause),
});

test('bytes that are not a wasm module are an OnnxError with the message of the engine', async () => {
  const bad = Uint8Array.of(1, 2, 3, 4);
  const expected = refused('load: no wasm module (', { name: 'CompileError' });
  expect(await refusal(() => load({ wasm: bad }))).toMatchObject(expected);
  expect(errorOf(() => loadSync(bad))).toMatchObject(expected);
});

test('a missing file is an OnnxError with its path and the message of the host', async () => {
  const place = '/nowhere/broadloom.wasm';
  const expected = refused(`load: no wasm module at ${place}: serve it there`, { code: 'ENOENT' });
  expect(await refusal(() => load({ wasm: place }))).toMatchObject(expected);
});

test('an HTML page in place of the wasm module is an OnnxError with its URL', async () => {
  const place = 'data:text/html,<!doctype html>';
  const expected = refused(`load: no wasm module at ${place}`, { name: 'CompileError' });
  expect(await refusal(() => load({ wasm: place }))).toMatchObject(expected);
});

test('the option opset selects the versions for calls without an opset', async () => {
  const old = await load({ opset: 13 });
  const x = { type: 'float32' as const, dims: [2], data: [1, 2] };
  expectRefusal(old, () => old.shape(x, { start: 1 }), {
    code: 'INVALID_ARGUMENT',
    operator: 'Shape',
    opset: 13,
    says: ['Shape-13'],
  });
  expect([...old.shape(x, { start: 0 }, { opset: 15 }).data]).toEqual([2n]);
  expect([...loadSync(bytes, { opset: 15 }).shape(x, { start: 0 }).data]).toEqual([2n]);
});

test('the option initialMemory is the size of the heap at first', async () => {
  expect((await load({ initialMemory: 3 * MiB })).memory().heapBytes).toBe(3 * MiB);
  expect((await load({ initialMemory: 3 * MiB + 1 })).memory().heapBytes).toBe(3 * MiB + 65536);
  expect(loadSync(bytes, { initialMemory: 2 * MiB }).memory().heapBytes).toBe(2 * MiB);
  // A value below the module's minimum gives that minimum.
  expect((await load({ initialMemory: 0 })).memory().heapBytes).toBe(MiB);
});

test('the option maximumMemory limits the heap', async () => {
  const ops: Runtime = await load({ maximumMemory: 2 * MiB });
  expect(errorOf(() => ops.empty('uint8', [2 * MiB])).code).toBe('OUT_OF_MEMORY');
  expect(ops.empty('uint8', [MiB]).size).toBe(MiB);
  expect(ops.memory().heapBytes).toBeLessThanOrEqual(2 * MiB);
  expect((await load({ maximumMemory: MiB, initialMemory: MiB })).memory().heapBytes).toBe(MiB);
});

const badOptions: [options: LoadOptions, says: string][] = [
  [{ opset: 0 }, 'opset is 0'],
  [{ opset: 1.5 }, 'opset is 1.5'],
  [{ opset: '13' as never }, 'opset is "13"'],
  [{ initialMemory: -1 }, 'initialMemory is -1'],
  [{ initialMemory: Number.NaN }, 'initialMemory is NaN'],
  [{ initialMemory: 2 ** 33 }, 'initialMemory is 8589934592'],
  [{ maximumMemory: -5 }, 'maximumMemory is -5'],
  [{ maximumMemory: 0 }, 'maximumMemory is 0, wanted bytes from 1048576 to 4294967296'],
  [{ maximumMemory: 1000 }, 'maximumMemory is 1000, wanted bytes from 1048576 to 4294967296'],
  [{ maximumMemory: MiB - 1 }, 'maximumMemory is 1048575, wanted bytes from 1048576'],
  [{ maximumMemory: '2000000' as never }, 'maximumMemory is "2000000", wanted bytes from 1048576'],
  [{ maximumMemory: 2 ** 33 }, 'maximumMemory is 8589934592'],
  [{ initialMemory: 3 * MiB, maximumMemory: 2 * MiB }, 'initialMemory is larger than maximumMemory'],
  [{ opsett: 1 } as never, "no option 'opsett': did you mean 'opset'?"],
  [[] as never, 'options are Array, wanted an object such as {'],
  [7 as never, 'options are 7'],
  [new Map() as never, 'options are Map'],
];

test.each(badOptions)('the options %p are refused by load and loadSync', async (options, says) => {
  expect(await refusal(() => load(options))).toMatchObject({
    name: 'OnnxError',
    code: 'INVALID_ARGUMENT',
    message: expect.stringContaining(says),
  });
  expect(errorOf(() => loadSync(bytes, options))).toMatchObject({
    code: 'INVALID_ARGUMENT',
    message: expect.stringContaining(says),
  });
});

test('options of onnxruntime-web for the place of its modules are refused with the name that the option has here', async () => {
  for (const name of ['wasmPaths', 'wasmBinary'])
    expect(await refusal(() => load({ [name]: '/' }))).toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: `load: no option '${name}': use 'wasm'`,
    });
});

test('options that are undefined count as left out', async () => {
  expectUsable(await load({ wasm: undefined, opset: undefined, initialMemory: undefined, maximumMemory: undefined }));
});

/** Runs a script as a module in a separate process, where it can import the package by name. */
function inChild(script: string): string {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  return execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: root, encoding: 'utf8' }).trim();
}

test('a failed load does not affect the next one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'broadloom-'));
  try {
    for (const file of ['index.js', 'error.js']) copyFileSync(join(path, '..', file), join(folder, file));
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    const script = `
      import { copyFileSync } from 'node:fs';
      const { load } = await import(${JSON.stringify(join(folder, 'index.js'))});
      const first = await load().catch((error) => error.code);
      copyFileSync(${JSON.stringify(path)}, ${JSON.stringify(join(folder, 'broadloom.wasm'))});
      const second = await load();
      console.log(first, second === (await load()), second.constantOfShape([2]).data.length);`;
    expect(inChild(script)).toBe('INVALID_ARGUMENT true 2');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a bundle for classic scripts, which does not know its URL, says what to do', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const script = `import { load } from './dist/index.js';
    load().catch(({ name, code, message }) => console.log([name, code, message].join()));`;
  const options = ['--bundle', '--format=iife', '--log-level=error'];
  const bundle = execFileSync('node_modules/.bin/esbuild', options, { cwd: root, input: script, encoding: 'utf8' });
  const output = execFileSync(process.execPath, ['-'], { input: bundle, encoding: 'utf8' });
  expect(output.trim()).toBe(
    'OnnxError,INVALID_ARGUMENT,load: no wasm module at import.meta.url: serve it there, pass load({ wasm }) or import broadloom/inline (Invalid URL)',
  );
});

test("a wasm module that is not this package's is refused", async () => {
  const empty = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
  const expected = { code: 'INVALID_ARGUMENT', message: expect.stringContaining('another module') };
  expect(await refusal(() => load({ wasm: empty }))).toMatchObject(expected);
  expect(errorOf(() => loadSync(empty))).toMatchObject(expected);
});

/** The package's module with another text in its version section (the last one), or without that section. */
function withVersion(version: string | undefined): Uint8Array<ArrayBuffer> {
  const { version: own } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const name = 'broadloom';
  const without = bytes.slice(0, bytes.length - (3 + name.length + own.length));
  if (version === undefined) return without;
  const content = new TextEncoder().encode(name + version);
  return Uint8Array.from([...without, 0, content.length + 1, name.length, ...content]);
}

test('a broadloom.wasm of another version than the JavaScript is refused, and the message says so', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  expectUsable(loadSync(withVersion(version)));
  for (const [other, says] of [
    ['0.0.9', 'wasm is of version 0.0.9'],
    [undefined, 'another module, or one of an older version'],
  ] as const) {
    const expected = { name: 'OnnxError', code: 'INVALID_ARGUMENT', message: expect.stringContaining(says) };
    expect(await refusal(() => load({ wasm: withVersion(other) }))).toMatchObject(expected);
    const error = errorOf(() => loadSync(withVersion(other)));
    expect(error).toMatchObject(expected);
    expect(error.message).toContain(`needs the broadloom.wasm of ${version}`);
  }
});

test('a promise of the module that is rejected is an OnnxError with the reason', async () => {
  const reason = new TypeError('no network');
  const error = await refusal(() => load({ wasm: Promise.reject(reason) }));
  expect(error).toMatchObject({
    code: 'INVALID_ARGUMENT',
    message: 'load: no wasm module (no network)',
    cause: reason,
  });
  expect(await refusal(() => load({ wasm: Promise.reject(undefined) }))).toMatchObject({ name: 'OnnxError' });
});

test('null means no options', () => {
  expectUsable(loadSync(bytes, null as never));
});

test('an initialMemory just below maximumMemory, within the same page, is accepted', () => {
  const ops = loadSync(bytes, { initialMemory: 2 * MiB - 1, maximumMemory: 2 * MiB - 1 });
  expect(ops.memory().heapBytes).toBe(2 * MiB - 65536);
});

test('an initialMemory of 4 GiB is one page less, which the module can count', () => {
  const ops = loadSync(bytes, { initialMemory: 4096 * MiB });
  expect(ops.memory().heapBytes).toBe(4096 * MiB - 65536);
  expectUsable(ops);
});

test('memory that the host refuses is an OnnxError with the message of the host', () => {
  const { Memory } = WebAssembly;
  const reason = new RangeError('could not allocate');
  WebAssembly.Memory = class {
    constructor() {
      throw reason;
    }
  } as unknown as typeof Memory;
  try {
    for (const options of [{}, { maximumMemory: 2 * MiB }]) {
      const error = errorOf(() => loadSync(bytes, options));
      expect([error.code, error.cause]).toEqual(['OUT_OF_MEMORY', reason]);
      expect(error.message).toContain('1048576 bytes');
    }
  } finally {
    WebAssembly.Memory = Memory;
  }
});
