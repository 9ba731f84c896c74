// The module of the package is the compiler's, with the package's version.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../../tools/run.mjs';

const read = (path) => readFileSync(join(root, path));
const compiled = read('build/wasm/bindings/broadloom.wasm');
const shipped = read('dist/broadloom.wasm');

test("the module begins with the compiler's, byte for byte, and has the exports that the package reads", async () => {
  assert.deepEqual(shipped.subarray(0, compiled.length), compiled);
  const exported = new Set(WebAssembly.Module.exports(await WebAssembly.compile(shipped)).map(({ name }) => name));
  assert.ok(exported.has('_initialize') && exported.has('__indirect_function_table'), [...exported].join());
});

test('the module names its version, and no functions', async () => {
  const module = await WebAssembly.compile(shipped);
  const { version } = JSON.parse(read('package.json'));
  assert.deepEqual(
    WebAssembly.Module.customSections(module, 'broadloom').map((section) => Buffer.from(section).toString()),
    [version],
  );
  assert.equal(WebAssembly.Module.customSections(module, 'name').length, 0);
});
