// Side effects of the files that users import, in the importing process or page.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'acorn';
import { installed } from './helpers/installed.mjs';

const dist = join(installed, 'dist');
const watched = fileURLToPath(new URL('helpers/watched.mjs', import.meta.url));

const instance = ['WebAssembly.Memory', 'WebAssembly.Instance', 'FinalizationRegistry', 'FinalizationRegistry'];

/**
 * The files, and for each host the outside functions that `load` calls. `imports` lists the file's imports.
 */
const entries = [
  {
    file: 'index.js',
    imports: ['./error.js'],
    hosts: {
      browser: ['fetch WASM', 'WebAssembly.compileStreaming', ...instance],
      node: [
        'process.getBuiltinModule node:fs/promises',
        'fs.promises.readFile WASM',
        'WebAssembly.compile',
        ...instance,
      ],
    },
  },
  {
    file: 'inline.js',
    imports: [],
    hosts: {
      browser: ['atob', 'WebAssembly.compile', ...instance],
      node: ['Buffer.from', 'WebAssembly.compile', ...instance],
    },
  },
  {
    file: 'node.js',
    imports: [],
    allowed: ['Worker'], // loadInWorker starts one
    hosts: { node: ['process.getBuiltinModule node:fs', 'fs.readFileSync WASM', 'WebAssembly.Module', ...instance] },
  },
  {
    file: 'cjs/index.js',
    imports: ['node:util', 'node:fs', 'node:worker_threads'],
    allowed: ['Worker', 'document', 'navigator', 'setTimeout'], // it has the code of remote.js within
    hosts: { node: ['fs.readFileSync WASM', 'WebAssembly.Module', ...instance] },
  },
  { file: 'workerd.js', imports: ['./broadloom.wasm', './index.js'], hosts: { worker: instance } },
  { file: 'edge-light.js', imports: ['./broadloom.wasm?module', './index.js'], hosts: { worker: instance } },
];

/** Names that no file may contain: code from text, timers, the network except fetch, and the page. */
const forbidden = [
  ...['eval', 'Function', 'setTimeout', 'setInterval', 'setImmediate', 'importScripts', 'Worker', 'SharedWorker'],
  ...['XMLHttpRequest', 'WebSocket', 'EventSource', 'document', 'window', 'navigator', 'localStorage', 'console'],
];

/** Calls `visit(node, functions)` for each node of a tree, where `functions` is the number of functions around it. */
function walk(node, visit, functions = 0) {
  if (Array.isArray(node)) for (const one of node) walk(one, visit, functions);
  if (typeof node?.type !== 'string') return;
  visit(node, functions);
  const within = functions + (/Function|^PropertyDefinition$/.test(node.type) ? 1 : 0);
  for (const child of Object.values(node)) if (typeof child === 'object') walk(child, visit, within);
}

/** The names and imports of a file, and its actions on import. */
function facts(file) {
  const text = readFileSync(join(dist, file), 'utf8');
  const sourceType = file.startsWith('cjs/') ? 'script' : 'module';
  const found = { names: new Set(), imports: [], awaits: 0, metas: 0 };
  walk(parse(text, { ecmaVersion: 2022, sourceType }), (node, functions) => {
    if (node.type === 'Identifier') found.names.add(node.name);
    if (/^(Import|Export\w*)Declaration$/.test(node.type) && node.source) found.imports.push(node.source.value);
    if (node.type === 'CallExpression' && node.callee.name === 'require') found.imports.push(node.arguments[0].value);
    if (functions > 0) return;
    if (node.type === 'AwaitExpression' || (node.type === 'ForOfStatement' && node.await)) found.awaits++;
    if (node.type === 'MetaProperty') found.metas++;
  });
  return found;
}

/** The output of a process that imports, loads and uses a file. */
function watch(file, host) {
  let path = join(dist, file);
  if (host === 'worker') {
    path = join(dist, file.replace('.js', '.watched.js'));
    writeFileSync(join(dist, 'compiled.js'), 'export default globalThis.compiledWasm;\n');
    writeFileSync(
      path,
      readFileSync(join(dist, file), 'utf8').replace(/\.\/broadloom\.wasm(\?module)?/, './compiled.js'),
    );
  }
  // The process must end without help.
  const output = execFileSync(process.execPath, ['--disallow-code-generation-from-strings', watched, path, host], {
    encoding: 'utf8',
    timeout: 20_000,
  });
  return JSON.parse(output);
}

for (const { file, imports, hosts, allowed = [] } of entries) {
  test(`${file} names no eval, no Function, no timers, and no network but fetch`, () => {
    const { names } = facts(file);
    assert.ok(names.has('load') || file.startsWith('cjs/'));
    assert.deepEqual(
      forbidden.filter((name) => names.has(name) && !allowed.includes(name)),
      [],
    );
  });

  test(`${file} imports ${imports.join(', ') || 'nothing'}, and awaits nothing while it is imported`, () => {
    const found = facts(file);
    assert.deepEqual([...new Set(found.imports)], imports);
    assert.deepEqual([found.awaits, found.metas], [0, 0]); // nor asks for its URL
  });

  for (const [host, wanted] of Object.entries(hosts)) {
    const said = watch(file, host);

    test(`importing ${file} calls nothing and changes nothing (${host})`, () => {
      assert.deepEqual(said.exports, [
        'BoundModel',
        'Model',
        'OnnxError',
        'Resampler',
        'Runtime',
        'Tensor',
        'dataTypes',
        'filesBeside',
        'load',
        'loadInWorker',
        'loadPool',
        'loadSync',
        'logMelPresets',
      ]);
      assert.ok(said.watched > 500);
      assert.deepEqual([said.atImport, said.changedByImport], [[], []]);
    });

    test(`load() of ${file} gets its module once, by ${wanted.filter((call) => !instance.includes(call)).join(', ') || 'import'} (${host})`, () => {
      const calls = said.atLoad.map((call) => call.replace(/\S+broadloom\.wasm$/, 'WASM'));
      assert.deepEqual(calls, wanted);
    });

    test(`using ${file} calls nothing outside, and leaves no global, listener or handle behind (${host})`, () => {
      assert.deepEqual(said.results, [1, 1, 2, 2, 3, 3, 'int64 [2]\n[3 1]', 'é', 'INVALID_ARGUMENT']);
      assert.deepEqual([said.inUse, said.changed], [[], []]);
      assert.deepEqual([said.sameListeners, said.handles], [true, []]);
    });
  }
}

for (const [file, core, allowed] of [
  ['onnxruntime.js', './index.js', ['document', 'console']],
  ['onnxruntime-node.js', './node.js', ['document', 'console']],
  ['cjs/onnxruntime.js', './index.js', ['document', 'console']],
  ['ort.js', './index.js', ['console']],
  ['ort-workerd.js', './workerd.js', ['console']],
])
  test(`${file} imports the core of its host alone, and names no eval, no timers, and no network but fetch`, () => {
    const { names, imports, awaits, metas } = facts(file);
    assert.deepEqual(
      forbidden.filter((name) => names.has(name) && !allowed.includes(name)),
      [],
    );
    assert.deepEqual([[...new Set(imports)], awaits, metas], [[core], 0, 0]);
  });

for (const file of ['tasks.js', 'cjs/tasks.js'])
  test(`${file} names nothing of a host, imports nothing, and awaits nothing while it is imported`, () => {
    const { names, imports, awaits, metas } = facts(file);
    assert.ok(names.has('classify'));
    const hosts = ['WebAssembly', 'fetch', 'process', 'require', 'globalThis', 'FinalizationRegistry'];
    assert.deepEqual(
      [...forbidden, ...hosts].filter((name) => names.has(name)),
      [],
    );
    assert.deepEqual([imports, awaits, metas], [[], 0, 0]);
  });
