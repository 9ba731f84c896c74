// The check that every consumer of the package runs: load, the documented examples, official .onnx files, an error, and memory
// back to zero. run.mjs puts `agreement.js` and `data.js` beside this file. The package is an argument, because consumers differ
// in how they import it.
import { difference, officialTolerance } from './agreement.js';
import { endless, examples, models } from './data.js';

function bytesOf(base64) {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

function assert(condition, what) {
  if (!condition) throw new Error(`check: ${what}`);
}

function assertSame(result, expected, what) {
  const reason = difference(result, expected, officialTolerance(expected, what));
  assert(reason === undefined, `${what}: it ${reason}`);
}

function runModel(ops, { name, model: file, inputs, outputs }) {
  const model = ops.loadModel(bytesOf(file));
  const feeds = Object.fromEntries(model.inputs.map((input, i) => [input.name, ops.readTensor(bytesOf(inputs[i]))]));
  const results = model.run(feeds);
  model.outputs.forEach((output, i) => {
    assertSame(results[output.name], ops.readTensor(bytesOf(outputs[i])), name);
  });
  model.dispose();
}

/** A subnormal number. Firefox takes such numbers for 0 where it processes sound. */
const least = 1e-309;

function hasSubnormals(ops, { inputs, outputs }) {
  return [...inputs, ...outputs].some((file) => {
    const { type, data } = ops.readTensor(bytesOf(file));
    const normal = { float32: 2 ** -126, float64: 2 ** -1022 }[type] ?? 0;
    return data.some((element) => element !== 0 && Math.abs(Number(element)) < normal);
  });
}

/** Runs a model in a worker, and stops another one that runs without end. */
async function checkInWorker({ loadInWorker, OnnxError }, ops, options) {
  const { name, model: file, inputs, outputs } = models[0];
  const remote = await loadInWorker(options);
  const model = await remote.loadModel(new Blob([bytesOf(file)]));
  const feeds = Object.fromEntries(model.inputs.map((input, i) => [input.name, ops.readTensor(bytesOf(inputs[i]))]));
  const results = await model.run(feeds);
  model.outputs.forEach((output, i) => {
    ops.scope(() => assertSame(ops.fromMessage(results[output.name]), ops.readTensor(bytesOf(outputs[i])), name));
  });
  for (const tensor of Object.values(feeds)) tensor.dispose();
  const refusal = await model.run({ nothing: 1 }).catch((error) => error);
  assert(refusal instanceof OnnxError, 'an error of a worker is no OnnxError');
  // Bun and Deno do not interrupt a thread: the run would go on, and the process with it.
  if (globalThis.Bun ?? globalThis.Deno) {
    remote.terminate();
    return 'runs';
  }
  const busy = await remote.loadModel(bytesOf(endless));
  const running = busy.run({ x: { type: 'float32', dims: [1], data: [1] } }).catch((error) => error);
  await new Promise((resolve) => setTimeout(resolve, 50));
  remote.terminate();
  assert((await running).code === 'DISPOSED', 'a run was not stopped');
  return 'runs';
}

async function checkPool({ loadPool, OnnxError }, ops) {
  const { name, model: file, inputs, outputs } = models[0];
  const pool = await loadPool({ size: 2, maxQueue: 4 });
  const model = await pool.loadModel(bytesOf(file));
  const feeds = Object.fromEntries(model.inputs.map((input, i) => [input.name, ops.readTensor(bytesOf(inputs[i]))]));
  for (const results of await Promise.all([1, 2, 3, 4].map(() => pool.run(model, feeds, { timeout: 60_000 })))) {
    model.outputs.forEach((output, i) => {
      ops.scope(() => assertSame(ops.fromMessage(results[output.name]), ops.readTensor(bytesOf(outputs[i])), name));
    });
  }
  for (const tensor of Object.values(feeds)) tensor.dispose();
  const refusal = await pool.run(model, { nothing: 1 }).catch((error) => error);
  assert(refusal instanceof OnnxError, 'an error of a pool is no OnnxError');
  const { done, ready } = pool.stats();
  assert(done === 4 && ready === 2, `${done} runs of 4 are done, and ${ready} workers of 2 are ready`);
  await pool.close();
}

/**
 * Runs a model by `broadloom/onnxruntime`, and by onnxruntime-common with the backend of `broadloom/ort`. Both entries have the core
 * of `broadloom`, so their errors are of its class.
 */
async function checkEntries({ onnxruntime, ort, common }, { OnnxError }, ops) {
  const { name, model: file, inputs, outputs } = models[0];
  ort.register(common);
  const interfaces = { 'broadloom/onnxruntime': onnxruntime, 'broadloom/ort': common };
  for (const [entry, { InferenceSession, Tensor }] of Object.entries(interfaces)) {
    const open = (bytes) => InferenceSession.create(bytes, { executionProviders: ['broadloom'] });
    const session = await open(bytesOf(file));
    const feeds = session.inputNames.map((input, i) => {
      const { type, dims, data } = ops.scope(() => ops.readTensor(bytesOf(inputs[i])).toMessage());
      return [input, new Tensor(type, data, dims)];
    });
    const results = await session.run(Object.fromEntries(feeds));
    session.outputNames.forEach((output, i) => {
      assert(results[output] instanceof Tensor, `${entry} gives another kind of tensor`);
      ops.scope(() => assertSame(results[output], ops.readTensor(bytesOf(outputs[i])), `${entry}, ${name}`));
    });
    await session.release();
    const refusal = await open(Uint8Array.of(1)).catch((error) => error);
    assert(refusal instanceof OnnxError && refusal.code === 'INVALID_MODEL', `${entry}: the error is ${refusal}`);
  }
  return 'runs';
}

/**
 * Returns a summary for the table. Throws if a check fails. `inWorker` has the options of `loadInWorker`, where that is to be
 * tested. Workers on servers must refuse it. `entries` has the modules `broadloom/onnxruntime`, `broadloom/ort` and
 * onnxruntime-common, where the consumer imports them.
 */
export function check(broadloom, options = {}) {
  // One after the other: React's strict mode calls effects twice, and two checks at once would find each other's tensors.
  const result = last.then(() => checkAlone(broadloom, options));
  last = result.catch(() => {});
  return result;
}

let last = Promise.resolve();

async function checkAlone(broadloom, { inWorker, entries }) {
  const { load, loadSync, OnnxError, dataTypes } = broadloom;
  assert(typeof loadSync === 'function' && dataTypes.length === 26, 'an export is missing');
  const ops = await load();
  assert(ops === (await load()), 'load() gives another runtime the second time');
  for (const { operator, name, inputs, attributes, output } of examples) {
    ops.scope(() => assertSame(ops.run(operator, inputs, attributes)[0], output, `${operator} ${name}`));
  }
  const flushes = ops.scope(() => ops.add(ops.tensor('float64', [least]), 0).item() === 0);
  const exact = models.filter((model) => !(flushes && ops.scope(() => hasSubnormals(ops, model))));
  for (const model of exact) ops.scope(() => runModel(ops, model));
  let refusal;
  try {
    ops.expand({ type: 'float32', dims: [3, 4], data: new Float32Array(12) }, [2, 4]);
  } catch (error) {
    refusal = error;
  }
  assert(refusal instanceof OnnxError && refusal instanceof Error, 'a wrong call threw no OnnxError');
  const message = 'Expand-13: cannot broadcast [3, 4] to [2, 4]: axis 0 is 3, wanted 2';
  assert(refusal.code === 'INVALID_ARGUMENT' && refusal.message === message, `the error says: ${refusal.message}`);
  let worker = '';
  if (globalThis.navigator?.userAgent === 'Cloudflare-Workers') {
    for (const name of ['loadInWorker', 'loadPool']) {
      const noWorker = await broadloom[name]().catch((error) => error);
      assert(noWorker instanceof OnnxError && noWorker.message.startsWith(`${name}: `), 'a worker was started');
    }
    worker = 'refused';
  } else if (inWorker) {
    worker = await checkInWorker(broadloom, ops, inWorker);
    await checkPool(broadloom, ops);
  }
  const onnxruntime = entries ? await checkEntries(entries, broadloom, ops) : '';
  const { liveTensors, bytesInUse } = ops.memory();
  assert(liveTensors === 0 && bytesInUse === 0, `${liveTensors} tensors, ${bytesInUse} bytes are left`);
  return {
    examples: examples.length,
    models: exact.length,
    error: refusal.code,
    worker,
    onnxruntime,
    liveTensors,
    bytesInUse,
  };
}
