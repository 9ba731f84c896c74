// examples/pool: a model in a pool of threads gives what one runtime gives, holds no more tasks than it should, and outlives its
// workers.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { deadly, elementsOf, isDeadly, makePools } from './pools.mjs';

const compiles = { count: 0 };
const { compile } = WebAssembly;
WebAssembly.compile = (...args) => {
  compiles.count++;
  return compile(...args);
};
const { ModelPool, OnnxError, WorkerDiedError, feedsOf, file, folder, model, module, openPool, wantedOf } =
  await makePools('pool');
const numbers = Array.from({ length: 24 }, (_, i) => i);
const wanted = numbers.map(wantedOf);

async function allOf(pool) {
  const results = [];
  for await (const outputs of pool.map(numbers, feedsOf)) results.push(elementsOf(outputs));
  return results;
}

test('the pool gives what one runtime gives, bit by bit and in order', async () => {
  const pool = await openPool();
  assert.deepEqual(pool.inputs, model.inputs);
  assert.deepEqual(pool.outputs, model.outputs);
  assert.deepEqual(await allOf(pool), wanted);
});

test('the module is compiled once', async () => {
  const before = `
    const { imports, customSections } = WebAssembly.Module;
    for (const name of ['compile', 'compileStreaming', 'instantiate', 'instantiateStreaming', 'Module']) {
      WebAssembly[name] = function () { throw new Error('a worker compiled a module'); };
    }
    Object.assign(WebAssembly.Module, { imports, customSections });`;
  const pool = await openPool({}, { before });
  assert.deepEqual(elementsOf(await pool.run(() => feedsOf(0))), wanted[0]);
  assert.equal(compiles.count, 1);
  await assert.rejects(openPool({ module: undefined }, { before }), /a worker compiled a module/);
});

test('tensors are moved, not copied, on both ways', async () => {
  // The outputs of the task before must have no bytes left in the worker.
  const during = `
    const buffers = state.answer?.[Object.getOwnPropertySymbols(state.answer).find(({ description }) => /transferable$/i.test(description))];
    if (buffers && (buffers.length !== 1 || buffers[0].byteLength > 0)) throw new Error('the outputs were copied');
    if (!buffers && state.answer) throw new Error('no outputs to be moved');`;
  const pool = await openPool({ threads: 1 }, { during });
  for (const i of [0, 1, 2]) {
    const feeds = feedsOf(i);
    assert.deepEqual(elementsOf(await pool.run(() => feeds)), wanted[i]);
    assert.equal(feeds.x.data.buffer.byteLength, 0);
  }
  assert.equal(pool.starts(), 1);
});

for (const [name, during, options, before] of [
  ['that ends itself', 'process.exit(7);'],
  [
    'that has no memory left',
    'const all = []; for (;;) all.push(Array(1000).fill(all.length));',
    { resourceLimits: { maxOldGenerationSizeMb: 48, maxYoungGenerationSizeMb: 8 } },
  ],
  [
    'whose runtime an error in WebAssembly has ended',
    'new Uint8Array(globalThis.memory.buffer).fill(255);',
    {},
    'WebAssembly.Memory = class extends WebAssembly.Memory { constructor(type) { super(type); globalThis.memory = this; } };',
  ],
]) {
  test(`a worker ${name} is replaced, and its task is done`, async () => {
    const flag = join(folder, name.replaceAll(' ', '-'));
    // Once, in the first task after the file was made.
    const once = `if (existsSync(${JSON.stringify(flag)})) {
      unlinkSync(${JSON.stringify(flag)});
      ${during}
    }`;
    const pool = await openPool(options, { before, during: once });
    assert.deepEqual(await allOf(pool), wanted);
    assert.equal(pool.starts(), 2);
    writeFileSync(flag, '');
    assert.deepEqual(await allOf(pool), wanted);
    assert.equal(pool.starts(), 3);
  });
}

test('a task whose workers all die is given up, and the pool goes on', async () => {
  const pool = await openPool({}, { during: `if (${isDeadly}) process.exit(1);` });
  const others = allOf(pool);
  await assert.rejects(
    pool.run(() => structuredClone(deadly)),
    (error) => {
      assert.ok(error instanceof WorkerDiedError);
      assert.equal(error.message, 'the worker died: worker exited with code: 1, in attempt 3 of 3');
      return true;
    },
  );
  assert.deepEqual(await others, wanted);
  assert.deepEqual(await allOf(pool), wanted);
  assert.equal(pool.starts(), 2 + 3);
});

test('an OnnxError is not tried again and names its cause', async () => {
  const pool = await openPool();
  const attempts = { wrong: 0, missing: 0 };
  const wrong = pool.run(() => {
    attempts.wrong++;
    return { x: { type: 'float32', dims: [1, 3, 48], data: new Float32Array(3 * 48) } };
  });
  await assert.rejects(wrong, (error) => {
    assert.ok(error instanceof OnnxError);
    assert.equal(error.code, 'INVALID_ARGUMENT');
    assert.match(error.message, /input 'x'/);
    return true;
  });
  const missing = pool.run(() => {
    attempts.missing++;
    return {};
  });
  await assert.rejects(missing, { code: 'INVALID_ARGUMENT', message: /^input 'x' is missing, wanted float32 \[/ });
  assert.deepEqual(attempts, { wrong: 1, missing: 1 });
  assert.deepEqual(elementsOf(await pool.run(() => feedsOf(0))), wanted[0]);
});

test('an input that cannot be made is an error of its task alone', async () => {
  const pool = await openPool();
  const seen = [];
  const run = async () => {
    for await (const _ of pool.map([0, 1, 2], (i) => (i === 1 ? Promise.reject(new Error('no picture')) : feedsOf(i))))
      seen.push(1);
  };
  await assert.rejects(run(), { message: 'no picture' });
  assert.equal(seen.length, 1);
  assert.deepEqual(elementsOf(await pool.run(() => feedsOf(0))), wanted[0]);
});

test('elements in shared memory reach the model, and an input that is null is named', async () => {
  const pool = await openPool({ threads: 1 });
  const { x } = feedsOf(0);
  const data = new Float32Array(new SharedArrayBuffer(x.data.byteLength));
  data.set(x.data);
  assert.deepEqual(elementsOf(await pool.run(() => ({ x: { ...x, data } }))), wanted[0]);
  await assert.rejects(
    pool.run(() => ({ x: null })),
    { code: 'INVALID_ARGUMENT', message: /input 'x'/ },
  );
});

test('inputs that share a buffer reach the model', async () => {
  const pool = await openPool({ threads: 1 });
  const { x } = feedsOf(0);
  const both = new Float32Array(2 * x.data.length);
  both.set(x.data);
  const part = (i) => ({ ...x, data: both.subarray(i * x.data.length, (i + 1) * x.data.length) });
  await assert.rejects(
    pool.run(() => ({ x: part(0), y: part(1) })),
    { code: 'INVALID_ARGUMENT', message: /'y'/ },
  );
});

test('wrong numbers are refused before a worker starts', async () => {
  for (const [options, message] of [
    [{ threads: Number.NaN }, 'threads is NaN, wanted a whole number from 1'],
    [{ threads: '2' }, 'threads is 2, wanted a whole number from 1'],
    [{ maxQueue: -5 }, 'maxQueue is -5, wanted a whole number from 0'],
    [{ attempts: 0 }, 'attempts is 0, wanted a whole number from 1'],
  ])
    await assert.rejects(ModelPool.open(file, { module, ...options }), { name: 'RangeError', message });
});

test('a model that cannot run and a worker that cannot start are refused when the pool is opened', async () => {
  await assert.rejects(ModelPool.open(new Uint8Array(0), { module, threads: 2 }), (error) => {
    assert.ok(error instanceof OnnxError);
    assert.equal(error.code, 'INVALID_MODEL');
    return true;
  });
  await assert.rejects(openPool({}, { before: 'throw new Error("this worker does not start");' }), {
    message: /this worker does not start/,
  });
});

test('the program prints what each image is', () => {
  const lines = execFileSync('node', ['classify.js'], { cwd: folder, encoding: 'utf8' }).trim().split('\n');
  assert.match(lines[0], /^[01]\.\d\d upright .*upright\.jpg$/);
  assert.match(lines[1], /^[01]\.\d\d on its head .*turned\.jpg$/);
  assert.equal(lines.length, 2);
});

test('the program that measures prints images a second, and what a full pool takes and refuses', () => {
  const linesOf = (...args) =>
    execFileSync('node', ['measure.js', ...args], { cwd: folder, encoding: 'utf8' })
      .trimEnd()
      .split('\n');
  const rates = linesOf('5');
  assert.equal(rates.length, 6);
  for (const line of rates) assert.match(line, /^[\w ,/]+: \d+ images\/s$/);
  const times = String.raw`p50 \d+\.\d\d ms, p99 \d+\.\d\d ms`;
  const rows = [
    /^\d+ threads?, a maxQueue of \d+$/,
    new RegExp(`^  one image at a time: ${times}$`),
    /^ {2}all threads busy: \d+\/s$/,
    /^ {2}sent for 0\.2 s: \d+\/s$/,
    new RegExp(`^  taken: \\d+/s, ${times}$`),
    new RegExp(`^  refused: \\d+/s, ${times}$`),
    /^ {2}memory: \d+ MiB at first, \d+ MiB at last, at most \d+ MiB$/,
  ];
  const lines = linesOf('overload', '0.2');
  assert.equal(lines.length, 2 * rows.length);
  for (const [i, line] of lines.entries()) assert.match(line, rows[i % rows.length]);
});
