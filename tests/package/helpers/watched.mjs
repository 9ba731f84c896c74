// Runs in a separate process: imports an entry of the package, loads and uses it, and records every call that reaches outside.
// Prints the calls and the changes in the process. Arguments: the file, and the kind of host.

import fs from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import Module, { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import workers from 'node:worker_threads';

const [, , file, host] = process.argv;
const node = process; // the simulated browser lacks it
const wasm = fs.readFileSync(join(dirname(file), file.includes('/cjs/') ? '..' : '.', 'broadloom.wasm'));
const source = fs.readFileSync(file, 'utf8');

let calls = [];
let inside = false; // calls within a watched function are Node's and are not recorded

/** Replaces a function or class by a recorder, which calls `answer` or the original. */
function watch(object, name, label, answer) {
  const real = object[name];
  if (typeof real !== 'function') return;
  const record = (values) => {
    if (inside) return;
    const place = values.find((value) => typeof value === 'string' || value instanceof URL);
    // Records only short texts, which are places or names: the inlined module is a text, too.
    calls.push(place !== undefined && `${place}`.length < 1000 ? `${label} ${place}` : label);
  };
  const recorder = new Proxy(real, {
    apply(target, self, values) {
      record(values);
      if (answer) return answer(...values);
      const outer = inside;
      inside = true;
      try {
        return Reflect.apply(target, self, values);
      } finally {
        inside = outer;
      }
    },
    construct(target, values, newTarget) {
      record(values);
      return Reflect.construct(target, values, newTarget === recorder ? target : newTarget);
    },
  });
  object[name] = recorder;
}

const globals = [
  ...['fetch', 'XMLHttpRequest', 'WebSocket', 'EventSource', 'Worker', 'BroadcastChannel', 'MessageChannel'],
  ...['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask', 'eval', 'Function'],
  ...['FinalizationRegistry', 'atob', 'btoa', 'addEventListener', 'importScripts', 'structuredClone'],
];

/** The response of the simulated browser. It is not a Response, because Node's loads a wasm module. */
const response = { ok: true, url: '', headers: new Map([['Content-Type', 'application/wasm']]) };

/** The own keys and values of all objects that can be reached from the global object by names and prototypes. */
function surroundings() {
  const seen = new Map();
  const visit = (object, path, depth) => {
    if ((typeof object !== 'object' && typeof object !== 'function') || object === null || seen.has(object)) return;
    const keys = Reflect.ownKeys(object);
    const properties = new Map(keys.map((key) => [key, Reflect.getOwnPropertyDescriptor(object, key)]));
    seen.set(object, { path, properties });
    if (depth === 0) return;
    visit(Reflect.getPrototypeOf(object), `${path}.__proto__`, depth);
    for (const [key, { value }] of properties) visit(value, `${path}.${String(key)}`, depth - 1);
  };
  visit(globalThis, 'globalThis', 3);
  visit(
    Reflect.getPrototypeOf(async () => {}),
    'AsyncFunction.prototype',
    2,
  );
  visit(
    Reflect.getPrototypeOf(function* () {}),
    'GeneratorFunction.prototype',
    2,
  );
  return seen;
}

/** The paths of differences. */
function changes(before, after) {
  const changed = [];
  for (const [object, { path, properties }] of after) {
    const old = before.get(object)?.properties;
    if (!old) continue; // then the property that leads to it is new
    for (const key of new Set([...old.keys(), ...properties.keys()])) {
      const [one, other] = [old.get(key), properties.get(key)];
      if (!Object.is(one?.value, other?.value) || one?.get !== other?.get || one?.set !== other?.set)
        changed.push(`${path}.${String(key)}`);
    }
  }
  return changed;
}

const listeners = () => `${node.eventNames().map((name) => `${String(name)} ${node.listenerCount(name)}`)}`;

// Node defines some of its globals when they are first read.
for (const key of ['TextDecoder', 'TextEncoder', 'URL']) Reflect.get(globalThis, key);
const before = listeners();

for (const name of globals)
  watch(globalThis, name, name, name === 'fetch' && host === 'browser' ? async () => response : undefined);
for (const name of ['from', 'alloc', 'allocUnsafe']) watch(Buffer, name, `Buffer.${name}`);
const { compile } = WebAssembly;
watch(WebAssembly, 'compileStreaming', 'WebAssembly.compileStreaming', () => compile(wasm));
for (const name of ['compile', 'instantiate', 'instantiateStreaming', 'validate'])
  watch(WebAssembly, name, `WebAssembly.${name}`);
for (const name of ['Module', 'Instance', 'Memory', 'Table', 'Global']) watch(WebAssembly, name, `WebAssembly.${name}`);
for (const [object, label] of [
  [fs, 'fs'],
  [fs.promises, 'fs.promises'],
  [http, 'http'],
  [https, 'https'],
  [workers, 'worker_threads'],
])
  for (const name of Object.keys(object)) watch(object, name, `${label}.${name}`);
watch(net.Socket.prototype, 'connect', 'net.Socket.connect');
for (const name of ['on', 'once', 'addListener', 'prependListener', 'getBuiltinModule', 'binding', 'emitWarning'])
  watch(process, name, `process.${name}`);
syncBuiltinESMExports();

if (host === 'browser') for (const name of ['process', 'Buffer']) delete globalThis[name];
// The value of importing the wasm file in a worker. The test replaces that file by a module that exports this.
if (host === 'worker') globalThis.compiledWasm = new WebAssembly.Module(wasm);

const quiet = surroundings();
calls = [];
let exports;
if (file.includes('/cjs/')) {
  // Does not use require, which reads files.
  const module = new Module(file);
  module.filename = file;
  module._compile(source, file);
  exports = module.exports;
} else exports = await import(pathToFileURL(file));
const atImport = calls.filter((call) => !/^fs\.promises\.readFile file:.*\.js$/.test(call)); // those of Node's loader
const changedByImport = changes(quiet, surroundings());

calls = [];
const ops = await exports.load();
await exports.load();
const atLoad = calls;

calls = [];
const results = [];
ops.scope(() => {
  const x = ops.tensor('float32', [1, 2, 3], [3, 1]);
  results.push(...ops.expand(x, [3, 2]).data, `${ops.shape(x)}`);
  const text = ops.tensor('string', ['é'], [1]);
  results.push(ops.readTensor(ops.writeTensor(text)).data[0]);
  const model = ops.loadModel(ops.nodeModel('Expand', [x, [3, 2]])['model.onnx']);
  model.dispose();
  try {
    ops.expand(x, [2, 2]);
  } catch (error) {
    results.push(error.code);
  }
});
const inUse = calls;
const changed = changes(quiet, surroundings());

const report = {
  exports: Object.keys(exports).sort(),
  atImport,
  changedByImport,
  atLoad,
  inUse,
  changed,
  results,
  sameListeners: listeners() === before,
  // Handles that keep the process alive. Node's loader closes its own files.
  handles: node.getActiveResourcesInfo().filter((name) => name !== 'CloseReq'),
  watched: quiet.size,
};
node.stdout.write(JSON.stringify(report));
