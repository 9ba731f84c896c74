// broadloom/ort: Broadloom as a backend of the onnxruntime that a program has.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { register } from 'broadloom/ort';
import { reactive } from 'vue';
import { addOne, expanded, externalWeights, foreign, largerOfInt16, passed, weights } from './models.mjs';
import { common, node, oldCommon, warningsOf } from './peers.mjs';

const web = createRequire(new URL('../differential/package.json', import.meta.url))('onnxruntime-web');
const runtimes = { 'onnxruntime-common': common, 'onnxruntime-node': node, 'onnxruntime-web': web };
runtimes['an older onnxruntime-common in the same tree'] = oldCommon;
// Three of them share one registry: registering again changes the options.
for (const ort of Object.values(runtimes)) register(ort);

const feedOf = ({ Tensor }) => ({ x: new Tensor('float32', [1, 2, 3], [1, 3, 1]) });
const only = { executionProviders: ['broadloom'] };

for (const [name, ort] of Object.entries(runtimes)) {
  test(`a session of ${name} runs here, and gives tensors of that object`, async () => {
    const session = await ort.InferenceSession.create(addOne, only);
    assert.deepEqual(session.inputNames, ['x']);
    const { y, rows } = await session.run(feedOf(ort));
    assert.ok(y instanceof ort.Tensor);
    assert.deepEqual([...y.data], [2, 3, 4]);
    assert.deepEqual([...rows.data], [1n]);
    const target = new ort.Tensor('float32', new Float32Array(3), [1, 3, 1]);
    const { y: filled } = await session.run(feedOf(ort), { y: target });
    assert.equal(filled, target);
    assert.deepEqual([...target.data], [2, 3, 4]);
    await session.release();
    await assert.rejects(session.run(feedOf(ort)), /disposed/);
  });

  test(`${name}: a model that cannot run is refused before there is a session, with all operators`, async () => {
    await assert.rejects(ort.InferenceSession.create(foreign('Nothing', 'Never'), only), {
      name: 'OnnxError',
      message: /Nothing.*Never/,
    });
  });
}

test('a session and its tensors run in the state of Vue', async () => {
  const state = reactive({ session: await web.InferenceSession.create(addOne, only), ...feedOf(web) });
  const { y } = await state.session.run({ x: state.x });
  assert.deepEqual([...y.data], [2, 3, 4]);
  await state.session.release();
});

test('float16 comes as the bits or values that the object has for it', async () => {
  for (const ort of [node, oldCommon]) {
    const session = await ort.InferenceSession.create(passed, only);
    const half = new ort.Tensor('float16', Uint16Array.of(0x3c00), [1]);
    const { 'half too': result } = await session.run({
      text: new ort.Tensor(['a']),
      half,
      flag: new ort.Tensor('bool', [true], []),
    });
    assert.equal(result.data.constructor, half.data.constructor);
  }
});

test('types that the others refuse run in a session of theirs', async () => {
  await assert.rejects(web.InferenceSession.create(largerOfInt16, { executionProviders: ['wasm'] }));
  const session = await web.InferenceSession.create(largerOfInt16, { executionProviders: ['broadloom', 'wasm'] });
  const { c } = await session.run({ a: new web.Tensor(Int16Array.of(1, 2)), b: new web.Tensor(Int16Array.of(-3, 4)) });
  assert.deepEqual([...c.data], [1, 4]);
});

test('a model that cannot run here is left to the providers behind', async () => {
  // onnxruntime has an operator of com.microsoft that Broadloom lacks.
  const model = foreign('CDist');
  await assert.rejects(web.InferenceSession.create(model, only), /CDist/);
  const session = await web.InferenceSession.create(model, { executionProviders: ['broadloom', { name: 'wasm' }] });
  assert.deepEqual(session.outputNames, ['y0']);
  await session.release();
  // An error of theirs has the reason why it came to them as its cause.
  for (const other of ['wasm', 'none'])
    await assert.rejects(
      web.InferenceSession.create(foreign('Nothing'), { executionProviders: ['broadloom', other] }),
      ({ name, cause }) => name === 'Error' && cause.code === 'UNKNOWN_OPERATOR',
    );
});

test('a large model is left to the providers behind, and runs here where there is none', async () => {
  const calls = [];
  const object = {
    Tensor: class {},
    registerBackend: (name, backend, priority) => calls.push({ name, backend, priority }),
    InferenceSession: {
      async create(model, { executionProviders }) {
        calls.push({ model, executionProviders });
        const nothing = { inputNames: [], outputNames: [], inputMetadata: [], outputMetadata: [] };
        return { ...nothing, run: async () => ({}), release: async () => calls.push('released') };
      },
    },
  };
  register({ default: object }, { maximumBytes: addOne.length - 1 });
  const [{ name, backend, priority }] = calls.splice(0);
  assert.deepEqual([name, priority], ['broadloom', -1]);
  const left = await backend.createInferenceSessionHandler(addOne, { executionProviders: ['broadloom', 'wasm'] });
  assert.deepEqual(calls, [{ model: addOne, executionProviders: ['wasm'] }]);
  await left.dispose();
  assert.equal(calls[1], 'released');
  const run = await backend.createInferenceSessionHandler(addOne, { executionProviders: ['broadloom'] });
  assert.deepEqual(run.outputNames, ['y', 'rows']);
});

test('the bytes of a model count where it comes from a path, and where its weights are in other files', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'broadloom-backend-'));
  after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'add one.onnx');
  writeFileSync(path, addOne);
  writeFileSync(join(folder, 'external.onnx'), externalWeights);
  writeFileSync(join(folder, 'weights.bin'), weights);
  const given = { externalData: [{ path: 'weights.bin', data: weights }] };
  const isLeft = async (maximumBytes, model, options = {}) => {
    const left = [];
    const InferenceSession = { create: async (...args) => left.push(args) };
    let backend;
    register({ Tensor: class {}, registerBackend: (_, one) => (backend = one), InferenceSession }, { maximumBytes });
    await backend.createInferenceSessionHandler(model, { ...options, executionProviders: ['broadloom', 'wasm'] });
    return left.length === 1;
  };
  assert.equal(await isLeft(addOne.length, path), false);
  assert.equal(await isLeft(addOne.length - 1, path), true);
  for (const [model, options] of [[externalWeights, given], [join(folder, 'external.onnx')]]) {
    assert.equal(await isLeft(externalWeights.length + weights.byteLength, model, options), false);
    assert.equal(await isLeft(externalWeights.length + weights.byteLength - 1, model, options), true);
  }
});

test('without a runtime models are left to the providers behind, with a warning, and a later runtime is taken', async () => {
  const missing = join(tmpdir(), 'no-broadloom.wasm');
  register(web, { load: { wasm: missing } });
  await assert.rejects(web.InferenceSession.create(addOne, only), { name: 'OnnxError', message: /no wasm module/ });
  const both = { executionProviders: ['broadloom', 'wasm'] };
  const warnings = await warningsOf(async () => {
    for (let i = 0; i < 2; i++) {
      const session = await web.InferenceSession.create(addOne, both);
      assert.deepEqual([...(await session.run(feedOf(web))).y.data], [2, 3, 4]);
    }
  });
  assert.equal(warnings.length, 1);
  assert.match(warnings[0], /^broadloom: models run elsewhere: load: no wasm module at /);
  register(web);
  const session = await web.InferenceSession.create(addOne, only);
  await session.release();
});

test('outputs that do not fit in the memory leave nothing in it', async () => {
  register(common, { load: { maximumMemory: 2 ** 22 } });
  try {
    const session = await common.InferenceSession.create(expanded, only);
    const run = (size) => {
      const feeds = { x: new common.Tensor('float32', [1]), size: new common.Tensor('int64', [size]) };
      return session.run(feeds).catch(({ message }) => message);
    };
    const messages = [];
    for (let i = 0; i < 3; i++) messages.push(await run(2n ** 21n));
    assert.match(messages[0], /out of memory.*tensors alive: \d+/);
    assert.deepEqual(messages, Array(3).fill(messages[0]));
    assert.equal((await run(2n)).z.size, 2);
    await session.release();
  } finally {
    register(common);
  }
});

test('feeds other than tensors are named by their input', async () => {
  const session = await web.InferenceSession.create(addOne, only);
  for (const [feed, shown] of [
    [null, 'null'],
    [5, '5'],
    [Float32Array.of(1), 'Float32Array'],
  ])
    await assert.rejects(session.run({ x: feed }), {
      name: 'TypeError',
      message: `input 'x' is ${shown}, wanted a Tensor.`,
    });
});

test('options of the session without effect here are named in a warning', async () => {
  const options = { ...only, enableGraphCapture: true };
  const warnings = await warningsOf(() => node.InferenceSession.create(addOne, options));
  assert.deepEqual(warnings, ['broadloom: enableGraphCapture is for WebGPU']);
});

test('another copy of this package, as a hot reload makes it, registers with the same onnxruntime, too', async () => {
  const copy = await import(`${import.meta.resolve('broadloom/ort')}?again`);
  assert.notEqual(copy.register, register);
  const both = { executionProviders: ['broadloom', 'wasm'] };
  copy.register(web, { maximumBytes: 0 });
  const left = await web.InferenceSession.create(largerOfInt16, both).catch(({ cause }) => cause.code);
  assert.equal(left, 'LIMIT_EXCEEDED');
  register(web);
  const session = await web.InferenceSession.create(largerOfInt16, both);
  await session.release();
});

test('objects other than an onnxruntime are refused', () => {
  for (const ort of [undefined, null, {}, { registerBackend() {} }, 5])
    assert.throws(() => register(ort), { name: 'OnnxError', code: 'INVALID_ARGUMENT', message: /import \* as ort/ });
});

test('options that are none are refused, and change nothing', async () => {
  for (const [options, message] of [
    [null, 'register: options are null, wanted an object such as { maximumBytes: ... }'],
    [{ maximumBytes: '1' }, 'register: maximumBytes is "1", wanted a number from 0'],
    [{ maximumBytes: Number.NaN }, 'register: maximumBytes is NaN, wanted a number from 0'],
    [{ maxBytes: 1 }, "register: no option 'maxBytes'; known: maximumBytes, load"],
  ])
    assert.throws(() => register(web, options), { name: 'OnnxError', code: 'INVALID_ARGUMENT', message });
  const session = await web.InferenceSession.create(addOne, only);
  await session.release();
});
