// A host error within wasm (a trap, a stack overflow) stops C++ in the middle of its work. Then the runtime has ended: its calls
// say so, and freeing its tensors does nothing.
import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { load, OnnxError, type Runtime } from 'broadloom';
import { errorOf, expectUsable } from './helpers/runtime.js';

const expandModel = (ops: Runtime) =>
  ops.nodeModel('Expand', [ops.tensor('float32', [1, 2], [2, 1]), [2, 3]])['model.onnx'] as Uint8Array;

/** Ends a runtime as a write through a wrong view could: all addresses in the heap point outside of it. */
function trap(ops: Runtime): unknown {
  const { data } = ops.tensor('uint8', [1], [1]);
  new Uint8Array(data.buffer).fill(255);
  return errorOf(() => ops.shape({ type: 'int8', dims: [1], data: [1] }));
}

const ended = {
  name: 'OnnxError',
  code: 'DISPOSED',
  message: expect.stringMatching(/this runtime has ended.*load\(\) makes a new one/),
  cause: expect.objectContaining({ name: 'RuntimeError' }),
};

test('a trap is an OnnxError with the error of the host as its cause', async () => {
  const error = trap(await load({}));
  expect(error).toBeInstanceOf(OnnxError);
  expect(error).toMatchObject(ended);
});

test('after a trap all calls that need the runtime say that it has ended, and why', async () => {
  const ops = await load({});
  const x = ops.tensor('float32', [1, 2, 3], [3, 1]);
  const text = ops.tensor('string', ['a'], [1]);
  const file = expandModel(ops);
  const model = ops.loadModel(file);
  trap(ops);
  const calls: (() => unknown)[] = [
    () => ops.expand(x, [3, 2]),
    () => ops.tensor('float32', [1], [1]),
    () => ops.empty('float32', [1]),
    () => ops.run('Shape', [x]),
    () => ops.memory(),
    () => ops.operators(),
    () => ops.loadModel(file),
    () => ops.writeTensor(x),
    () => x.data,
    () => x.toArray(),
    () => x.unpack(),
    () => x.strides,
    () => text.data,
    () => model.nodes,
    () => model.run({}),
  ];
  for (const call of calls) expect(errorOf(call)).toMatchObject(ended);
  expect(x.dims).toEqual([3, 1]);
  expect(String(x)).toBe('float32 [3, 1] (DISPOSED)');
});

test('what was read of a tensor before a trap is not read again after it, and views that were kept are empty', async () => {
  const ops = await load({});
  const x = ops.tensor('float32', [
    [1, 2, 3],
    [4, 5, 6],
  ]);
  const text = ops.tensor('string', ['a']);
  const bytes = ops.tensor('int4', [1, 2]);
  const complex = ops.tensor('complex64', [[1, 2]]);
  const empty = ops.tensor('float32', [], [0]);
  const scalar = ops.tensor('int64', 7n);
  const tensors = [x, text, bytes, complex, empty, scalar];
  const kept = tensors.map(({ data }) => data).filter((data) => ArrayBuffer.isView(data));
  const items = x[Symbol.iterator]();
  items.next();
  const model = ops.loadModel(expandModel(ops));
  const bound = model.bind({ input: ops.tensor('float32', [[1], [2]]), shape: ops.tensor('int64', [2, 3]) });
  const { output } = bound.outputs;
  expect(output?.data).toHaveLength(6);
  trap(ops);
  for (const tensor of [...tensors, output as typeof x]) {
    const reads: (() => unknown)[] = [
      () => tensor.data,
      () => tensor.toArray(),
      () => tensor.toNested(),
      () => tensor.strides,
      () => tensor.toMessage(),
      () => tensor.toJSON(),
      () => [...tensor],
    ];
    for (const read of reads) expect(errorOf(read)).toMatchObject(ended);
    expect(String(tensor)).toMatch(/\(DISPOSED\)$/);
  }
  for (const read of [
    () => scalar.item(),
    () => items.next(),
    () => x.unpack(),
    () => bound.run(),
    () => bound.reset(),
  ])
    expect(errorOf(read)).toMatchObject(ended);
  expect(errorOf(() => ops.scope(() => x.data))).toMatchObject(ended);
  for (const view of kept) expect(view).toHaveLength(0);
  expect([x.type, x.size, [...x.dims]]).toEqual(['float32', 6, [2, 3]]);
});

test('after a trap, freeing does nothing: dispose, scopes, finalizers', async () => {
  const ops = await load({});
  const model = ops.loadModel(expandModel(ops));
  for (let i = 0; i < 100; i++) ops.tensor('float32', [i], [1]); // garbage
  const x = ops.tensor('float32', [1], [1]);
  const error = errorOf(() =>
    ops.scope(() => {
      ops.tensor('float32', [2], [1]);
      trap(ops);
      ops.memory();
    }),
  );
  expect(error).toMatchObject(ended);
  x.dispose();
  x.dispose();
  model.dispose();
  globalThis.gc?.();
  await setImmediate();
  expect(errorOf(() => x.data)).toMatchObject({
    code: 'DISPOSED',
    message: expect.stringContaining('was disposed of'),
  });
});

test('after a trap, load without options makes a new runtime, and others live on', async () => {
  const other = await load({});
  const shared = await load();
  trap(shared);
  const next = await load();
  expect(next).not.toBe(shared);
  expect(await load()).toBe(next);
  expectUsable(next);
  expectUsable(other);
  expect(errorOf(() => shared.memory())).toMatchObject(ended);
});

test('a stack overflow within wasm ends the runtime', async () => {
  const ops = await load({});
  const file = expandModel(ops);
  const isEnd = (error: unknown) => error instanceof OnnxError && error.code === 'DISPOSED';
  // Recurses to the end of the stack, and on the way back makes a call at each depth where the call below had no room. A larger
  // frame gives each call more room than the one below. With one of the frame sizes, a call overflows within wasm.
  const dive = (...padding: number[]): void => {
    try {
      dive(...padding);
      return;
    } catch (error) {
      if (isEnd(error)) throw error;
    }
    ops.loadModel(file).dispose();
  };
  for (let size = 0, alive = true; alive && size < 1000; size++) {
    try {
      dive(...new Array<number>(size % 50).fill(0));
    } catch (error) {
      alive = !isEnd(error);
    }
  }
  const overflow = { ...ended, cause: expect.objectContaining({ name: 'RangeError' }) };
  expect(errorOf(() => ops.memory())).toMatchObject(overflow);
  expectUsable(await load());
});
