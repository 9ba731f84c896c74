// broadloom/worklet in a realm that has JavaScript and WebAssembly alone, as AudioWorkletGlobalScope does.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import vm from 'node:vm';
import { build } from 'esbuild';
import { root } from '../../tools/run.mjs';

const wasm = readFileSync(join(root, 'dist/broadloom.wasm'));
const { outputFiles } = await build({
  entryPoints: [join(root, 'dist/worklet.js')],
  bundle: true,
  format: 'iife',
  globalName: 'broadloom',
  write: false,
  external: ['./remote.js'],
});

/** Runs a script in a new realm, which has `wasm`. */
function inWorklet(script) {
  const realm = vm.createContext({ wasm: new Uint8Array(wasm) });
  return vm.runInContext(`${outputFiles[0].text}; ${script}`, realm);
}

test('it starts synchronously from bytes, without any global of a host', () => {
  const found = inWorklet(`
    const ops = broadloom.loadSync(wasm);
    const y = ops.expand(ops.tensor('float32', [1, 2], [2, 1]), [2, 2]);
    JSON.stringify({ y: Array.from(y.toArray()), host: ['fetch', 'URL', 'TextDecoder', 'performance'].filter((name) => name in globalThis) })`);
  assert.deepEqual(JSON.parse(found), { y: [1, 1, 2, 2], host: [] });
});

test('texts are those of a host that has TextDecoder and TextEncoder', () => {
  const texts = [
    '',
    'plain',
    'a longer text with more than thirty-two letters',
    'é',
    '汉字',
    '🧶 loom',
    '\ufeffmark',
    '\u0000',
  ];
  const found = inWorklet(`
    const ops = broadloom.loadSync(wasm);
    const texts = ${JSON.stringify(texts)};
    const results = texts.map((text) => ops.identity(ops.tensor('string', [text])).data[0]);
    let message;
    try { ops.run('Expandé汉🧶', []); } catch (error) { message = error.message; }
    JSON.stringify({ results, message })`);
  const { results, message } = JSON.parse(found);
  assert.deepEqual(results, texts);
  assert.match(message, /Expandé汉🧶/);
});

test('load and loadInWorker say that a worklet fetches nothing and starts no workers', async () => {
  const found = await inWorklet(
    `Promise.all([broadloom.load(), broadloom.loadInWorker()].map((one) => one.catch((error) => error.message)))`,
  );
  assert.match(found[0], /a worklet fetches nothing/);
  assert.match(found[1], /a worklet starts no workers/);
});
