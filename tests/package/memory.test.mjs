// How much of the heap a model takes beside its file, whose weights are packed for the kernels. Each test has a runtime of its
// own, since a heap never shrinks.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../dist/index.js';
import { GraphBuilder } from '../../tools/models/graph-builder.mjs';

const megabyte = 2 ** 20;
// Each weight begins with another number: equal ones would become one.
const bitsOf = {
  float32: (count, first = 0) =>
    Float32Array.from({ length: count }, (_, i) => (i === 0 ? first : ((i * 7919) % 1013) / 1013 - 0.5)),
  // Numbers between 0.05 and 0.12.
  float16: (count, first = 0) =>
    Uint16Array.from({ length: count }, (_, i) => 0x2a00 + (i === 0 ? first : (i * 7919) % 1013)),
};

/** A model with `weights` (name to dims), whose nodes `add` makes of their names. */
function modelOf(type, inputDims, weights, add) {
  const graph = new GraphBuilder(17);
  graph.input('x', type, inputDims);
  const names = weights.map((dims, i) => {
    const count = dims.reduce((a, b) => a * b);
    return graph.weight(`w${i}`, dims, bitsOf[type](count, i), type);
  });
  graph.output(add(graph, names), type, inputDims);
  return graph.model('memory');
}

/** A chain of products. */
const matrices = (type, count) =>
  modelOf(type, [2, 1024], Array(count).fill([1024, 1024]), (graph, weights) =>
    weights.reduce(
      (x, w, i) => (i % 2 === 0 ? graph.op('MatMul', [x, w]) : graph.op('Gemm', [x, w], { transB: 1 })),
      'x',
    ),
  );

/** Loads and runs a model: what it takes of the heap, and what it holds, as parts of the file's size. */
async function taken(file, type, dims) {
  const ops = await load({});
  const before = ops.memory();
  const model = ops.loadModel(file);
  const loaded = ops.memory();
  ops.scope(() => {
    const x = ops.tensor(type, bitsOf[type](dims.reduce((a, b) => a * b)), dims);
    model.run({ x });
    model.run({ x });
  });
  const ran = ops.memory();
  const part = (bytes) => bytes / file.length;
  return {
    ops,
    model,
    loaded: part(loaded.heapBytes - before.heapBytes),
    heap: part(ran.heapBytes - before.heapBytes),
    held: part(ran.bytesInUse),
  };
}

test('weights of products are in memory once: a model of 20 MB takes less than 1.4 times its size', async () => {
  const file = matrices('float32', 5);
  assert.ok(file.length > 20 * megabyte);
  const { ops, model, loaded, heap, held } = await taken(file, 'float32', [2, 1024]);
  assert.ok(loaded < 1.1, `${loaded} times the file after loadModel`);
  assert.ok(heap < 1.4, `${heap} times the file in the heap`);
  assert.ok(held < 1.1, `${held} times the file held`);
  // The elements are read as they were.
  model.initializers.forEach((initializer, i) => {
    const tensor = initializer.read();
    assert.deepEqual(tensor.toArray(), bitsOf.float32(megabyte, i));
    tensor.dispose();
  });
  model.dispose();
  assert.equal(ops.memory().bytesInUse, 0);
});

test('weights of float16 stay in two bytes: so they are in memory once, too', async () => {
  const products = matrices('float16', 10);
  assert.ok(products.length > 20 * megabyte);
  const { heap, held, model } = await taken(products, 'float16', [2, 1024]);
  assert.ok(heap < 1.4, `${heap} times the file in the heap`);
  assert.ok(held < 1.1, `${held} times the file held`);
  const tensor = model.initializers[9].read();
  assert.deepEqual(tensor.toArray(), bitsOf.float16(megabyte, 9));
  const filters = modelOf('float16', [1, 192, 8, 8], Array(12).fill([192, 192, 5, 5]), (graph, weights) =>
    weights.reduce((x, w) => graph.op('Conv', [x, w], { pads: [2, 2, 2, 2] }), 'x'),
  );
  assert.ok(filters.length > 20 * megabyte);
  const convolutions = await taken(filters, 'float16', [1, 192, 8, 8]);
  assert.ok(convolutions.heap < 1.4, `${convolutions.heap} times the file in the heap`);
  assert.ok(convolutions.held < 1.1, `${convolutions.held} times the file held`);
});

test('filters are in memory once: a model of 20 MB takes less than 1.4 times its size', async () => {
  const dims = [192, 192, 5, 5];
  const file = modelOf('float32', [1, 192, 8, 8], Array(6).fill(dims), (graph, weights) =>
    weights.reduce((x, w) => graph.op('Conv', [x, w], { pads: [2, 2, 2, 2] }), 'x'),
  );
  assert.ok(file.length > 20 * megabyte);
  const { heap, held } = await taken(file, 'float32', [1, 192, 8, 8]);
  assert.ok(heap < 1.4, `${heap} times the file in the heap`);
  assert.ok(held < 1.1, `${held} times the file held`);
});

test('branches of an If that read the same weights have them in memory once, as merged decoders do', async () => {
  const graph = new GraphBuilder(17);
  graph.input('choice', 'bool', [1]);
  graph.input('x', 'float32', [2, 1024]);
  const weights = Array.from({ length: 3 }, (_, i) =>
    graph.weight(`w${i}`, [1024, 1024], bitsOf.float32(megabyte, i), 'float32'),
  );
  const branch = (name, operator) => {
    const inner = graph.inner();
    const last = weights.reduce((x, w) => inner.op('MatMul', [x, w]), 'x');
    inner.output(inner.op(operator, [last], {}, [name]), 'float32', [2, 1024]);
    return inner;
  };
  graph.op('If', ['choice'], { then_branch: branch('a', 'Neg'), else_branch: branch('b', 'Tanh') }, ['y']);
  graph.output('y', 'float32', [2, 1024]);
  const file = graph.model('branches');
  const ops = await load({});
  const model = ops.loadModel(file);
  for (const choice of [1, 0, 1, 0]) {
    ops.scope(() => {
      model.run({
        choice: ops.tensor('bool', [choice], [1]),
        x: ops.tensor('float32', bitsOf.float32(2048), [2, 1024]),
      });
    });
    const held = ops.memory().bytesInUse / file.length;
    assert.ok(held < 1.1, `${held} times the file held`);
  }
  model.dispose();
  assert.equal(ops.memory().bytesInUse, 0);
});
