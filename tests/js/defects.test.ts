// Regressions: small files that once took seconds or gigabytes, or ended the runtime. Each must give a
// result or a clear error within a second of work, and the heap may grow only in proportion to the file's size.
import { afterEach, beforeAll, expect, test } from '@jest/globals';
import { load, type Model, type Runtime } from 'broadloom';
import * as proto from '../../shared/onnx.js';
import { GraphBuilder } from '../../tools/models/graph-builder.mjs';
import { errorOf, expectUsable } from './helpers/runtime.js';

const mebibyte = 2 ** 20;
let ops: Runtime;
beforeAll(async () => {
  // The engine compiles the module on first use, and compiles hot functions again.
  ops = await load({});
  ops.loadModel(namedNodes(['a'], 100)).dispose();
});
afterEach(() => expectUsable(ops));

const numbered = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
/** An int64 tensor with its elements in the typed field, as in the original files. */
const int64 = (name: string, dims: number[], value: number) =>
  proto.concat(proto.tensorHead('int64', dims, name), proto.integers(proto.numbers.tensor.int64_data, [value]));
const expand = (input: string, shape: string, output: string) => ({
  op: 'Expand',
  inputs: [input, shape],
  outputs: [output],
});
const constantOfShape = (input: string, output: string, value?: number) => ({
  op: 'ConstantOfShape',
  inputs: [input],
  outputs: [output],
  attributes: value === undefined ? [] : [proto.attribute.tensor('value', int64('', [1], value))],
});

/** A model file of one graph, written field by field. */
const modelOf = (...fields: Uint8Array[]) =>
  proto.concat(proto.integer(1, 10), proto.opsetImport('', 25), proto.bytes(7, proto.concat(...fields)));

/** Many nodes, and value_info of names that no node produces. */
function namedNodes(names: readonly string[], values: number): Uint8Array {
  const graph = proto.graph({
    nodes: names.map((name) => ({ op: 'Identity', inputs: ['x'], outputs: [name] })),
    inputs: [proto.value('x', 'float32')],
    outputs: [proto.value('x', 'float32')],
  });
  const info = proto.bytes(13, proto.bytes(1, 'm@'));
  return modelOf(graph, Buffer.alloc(values * info.length, info));
}

/** CPU time of the process in milliseconds: it does not depend on other load. */
function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Far above what each of these takes, on a busy machine, too. Growth is measured in tests/growth. */
const mostMilliseconds = 5000;

/** The result of `use` on the model within a time, and the growth of a new runtime's heap in bytes. */
async function measured(
  bytes: Uint8Array,
  use: (model: Model) => unknown,
  limit = mostMilliseconds,
): Promise<{ result: unknown; grown: number }> {
  const runtime = await load({});
  const { heapBytes } = runtime.memory();
  const started = cpuTime();
  const result = runtime.scope(() => {
    const model = runtime.loadModel(bytes);
    try {
      return use(model);
    } finally {
      model.dispose();
    }
  });
  expect(cpuTime() - started).toBeLessThan(limit);
  expectUsable(runtime);
  expect(runtime.memory()).toMatchObject({ liveTensors: 0, bytesInUse: 0 });
  return { result, grown: runtime.memory().heapBytes - heapBytes };
}

test('a shape of a million ones is refused by the run, which 300 results of that rank wait for', async () => {
  const outputs = numbered(300, (i) => `o${i}`);
  const bytes = proto.model({
    nodes: [constantOfShape('r', 'c', 1), constantOfShape('c', 'h'), ...outputs.map((o) => expand('h', 's', o))],
    initializers: [int64('r', [1], 1_000_000), int64('s', [1], 1)],
    outputs: outputs.map((output) => proto.value(output, 'float32')),
  });
  expect(bytes.length).toBeLessThan(11_000);
  const { result, grown } = await measured(bytes, (model) => errorOf(() => model.run({})).message);
  expect(result).toContain('1000000 axes');
  expect(grown).toBeLessThan(16 * mebibyte);
});

test('an initializer of 100,000 axes is refused when the file is read', () => {
  const dims = proto.bytes(proto.numbers.tensor.dims, new Uint8Array(100_000).fill(1));
  const bytes = proto.model({
    nodes: numbered(3000, (i) => expand('w', 's', `o${i}`)),
    initializers: [proto.concat(dims, proto.tensor('float32', [], [0], 'w')), int64('s', [1], 1)],
    outputs: [proto.value('w', 'float32')],
  });
  const { heapBytes } = ops.memory();
  const started = cpuTime();
  const { code, message } = errorOf(() => ops.loadModel(bytes));
  expect(cpuTime() - started).toBeLessThan(mostMilliseconds);
  expect([code, message]).toEqual([
    'INVALID_MODEL',
    'graph.initializer[0], dims have 100000 axes; a tensor can have at most 255',
  ]);
  expect(ops.memory().heapBytes - heapBytes).toBeLessThan(4 * mebibyte);
});

test.each([
  ['200 shapes of a million sizes', (o: string) => constantOfShape('c', o), 1_000_000],
  ['200 broadcasts to ten million sizes', (o: string) => expand('x', 'c', o), 10_000_000],
])('the description of %s takes memory in proportion to the file', async (_what, node, sizes) => {
  const bytes = proto.model({
    nodes: [constantOfShape('r', 'c', 3), ...numbered(200, (i) => node(`o${i}`))],
    initializers: [int64('r', [1], sizes)],
    inputs: [proto.value('x', 'float32', [2])],
    outputs: [proto.value('c', 'int64')],
  });
  const { result, grown } = await measured(bytes, ({ nodes }) => nodes.map(({ outputs }) => outputs[0].inferred));
  expect((result as unknown[]).slice(0, 1)).toEqual([{ type: 'int64', dims: [sizes] }]);
  expect(grown).toBeLessThan(8 * mebibyte);
});

test('names that each branch from the one before load about as fast as others', async () => {
  const tail = (i: number) => '@'.repeat(Math.floor(i / 6));
  const files = [numbered(3000, (i) => `${i}${tail(i)}`), numbered(3000, (i) => `m${tail(i)}${'ABDHP`'[i % 6]}`)];
  const [others, chosen] = files.map((names) => namedNodes(names, 200_000));
  expect(chosen.length).toBeGreaterThan(1_900_000);
  const started = cpuTime();
  await measured(others, () => 0, Number.POSITIVE_INFINITY);
  const { grown } = await measured(chosen, () => 0, 6 * (cpuTime() - started));
  expect(grown).toBeLessThan(32 * mebibyte);
});

/** A node of 400,000 outputs, all but one omitted, for a tensor of 255 axes. */
const ofManyOutputs = (op: string, attributes: Uint8Array[], domain = '') => {
  const omitted = proto.bytes(2, '');
  const others = Buffer.alloc(399_999 * omitted.length, omitted);
  const model = modelOf(
    proto.bytes(1, proto.concat(proto.node({ op, inputs: ['x'], outputs: ['y'], attributes, domain }), others)),
    proto.bytes(11, proto.value('x', 'float32', ['N', ...numbered(254, () => 1)])),
    proto.bytes(12, proto.value('y', 'float32')),
  );
  return proto.concat(model, proto.opsetImport('com.microsoft', 1));
};
const splitIntoMany = ofManyOutputs('Split', [proto.attribute.int('num_outputs', 400_000)]);

test.each([
  ['Split, which fills them all', splitIntoMany],
  ['BiasDropout, which has two', ofManyOutputs('BiasDropout', [], 'com.microsoft')],
])('400,000 outputs of 255 axes, nearly all omitted, are described in 64 MiB: %s', async (_what, bytes) => {
  const runtime = await load({});
  const { heapBytes } = runtime.memory();
  const { nodes } = runtime.loadModel(bytes, { allowUnsupported: true });
  expect(nodes[0].outputs).toHaveLength(400_000);
  expect(nodes[0].outputs[0].inferred?.dims).toHaveLength(255);
  expect(runtime.memory().heapBytes - heapBytes).toBeLessThan(64 * mebibyte);
});

test('a Split into 400,000 parts of 255 axes runs in 128 MiB', async () => {
  const runtime = await load({});
  const { heapBytes } = runtime.memory();
  const x = runtime.expand(runtime.tensor('float32', [1], [1]), [400_000, ...numbered(254, () => 1)]);
  for (const optimize of [true, false]) {
    const { y } = runtime.loadModel(splitIntoMany, { optimize }).run({ x });
    expect(y.dims).toEqual(numbered(255, () => 1));
  }
  expect(runtime.memory().heapBytes - heapBytes).toBeLessThan(128 * mebibyte);
});

test('sparse initializers of a thousand million elements cost nothing until they are read', async () => {
  const empty = (name: string) => proto.concat(proto.tensorHead('int8', [0], name));
  const bytes = proto.model({
    sparseInitializers: numbered(3, (i) => proto.sparseTensor(empty(`s${i}`), undefined, [1_000_000_000])),
  });
  const { grown } = await measured(bytes, (model) => model.run({}));
  expect(grown).toBe(0);
});

test('a node with an overload does not call the operator of that name', () => {
  const identity = proto.concat(proto.node({ op: 'Identity', inputs: ['x'], outputs: ['y'] }), proto.bytes(8, 'v2'));
  const bytes = modelOf(
    proto.bytes(1, identity),
    proto.bytes(2, 'graph'),
    proto.bytes(11, proto.value('x', 'float32')),
    proto.bytes(12, proto.value('y', 'float32')),
  );
  const { code, message } = errorOf(() => ops.loadModel(bytes));
  expect([code, message]).toEqual([
    'UNKNOWN_OPERATOR',
    "graph.node[0], '#0': no function 'Identity' with overload 'v2'",
  ]);
});

test('a tensor file with two errors is an invalid model, and the message names one of them', () => {
  const { code, message } = errorOf(() => ops.readTensor(proto.tensorHead(99, [-1])));
  expect([code, message]).toEqual(['INVALID_MODEL', 'tensor, byte 11: data_type is 99, which is not an element type']);
});

test('20,000 numbers whose decimals are long are not written as texts when a model is simplified', () => {
  const least = { type: 'float64', dims: [1], data: Float64Array.of(1e-300) };
  const graph = new GraphBuilder(21);
  const numbers = graph.op('ConstantOfShape', [graph.ints([20_000])], { value: least });
  graph.output(graph.op('Shape', [graph.op('Cast', [numbers], { to: 8 })]), 'int64', [1]);
  const started = cpuTime();
  const { report } = ops.simplify(new Uint8Array(graph.model('texts')));
  expect(report.after.operators).toEqual({ Constant: 1 });
  expect(cpuTime() - started).toBeLessThan(mostMilliseconds);
});

test('a wrong name beside a name of 8 MB is told at once', () => {
  const name = 'ab'.repeat(2 ** 22);
  const x = { type: 'float32', dims: [1], data: Float32Array.of(1) } as const;
  using model = ops.loadModel(namedNodes([name], 1));
  const started = cpuTime();
  const error = errorOf(() => model.run({ x }, { outputs: ['logits'] } as never));
  expect(error.code).toBe('INVALID_ARGUMENT');
  expect(error.message.length).toBeLessThan(1000);
  expect(cpuTime() - started).toBeLessThan(mostMilliseconds);
});

test('RotaryEmbedding of com.microsoft with tables of no columns is refused, not a division by 0', () => {
  const graph = new GraphBuilder(18);
  graph.input('x', 'float32', [1, 3, 'n']);
  graph.input('positions', 'int64', [1, 3]);
  graph.input('table', 'float32', [8, 0]);
  const y = graph.op('RotaryEmbedding', ['x', 'positions', 'table', 'table'], {}, 1, 'com.microsoft');
  graph.output(y, 'float32', [1, 3, 'n']);
  for (const optimize of [true, false]) {
    using model = ops.loadModel(graph.model('rotary', { domains: ['com.microsoft'] }), { optimize });
    const run = (n: number) => {
      using x = ops.empty('float32', [1, 3, n]);
      using table = ops.empty('float32', [8, 0]);
      return model.run({ x, positions: { type: 'int64', dims: [1, 3], data: BigInt64Array.of(0n, 1n, 2n) }, table });
    };
    expect(errorOf(() => run(24)).message).toContain('the tables are for heads of 0, which do not divide the last of');
    const [none] = Object.values(run(0));
    expect(none?.dims).toEqual([1, 3, 0]);
    none?.dispose();
  }
});
