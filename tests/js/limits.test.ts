// Limits of what files and calls may ask for: exceeding one is an error that names it, and the runtime goes on.
import { expect, test } from '@jest/globals';
import { type Limits, load, type Runtime } from 'broadloom';
import * as proto from '../../shared/onnx.js';
import { GraphBuilder } from '../../tools/models/graph-builder.mjs';
import * as onnx from '../../tools/models/writer.mjs';
import { chain } from './helpers/chain.js';
import { counters, errorOf, expectRefusal, expectUsable } from './helpers/runtime.js';

const limited = (limits: Limits): Promise<Runtime> => load({ limits });

/** A model with an If within an If, and so on. */
function nested(depth: number): Uint8Array<ArrayBuffer> {
  const branch = (outer: GraphBuilder, left: number): GraphBuilder => {
    const g = outer.inner();
    const made =
      left === 0 ? g.number(1) : g.op('If', ['c'], { then_branch: branch(g, left - 1), else_branch: branch(g, 0) });
    g.output(made, 'float32', []);
    return g;
  };
  const g = new GraphBuilder(18);
  g.input('c', 'bool', []);
  g.output(g.op('If', ['c'], { then_branch: branch(g, depth - 1), else_branch: branch(g, 0) }), 'float32', []);
  return g.model('limits');
}

/** A Loop whose body multiplies a square matrix with itself. An input gives the number of iterations. */
function loop(): Uint8Array<ArrayBuffer> {
  const g = new GraphBuilder(18);
  g.input('M', 'int64', []);
  g.input('x', 'float32', ['N', 'N']);
  const body = g.inner();
  body.input('i', 'int64', []);
  body.input('goes_on', 'bool', []);
  body.input('state', 'float32', ['N', 'N']);
  body.output(body.op('Identity', ['goes_on']), 'bool', []);
  body.output(body.op('MatMul', ['state', 'x']), 'float32', ['N', 'N']);
  g.output(g.op('Loop', ['M', '', 'x'], { body }), 'float32', ['N', 'N']);
  return g.model('limits');
}

const refusal = (limit: keyof Limits, value: number) =>
  ({ code: 'LIMIT_EXCEEDED', limit, says: [`limits.${limit}`, `${value}`] }) as const;

test('without limits of its own, a runtime has defaults that real models do not reach', async () => {
  const ops = await load({ limits: {} });
  const [y] = Object.values(ops.loadModel(chain(2000)).run({ x: ops.tensor('float32', [-1, 2]) }));
  expect([...(y?.data ?? [])]).toEqual([1, 2]);
});

test('a file of more bytes is refused before it is read, whatever reads it', async () => {
  const file = chain(100);
  const ops = await limited({ bytes: file.length - 1 });
  expectRefusal(ops, () => ops.loadModel(file), refusal('bytes', file.length - 1));
  expectRefusal(ops, () => ops.simplify(file), refusal('bytes', file.length - 1));
  const free = await load();
  const tensorFile = free.writeTensor(free.empty('float32', [5000]));
  expectRefusal(ops, () => ops.readTensor(tensorFile), refusal('bytes', file.length - 1));
  const exact = await limited({ bytes: file.length });
  expect(exact.loadModel(file).nodes).toHaveLength(100);
});

test('a tensor of more bytes or elements is refused wherever it comes from', async () => {
  const ops = await limited({ elements: 1000 });
  const x = ops.tensor('float32', new Float32Array(1000), [1000]);
  expectRefusal(ops, () => ops.tensor('uint8', new Uint8Array(1001), [1001]), refusal('elements', 1000));
  expectRefusal(ops, () => ops.empty('int4', [1001]), refusal('elements', 1000));
  expectRefusal(ops, () => ops.concat([x, x], { axis: 0 }), refusal('elements', 1000));
  expectRefusal(ops, () => ops.range(0, 1001, 1), refusal('elements', 1000));
  const column = ops.reshape(x, [1000, 1]);
  expectRefusal(ops, () => ops.add(column, x), refusal('elements', 1000));
  const image = { width: 20, height: 20, data: new Uint8ClampedArray(1600) };
  expectRefusal(ops, () => ops.fromImage(image), refusal('elements', 1000));

  const narrow = await limited({ bytes: 4000 });
  const y = narrow.tensor('float32', new Float32Array(1000), [1000]);
  expectRefusal(narrow, () => narrow.cast(y, { to: 11 }), refusal('bytes', 4000));
  expectRefusal(narrow, () => narrow.tensor('string', ['x'.repeat(4001)], [1]), refusal('bytes', 4000));
});

test('files beside a model, and pieces of sound, are limited, too', async () => {
  const ops = await limited({ elements: 1000, bytes: 4000 });
  const resampler = ops.resampler({ from: 8000, to: 16_000 });
  expect(resampler.push(new Float32Array(100)).length).toBeLessThan(300);
  expectRefusal(ops, () => resampler.push(new Float32Array(1000)), refusal('elements', 1000));
  resampler.dispose();
  const entry = proto.concat(proto.bytes(1, 'location'), proto.bytes(2, 'weights'));
  const model = proto.model({
    nodes: [{ op: 'Identity', inputs: ['w'], outputs: ['y'] }],
    initializers: [proto.concat(proto.tensorHead('float32', [2], 'w'), proto.bytes(13, entry), proto.integer(14, 1))],
    outputs: [proto.value('y', 'float32', [2])],
  });
  const external = () => new Uint8Array(5000);
  expectRefusal(ops, () => ops.loadModel(model, { external }), refusal('bytes', 4000));
});

test('a view may have larger dims, until its elements are made', async () => {
  const ops = await limited({ elements: 1000 });
  const view = ops.expand(ops.tensor('float32', [1]), [2000]);
  expect(view.dims).toEqual([2000]);
  expectRefusal(ops, () => view.data, refusal('elements', 1000));
});

test('a planned run and one node by node refuse the same tensor', async () => {
  const ops = await limited({ elements: 1000 });
  const g = new GraphBuilder(18);
  g.input('x', 'float32', ['N']);
  g.output(g.op('Concat', ['x', 'x'], { axis: 0 }), 'float32', ['M']);
  for (const optimize of [true, false]) {
    const model = ops.loadModel(g.model('limits'), { optimize });
    const small = ops.tensor('float32', new Float32Array(500), [500]);
    const large = ops.tensor('float32', new Float32Array(501), [501]);
    for (let i = 0; i < 3; i++) {
      ops.scope(() => expect(Object.values(model.run({ x: small }))[0]?.dims).toEqual([1000]));
      expectRefusal(ops, () => model.run({ x: large }), refusal('elements', 1000));
    }
  }
});

test('a model of more nodes is refused, and each call of a function counts its nodes', async () => {
  const ops = await limited({ nodes: 10 });
  expect(ops.loadModel(chain(10)).nodes).toHaveLength(10);
  expectRefusal(ops, () => ops.loadModel(chain(11)), refusal('nodes', 10));
  expectRefusal(ops, () => ops.simplify(chain(11)), refusal('nodes', 10));

  const twice = onnx.functionOf('local', 'twice', {
    inputs: ['a'],
    outputs: ['b'],
    nodes: [
      ['Abs', 'first', ['a'], ['m']],
      ['Abs', 'second', ['m'], ['b']],
    ],
    opset: 18,
  });
  const calls = (count: number) => {
    const g = new GraphBuilder(18);
    g.input('x', 'float32', ['N']);
    let at = 'x';
    for (let i = 0; i < count; i++) at = g.op('twice', [at], {}, 1, 'local');
    g.output(at, 'float32', ['N']);
    return g.model('calls', { domains: ['local'], functions: [twice] });
  };
  expect(ops.loadModel(calls(3)).outputs).toHaveLength(1);
  expectRefusal(ops, () => ops.loadModel(calls(4)), refusal('nodes', 10));
});

test('a model with more graphs in one another is refused, and the default is the most', async () => {
  const ops = await limited({ nesting: 3 });
  const c = ops.tensor('bool', [true], []);
  expect(Object.values(ops.loadModel(nested(3)).run({ c }))[0]?.item()).toBe(1);
  expectRefusal(ops, () => ops.loadModel(nested(4)), refusal('nesting', 3));
  const free = await load({});
  const there = free.tensor('bool', [true], []);
  expect(Object.values(free.loadModel(nested(32)).run({ c: there }))[0]?.item()).toBe(1);
  expectRefusal(free, () => free.loadModel(nested(33)), refusal('nesting', 32));
});

test('a run that takes more time ends with an error between its nodes, and the next run has the whole time', async () => {
  const ops = await limited({ milliseconds: 50 });
  for (const optimize of [true, false]) {
    const model = ops.loadModel(loop(), { optimize });
    const x = ops.tensor('float32', [0.5, 0, 0, 0.5], [2, 2]);
    const few = ops.tensor('int64', [3n], []);
    const many = ops.tensor('int64', [2n ** 62n], []);
    for (let i = 0; i < 2; i++) {
      expectRefusal(ops, () => model.run({ M: many, x }), refusal('milliseconds', 50));
      ops.scope(() =>
        expect([...(Object.values(model.run({ M: few, x }))[0]?.data ?? [])]).toEqual([0.0625, 0, 0, 0.0625]),
      );
    }
  }
});

/** Distinct numbers, in no order. */
function mixed(ops: Runtime, count: number) {
  const made = ops.empty('int32', [count]);
  const { data } = made;
  const { imul } = Math; // Jest's globals are slow
  for (let i = 0; i < count; i++) data[i] = imul(i, 0x9e3779b1);
  return made;
}
const wide = (ops: Runtime, dims: readonly number[]) => ops.expand(ops.tensor('float32', 0.5), dims);
/** Numbers that lie side by side: zeros, then a one. */
const ramp = (ops: Runtime, count: number, dims: readonly number[] = [count]) => {
  const made = ops.empty('float32', dims);
  made.data[count - 1] = 1;
  return made;
};
const bytes = (ops: Runtime, dims: readonly number[]) => ops.expand(ops.tensor('uint8', 1), dims);
/** A pool whose indices nobody asks for. */
function maximumInModel(ops: Runtime, dims: readonly number[], kernel: readonly number[]) {
  const g = new GraphBuilder(22);
  g.input('x', 'float32', [...dims]);
  g.output(g.op('MaxPool', ['x'], { kernel_shape: [...kernel] }), 'float32', undefined);
  const model = ops.loadModel(g.model('limits'));
  try {
    return model.run({ x: wide(ops, dims) });
  } finally {
    model.dispose();
  }
}

test.each<[string, (ops: Runtime) => unknown]>([
  ['a product', (ops) => ops.matMul(wide(ops, [4096, 4096]), wide(ops, [4096, 4096]))],
  ['a product of integers', (ops) => ops.matMulInteger(bytes(ops, [4096, 8192]), bytes(ops, [8192, 8192]))],
  ['a convolution', (ops) => ops.conv(wide(ops, [1, 256, 512, 512]), wide(ops, [256, 256, 5, 5]))],
  ['a convolution of 3x3', (ops) => ops.conv(wide(ops, [1, 256, 256, 256]), wide(ops, [512, 256, 3, 3]))],
  ['a pool', (ops) => ops.averagePool(wide(ops, [1, 64, 512, 512]), { kernel_shape: [64, 64] })],
  ['a pool with indices', (ops) => ops.maxPool(wide(ops, [1, 16, 512, 512]), { kernel_shape: [63, 63] })],
  ['a pool with indices of one row', (ops) => ops.maxPool(wide(ops, [1, 1, 200_000]), { kernel_shape: [100_000] })],
  ['a pool of one row', (ops) => maximumInModel(ops, [1, 1, 200_000], [100_000])],
  ['a pool of one plane', (ops) => maximumInModel(ops, [1, 1, 4000, 4000], [2000, 2000])],
  ['softmax of short rows', (ops) => ops.softmax(wide(ops, [1 << 22, 3]))],
  [
    'attention',
    (ops) => {
      const x = wide(ops, [1, 8, 8192, 64]);
      return ops.attention(x, x, x);
    },
  ],
  [
    'a rotation of short rows',
    (ops) => ops.rotaryEmbedding(wide(ops, [1, 1, 1 << 20, 2]), wide(ops, [1, 1 << 20, 1]), wide(ops, [1, 1 << 20, 1])),
  ],
  [
    'a recurrent layer',
    (ops) => {
      const weights = wide(ops, [1, 1536, 512]);
      return ops.gru(wide(ops, [20000, 1, 512]), weights, weights, { hidden_size: 512 });
    },
  ],
  ['a determinant', (ops) => ops.det(ops.eyeLike(wide(ops, [3000, 3000])))],
  [
    'a resampling',
    (ops) => ops.resize(wide(ops, [1, 64, 512, 512]), null, null, [1, 64, 2048, 2048], { mode: 'cubic' }),
  ],
  ['the places of a long axis', (ops) => ops.resize(wide(ops, [1, 8]), null, null, [1, 6_000_000], { mode: 'cubic' })],
  ['the nearest of a long axis', (ops) => ops.resize(wide(ops, [1, 8]), null, null, [1, 20_000_001])],
  ['the order of the greatest elements', (ops) => ops.topK(mixed(ops, 1 << 22), [1n << 21n])],
  ['the order of distinct elements', (ops) => ops.unique(mixed(ops, 1 << 22))],
  [
    'the order of long strings',
    (ops) => ops.unique(ops.expand(ops.tensor('string', ['a'.repeat(1 << 20)]), [1 << 17])),
  ],
  ['a running sum', (ops) => ops.cumSum(wide(ops, [1 << 25]), 0)],
  ['a window', (ops) => ops.hannWindow(1 << 27)],
  ['the greatest of many', (ops) => ops.argMax(ramp(ops, 1 << 25))],
  ['the least of many', (ops) => ops.argMin(ramp(ops, 1 << 25), { axis: 0, keepdims: 0 })],
  ['one mark in a long row', (ops) => ops.hardmax(ramp(ops, 1 << 25), { axis: 0 })],
  ['a sum of exponentials', (ops) => ops.reduceLogSumExp(ramp(ops, 1 << 25))],
  [
    'a region of many samples',
    (ops) => {
      const regions = ops.tensor('float32', [[0, 0, 7, 7]]);
      const attributes = { mode: 'max', output_height: 1000, output_width: 1000, sampling_ratio: 128 } as const;
      return ops.roiAlign(wide(ops, [1, 1, 8, 8]), regions, ops.tensor('int64', [0n]), attributes);
    },
  ],
  [
    'many samples of few places',
    (ops) => {
      const regions = ops.expand(ops.tensor('float32', [[0, 0, 2000, 2000]]), [64, 4]);
      return ops.roiAlign(wide(ops, [1, 4, 2048, 2048]), regions, ops.expand(ops.tensor('int64', 0n), [64]));
    },
  ],
  [
    'the largest elements of regions',
    (ops) => {
      const regions = ops.expand(ops.tensor('float32', [[0, 0, 0, 2047, 2047]]), [256, 5]);
      return ops.maxRoiPool(wide(ops, [1, 4, 2048, 2048]), regions, { pooled_shape: [2, 2] });
    },
  ],
  ['copying columns', (ops) => ops.flatten(ops.transpose(ramp(ops, 1 << 25, [1 << 13, 1 << 12])))],
  ['rounding numbers', (ops) => ops.cast(ramp(ops, 1 << 24), { to: 'float8e4m3fn' })],
  [
    'the phases of a transposed convolution',
    (ops) => ops.convTranspose(wide(ops, [1, 1, 1, 1]), wide(ops, [1, 2, 2000, 2000]), { strides: [2000, 2000] }),
  ],
  [
    'many units of a recurrent layer',
    (ops) =>
      ops.lstm(wide(ops, [1000, 1, 4]), wide(ops, [1, 8192, 4]), wide(ops, [1, 8192, 2048]), { hidden_size: 2048 }),
  ],
  ['borders of short rows', (ops) => ops.pad(wide(ops, [1 << 25, 1]), [0, 1, 0, 1])],
  ['borders that repeat', (ops) => ops.pad(wide(ops, [1, 8]), [0, 0, 1 << 25, 0], { mode: 'edge' })],
  ['a sum of steps', (ops) => ops.erf(wide(ops, [1 << 28]))],
  [
    'a batch that has an image again and again',
    (ops) => {
      const image = { data: new Uint8Array(2 ** 20), width: 1024, height: 1024 };
      return ops.fromImage(new Array(20_000).fill(image), { resize: [2, 2], channels: 'gray' });
    },
  ],
])('%s that takes more time ends within, and nothing of it stays', async (_what, work) => {
  const ops = await limited({ milliseconds: 20 });
  const before = counters(ops);
  const started = performance.now();
  const error = ops.scope(() => errorOf(() => work(ops)));
  expect(error).toMatchObject({ code: 'LIMIT_EXCEEDED', limit: 'milliseconds' });
  expect(error.message).toContain('more than 20 ms (limits.milliseconds)');
  expect(performance.now() - started).toBeLessThan(30_000); // on a machine that has much else to do, too
  expect(counters(ops)).toEqual(before);
  expectUsable(ops);
});

test.each([
  ['Unique', {}],
  ['NonZero', {}],
  ['Cast', { to: 8 }],
])('the time of a Loop whose body has %s is looked at often', async (operator, attributes) => {
  const ops = await limited({ milliseconds: 100 });
  const g = new GraphBuilder(21);
  const body = g.inner();
  body.input('i', 'int64', []);
  body.input('goes_on', 'bool', []);
  body.input('sum', 'int64', []);
  const size = body.op('Size', [body.op(operator, ['x'], attributes)]);
  body.output(body.op('Identity', ['goes_on']), 'bool', []);
  body.output(body.op('Add', ['sum', size]), 'int64', []);
  g.input('x', 'float32', ['N']);
  g.input('M', 'int64', []);
  g.output(g.op('Loop', ['M', '', 'M'], { body }), 'int64', []);
  const model = ops.loadModel(g.model('limits'));
  const x = ops.tensor(
    'float32',
    Float32Array.from({ length: 1 << 10 }, (_, i) => Math.sin(i)),
  );
  const M = ops.tensor('int64', [100_000n], []);
  model.run({ x, M: ops.tensor('int64', [1n], []) }); // what a model keeps for its runs
  const start = performance.now();
  expectRefusal(ops, () => model.run({ x, M }), refusal('milliseconds', 100));
  expect(performance.now() - start).toBeLessThan(10_000); // not the hour of all iterations
});

test('a simplification that takes more time ends with an error', async () => {
  const ops = await limited({ milliseconds: 1 });
  expectRefusal(ops, () => ops.simplify(chain(20_000)), refusal('milliseconds', 1));
});

test('Infinity lifts a limit', async () => {
  const ops = await limited({ milliseconds: Number.POSITIVE_INFINITY, nodes: Number.POSITIVE_INFINITY });
  expect(ops.loadModel(chain(10)).nodes).toHaveLength(10);
});

test('a limit of another name, and one that is not a positive number, are refused', async () => {
  const refused = (limits: unknown, says: string) =>
    expect(load({ limits: limits as Limits })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringContaining(says),
    });
  await refused({ bytes: 0 }, 'load: limits.bytes is 0, wanted a number above 0');
  await refused({ nodes: -1 }, 'load: limits.nodes is -1');
  await refused({ elements: Number.NaN }, 'load: limits.elements is NaN');
  await expect(limited({ nesting: 32 })).resolves.toBeDefined();
  await refused({ nesting: 33 }, 'load: limits.nesting is 33, wanted at most 32');
  await refused({ milliseconds: '5' }, 'load: limits.milliseconds is "5", wanted a number');
  await refused({ miliseconds: 5 }, "load: limits: no option 'miliseconds': did you mean 'milliseconds'?");
  await refused(5, 'load: limits: options are 5');
});

test('elementwise loops, decimals and products of packed weights end when the time is over', async () => {
  const ops = await limited({ milliseconds: 60 });
  const over = refusal('milliseconds', 60);
  const full = (count: number, value: number) => {
    const made = ops.empty('float64', [count]);
    made.data.fill(value);
    return made;
  };
  const [large, small] = [full(2 ** 20, 1e300), full(2 ** 20, 1e-300)];
  expectRefusal(ops, () => ops.mod(large, small, { fmod: 1 }), over);
  const one = ops.tensor('float64', [1e-300]);
  const [many, texts] = [ops.expand(one, [2 ** 15]), ops.expand(ops.tensor('string', '1e300'), [2 ** 15])];
  expectRefusal(ops, () => ops.mod(large, one, { fmod: 1 }), over);
  expectRefusal(ops, () => ops.cast(texts, { to: 'float64' }), over);
  expectRefusal(ops, () => ops.cast(many, { to: 'string' }), over);
  const [K, N] = [1024, 4096];
  const nbits = onnx.model(
    'packed',
    [
      onnx.input('a', 'float32', [1024, K]),
      onnx.input('b', 'uint8', [N, K / 32, 16]),
      onnx.input('s', 'float32', [(N * K) / 32]),
      onnx.node(
        'MatMulNBits',
        'n',
        ['a', 'b', 's'],
        ['y'],
        Object.entries({ K, N, bits: 4, block_size: 32 }).map(([name, value]) => onnx.integerAttribute(name, value)),
        'com.microsoft',
      ),
      onnx.output('y', 'float32', [1024, N]),
    ],
    ['com.microsoft'],
  );
  const model = ops.loadModel(new Uint8Array(nbits));
  const feeds = Object.fromEntries(
    model.inputs.map(({ name, type, dims }) => [name, ops.empty(type as 'uint8', dims as number[])]),
  );
  expectRefusal(ops, () => model.run(feeds), over);
});

test('ranges and mel weights end when the time is over', async () => {
  const ops = await limited({ milliseconds: 20 });
  const over = refusal('milliseconds', 20);
  const [start, limit, delta] = [0, 2 ** 26, 1].map((number) => ops.tensor('int32', number));
  expectRefusal(ops, () => ops.run('Range', [start, limit, delta] as never), over);
  const [bands, length, rate] = [2 ** 20, 16, 8192].map((number) => ops.tensor('int64', BigInt(number)));
  const [low, high] = [0, 4096].map((edge) => ops.tensor('float32', edge));
  expectRefusal(ops, () => ops.run('MelWeightMatrix', [bands, length, rate, low, high] as never), over);
});
