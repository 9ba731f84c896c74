// The module of the package is the compiler's, without exports that nobody uses (tools/drop-exports.mjs), and with its functions
// in another order (tools/order-functions.mjs).
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { root } from '../../tools/run.mjs';

const read = (path) => readFileSync(join(root, path));
const compiled = read('build/wasm/bindings/broadloom.wasm');
const shipped = read('dist/broadloom.wasm');

test('the module has the imports of the compiler, and the exports that the package reads', async () => {
  const [before, after] = await Promise.all([compiled, shipped].map((bytes) => WebAssembly.compile(bytes)));
  const sorted = (list) => list.map((one) => JSON.stringify(one)).sort();
  assert.deepEqual(sorted(WebAssembly.Module.imports(after)), sorted(WebAssembly.Module.imports(before)));
  const exported = WebAssembly.Module.exports(after).map(({ name }) => name);
  const read = readFileSync(join(root, 'js/src/load.ts'), 'utf8');
  assert.ok(exported.length > 0 && exported.every((name) => read.includes(name)), exported.join());
});

test('the module names its version, and no functions', async () => {
  const module = await WebAssembly.compile(shipped);
  assert.equal(WebAssembly.Module.customSections(module, 'broadloom').length, 1);
  assert.equal(WebAssembly.Module.customSections(module, 'name').length, 0);
});

test("functions in the module's order are smaller for gzip than in the compiler's", () => {
  const [before, after] = [compiled, shipped].map((bytes) => gzipSync(bytes, { level: 9 }).length);
  assert.ok(after < 0.99 * before, `${before} before, ${after} after`);
});
