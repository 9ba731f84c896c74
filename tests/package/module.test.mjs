// The module of the package is the compiler's, with its functions in another order, its data in one segment and the package's
// version.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { orderOfFunctions, withFunctionsInOrder } from '../../tools/build/function-order.mjs';
import { sections } from '../../tools/build/wasm-format.mjs';
import { dataSections } from '../../tools/build/wasm-module.mjs';
import { root } from '../../tools/run.mjs';

const read = (path) => readFileSync(join(root, path));
const compiled = read('build/wasm/bindings/broadloom.wasm');
const shipped = read('dist/broadloom.wasm');

/** The memory and the exports of a module that is instantiated, but not initialized. */
async function instantiate(bytes) {
  const module = await WebAssembly.compile(bytes);
  const memory = new WebAssembly.Memory({ initial: 16, maximum: 65536 });
  const imports = {};
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    imports[from] ??= {};
    imports[from][name] = kind === 'memory' ? memory : () => 0;
  }
  const { exports } = await WebAssembly.instantiate(module, imports);
  return { memory: Buffer.from(memory.buffer), exports: Object.keys(exports) };
}

test("the module has the compiler's exports, including those that the package reads, and its data", async () => {
  const [before, after] = [await instantiate(compiled), await instantiate(shipped)];
  assert.deepEqual(after.exports, before.exports);
  assert.ok(after.exports.includes('_initialize') && after.exports.includes('__indirect_function_table'));
  assert.ok(before.memory.includes('ConstantOfShape'));
  assert.ok(after.memory.equals(before.memory));
});

test("the module has the compiler's functions, byte for byte, in another order", () => {
  const order = orderOfFunctions(compiled);
  const back = [];
  for (const [place, number] of order.entries()) back[number] = place;
  const [before, after] = [compiled, withFunctionsInOrder(shipped, back)].map((module) =>
    sections(module).filter(({ id }) => !dataSections.includes(id)),
  );
  assert.ok(before.length > 5);
  assert.deepEqual(after.slice(0, -1), before);
});

test('the order of the functions makes the download smaller', () => {
  const [before, after] = [compiled, shipped].map((module) => gzipSync(module, { level: 9 }).length);
  assert.ok(after < 0.99 * before, `${after} bytes of gzip, ${before} in the compiler's order`);
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
