// Errors of calls that a worker answers, and of workers that do not start.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { loadInWorker, OnnxError } from '../../dist/node.js';
import * as onnx from '../../tools/models/writer.mjs';
import { errorOf, one, ops, plusOne, remoteRuntime } from './helpers.mjs';

const remote = await remoteRuntime();
const model = await remote.loadModel(plusOne);

/** The error that the same call throws here. */
function thrown(work) {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

const parts = ({ name, code, operator, opset, node, message }) => ({ name, code, operator, opset, node, message });

test('errors of the worker have the class, the fields and the text that they have here', async () => {
  const here = ops.loadModel(plusOne);
  const reshape = ops.nodeModel('Reshape', [one(1, 2), [2]])['model.onnx'];
  const feeds = { data: one(1, 2, 3), shape: { type: 'int64', dims: [1], data: [2n] } };
  const other = await remote.loadModel(reshape);
  const unknown = new Uint8Array(
    onnx.model('no', [onnx.node('Nope', 'n', ['x'], ['y']), onnx.input('x', 'float32', [])]),
  );
  for (const [there, work] of [
    [model.run({}), () => here.run({})],
    [model.run({ x: [[1], [2, 3]] }), () => here.run({ x: [[1], [2, 3]] })],
    [model.run({ z: one(1) }), () => here.run({ z: one(1) })],
    [model.run({ x: one(1) }, { outputs: ['z'] }), () => here.run({ x: one(1) }, { outputs: ['z'] })],
    [model.run({ x: one(1) }, { outputs: 'y' }), () => here.run({ x: one(1) }, { outputs: 'y' })],
    [model.run({ x: one(1) }, { outputs: null }), () => here.run({ x: one(1) }, { outputs: null })],
    [other.run(feeds), () => ops.loadModel(reshape).run(feeds)],
    [remote.loadModel(unknown), () => ops.loadModel(unknown)],
    [remote.loadModel(new TextEncoder().encode('<html>')), () => ops.loadModel(new TextEncoder().encode('<html>'))],
    [remote.loadModel(plusOne, { optimize: 1 }), () => ops.loadModel(plusOne, { optimize: 1 })],
    [remote.simplify(plusOne, { dims: { n: -1 } }), () => ops.simplify(plusOne, { dims: { n: -1 } })],
    [remote.run('Expnd', [1]), () => ops.run('Expnd', [1])],
    [
      remote.run('Add', [one(1), { type: 'int8', dims: [], data: [1] }]),
      () => ops.run('Add', [one(1), { type: 'int8', dims: [], data: [1] }]),
    ],
  ]) {
    const error = await errorOf(there);
    assert.ok(error instanceof OnnxError);
    assert.deepEqual(parts(error), parts(thrown(work)));
  }
});

for (const [what, call, message] of [
  [
    'an unknown option of run',
    () => model.run({ x: one(1) }, { singal: 1 }),
    "run: no option 'singal': did you mean 'signal'?",
  ],
  [
    'an unknown option of loadModel',
    () => remote.loadModel(plusOne, { optimise: 1 }),
    "loadModel: no option 'optimise': did you mean 'optimize'?",
  ],
  [
    'an unknown option of simplify',
    () => remote.simplify(plusOne, { dim: 1 }),
    "simplify: no option 'dim': did you mean 'dims'?",
  ],
  [
    'an unknown option of loadInWorker',
    () => loadInWorker({ wrker: 1 }),
    "loadInWorker: no option 'wrker': did you mean 'worker'?",
  ],
  [
    'a signal that is none',
    () => model.run({ x: one(1) }, { signal: true }),
    'run: signal is true, wanted an AbortSignal',
  ],
  ...[() => model.run({ x: one(1) }, { transfer: 'x' }), () => remote.run('Neg', [one(1)], {}, { transfer: 'x' })].map(
    (call, i) => [`transfer that is none, ${i}`, call, 'run: transfer is "x", wanted true or false'],
  ),
  [
    'a worker that is none',
    () => loadInWorker({ worker: 'worker.js' }),
    'loadInWorker: worker is "worker.js", wanted a Worker',
  ],
  [
    'external that is none',
    () => remote.loadModel(plusOne, { external: 1 }),
    'loadModel: external is 1, wanted files by location, or a function that gives them',
  ],
  ['a function as a feed', () => model.run({ x: () => 1 }), "input 'x' is a function, wanted a tensor"],
  ['a map as a feed', () => model.run({ x: new Map() }), "input 'x' is Map, wanted a tensor"],
  [
    'no bytes',
    () => remote.loadModel(fetch),
    'loadModel: the file is a function, wanted a Uint8Array, an ArrayBuffer or a Blob',
  ],
  [
    'a promise of bytes',
    () => remote.loadModel(Promise.resolve(plusOne)),
    'loadModel: the file is Promise, wanted a Uint8Array, an ArrayBuffer or a Blob: await it before the call',
  ],
  ['a third argument of run', () => model.run({}, {}, 1), 'run: takes at most 2 arguments, got 3'],
  ['a second argument of loadInWorker', () => loadInWorker({}, 1), 'loadInWorker: takes at most 1 argument, got 2'],
  ['an opset that is none', () => loadInWorker({ opset: 0 }), /opset/],
]) {
  test(`${what} is refused`, async () => {
    const error = await errorOf(call());
    assert.ok(error instanceof OnnxError);
    assert.equal(error.code, 'INVALID_ARGUMENT');
    if (typeof message === 'string') assert.equal(error.message, message);
    else assert.match(error.message, message);
  });
}

test('a tensor that was disposed of, and elements whose buffer is gone, are refused here', async () => {
  const x = ops.tensor('float32', [1]);
  x.dispose();
  assert.equal((await errorOf(model.run({ x }))).code, 'DISPOSED');
  const gone = one(1);
  structuredClone(gone.data, { transfer: [gone.data.buffer] });
  assert.match((await errorOf(model.run({ x: gone }))).message, /detached/);
  const heap = { type: 'float32', dims: [1], data: ops.tensor('float32', [1], [1]).data };
  assert.deepEqual((await model.run({ x: heap }, { transfer: true })).y.data, Float32Array.of(2));
  assert.deepEqual((await model.run({ x: heap })).y.data, Float32Array.of(2));
});

test('what toMessage of another object gives is copied, or refused', async () => {
  const data = Float32Array.of(1);
  const alien = { toMessage: () => ({ type: 'float32', dims: [1], data }) };
  assert.deepEqual((await model.run({ x: alien })).y.data, Float32Array.of(2));
  assert.equal(data.length, 1);
  const error = await errorOf(model.run({ x: { toMessage: () => null } }));
  assert.equal(error.message, "input 'x' is null, wanted a tensor");
});

test('a buffer that was detached is refused as a file', async () => {
  const buffer = new ArrayBuffer(8);
  structuredClone(buffer, { transfer: [buffer] });
  const error = await errorOf(remote.loadModel(buffer));
  assert.equal(error.message, 'loadModel: the file is ArrayBuffer that was detached');
});

test('values that are within themselves are refused here', async () => {
  const ring = [];
  ring.push(ring);
  const x = one(1);
  for (const call of [remote.run('Transpose', [x], { perm: ring }), model.run({ x: ring })]) {
    const error = await errorOf(call);
    assert.equal(error.code, 'INVALID_ARGUMENT');
    assert.match(error.message, /more than 300 levels/);
  }
});

test('a worker whose script is not there, fails or is of other code is an error', async () => {
  for (const worker of [
    () => new Worker(new URL('none.js', import.meta.url)),
    () => new Worker('throw new Error("broken")', { eval: true }),
    () => new Worker('process.exit(3)', { eval: true }),
    () => {
      throw new Error('not here');
    },
  ]) {
    const error = await errorOf(loadInWorker({ worker }));
    assert.ok(error instanceof OnnxError, String(error));
    assert.equal(error.code, 'INVALID_ARGUMENT');
    assert.match(
      error.message,
      /^loadInWorker: (the worker failed \(.*\)|the worker has exited with code 3|no worker \(not here\)): pass \{ worker \}/,
    );
  }
});

test('wasm that is not there or of another module is an error', async () => {
  for (const wasm of ['/none/broadloom.wasm', new Uint8Array(8), () => Promise.reject(new Error('no'))]) {
    const error = await errorOf(loadInWorker({ wasm: typeof wasm === 'function' ? wasm() : wasm }));
    assert.ok(error instanceof OnnxError);
    assert.match(error.message, /no wasm module|another module/);
  }
});
