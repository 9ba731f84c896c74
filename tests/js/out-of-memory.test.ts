// Running out of memory is an error like any other: live tensors stay intact, and the runtime stays usable.
import { expect, test } from '@jest/globals';
import { load, Model, type Runtime, type Tensor } from 'broadloom';
import * as proto from '../../shared/onnx.js';
import { counters, errorOf, expectUsable } from './helpers/runtime.js';

const MiB = 2 ** 20;
const small = (): Promise<Runtime> => load({ maximumMemory: 4 * MiB });

/** Makes tensors until one does not fit. Returns the others. */
function fill(ops: Runtime, make: (i: number) => Tensor): Tensor[] {
  const tensors: Tensor[] = [];
  const error = errorOf(() => {
    for (let i = 0; i < 1e6; i++) tensors.push(make(i));
  });
  expect(error).toMatchObject({ code: 'OUT_OF_MEMORY' });
  expect(error.message).toContain('out of memory');
  expect(ops.memory().liveTensors).toBe(tensors.length);
  return tensors;
}

const makers: [
  what: string,
  make: (ops: Runtime) => (i: number) => Tensor,
  holds: (tensor: Tensor, i: number) => boolean,
][] = [
  [
    'few large tensors',
    (ops) => (i) => ops.tensor('uint8', new Uint8Array(MiB).fill(i), [MiB]),
    (tensor, i) => (tensor.data as Uint8Array).every((value) => value === i),
  ],
  ['many small tensors', (ops) => (i) => ops.tensor('int32', [i], [1]), (tensor, i) => tensor.data[0] === i],
  [
    'many tensors of a page',
    (ops) => (i) => ops.tensor('int32', new Int32Array(1000).fill(i), [1000]),
    (tensor, i) => tensor.data[999] === i,
  ],
  [
    'many strings',
    (ops) => (i) => ops.tensor('string', [`${i}`, 'x'.repeat(500)], [2]),
    (tensor, i) => tensor.data[0] === `${i}`,
  ],
  ['many scalars', (ops) => (i) => ops.constant({ value_int: i }), (tensor, i) => tensor.data[0] === BigInt(i)],
  [
    'many lists of numbers',
    (ops) => (i) => ops.tensor('float32', Array(100).fill(i), [100]),
    (tensor, i) => tensor.data[99] === i,
  ],
  [
    'many long ranks',
    (ops) => (i) => ops.empty('uint8', [i + 1, ...Array(254).fill(1)]),
    (tensor, i) => tensor.dims[0] === i + 1,
  ],
];

test.each(makers)(
  'after %s have filled the memory, all of them are whole, and the runtime goes on when they are gone',
  async (_what, make, holds) => {
    const ops = await small();
    const tensors = fill(ops, make(ops));
    expect(tensors.length).toBeGreaterThan(0);
    // This frees memory for bookkeeping; then every element must still be there.
    tensors.pop()?.dispose();
    expect(tensors.filter((tensor, i) => !holds(tensor, i))).toHaveLength(0);
    for (const tensor of tensors) tensor.dispose();
    expect(counters(ops)).toEqual({ liveTensors: 0, bytesInUse: 0 });
    expectUsable(ops);
    const again = fill(ops, make(ops));
    expect(again.length).toBeGreaterThan(tensors.length / 2);
    for (const tensor of again) tensor.dispose();
  },
);

test('in a full memory, calls that fit succeed and others are refused, repeatedly', async () => {
  const ops = await small();
  const tensors = fill(ops, (i) => ops.tensor('int16', new Int16Array(8).fill(i % 30_000), [8]));
  const calls: (() => unknown)[] = [
    () => ops.expand(tensors[1], [1000, 8]),
    () => ops.shape(tensors[1]),
    () => ops.constantOfShape([10_000]),
    () => ops.constant({ value_strings: ['a', 'b'.repeat(1000)] }),
    () => ops.run('Identity', [tensors[0]]),
    () => ops.writeTensor(tensors[0]),
    () => ops.readTensor(proto.tensor('int8', [3000], new Int8Array(3000))),
    () =>
      ops.loadModel(proto.model({ initializers: [proto.tensor('int8', [3000], new Int8Array(3000), 'w')] })).dispose(),
    () => tensors[2].unpack(),
    () => tensors[3].data,
    () => ops.operators(),
    () => ops.memory(),
    () => ops.tensor('string', ['x'.repeat(5000)], [1]),
    () => ops.expand(tensors[4], Array(250).fill(1)),
  ];
  for (let round = 0; round < 60; round++) {
    for (const call of calls) {
      try {
        ops.scope(() => void call());
      } catch (error) {
        expect(error).toMatchObject({ name: 'OnnxError', code: 'OUT_OF_MEMORY' });
      }
    }
    if (round % 2 === 0) tensors.pop()?.dispose();
  }
  tensors.pop()?.dispose();
  for (const tensor of tensors.splice(-2000)) tensor.dispose();
  expect(tensors.every((tensor, i) => tensor.data[7] === i % 30_000)).toBe(true);
});

test('reading a lazy tensor that does not fit in memory is OUT_OF_MEMORY each time, and its dims stay readable', async () => {
  const ops = await small();
  const x = ops.tensor('float64', [1], [1]);
  const y = ops.expand(x, [2 ** 40]);
  const before = counters(ops);
  for (const use of [() => y.data, () => y.toArray(), () => y.unpack(), () => ops.writeTensor(y), () => y.data]) {
    const error = errorOf(use);
    expect(error.code).toBe('OUT_OF_MEMORY');
    expect(counters(ops)).toEqual(before);
  }
  expect(y.size).toBe(2 ** 40);
  expect([...ops.shape(y).data]).toEqual([2n ** 40n]);
  expectUsable(ops);
});

test.each([[[2 ** 33]], [[2 ** 20, 2 ** 20]], [[2 ** 53 - 1]]])(
  'a tensor of dims %p is refused with OUT_OF_MEMORY, with the bytes in the message',
  async (dims) => {
    const ops = await load({});
    const error = errorOf(() => ops.empty('float32', dims));
    expect(error.code).toBe('OUT_OF_MEMORY');
    expect(error.message).toMatch(/\d+/);
    expect(counters(ops)).toEqual({ liveTensors: 0, bytesInUse: 0 });
    expectUsable(ops);
  },
);

test('a file larger than the memory is refused with OUT_OF_MEMORY', async () => {
  const ops = await small();
  for (const read of [(file: Uint8Array) => ops.readTensor(file), (file: Uint8Array) => ops.loadModel(file)]) {
    expect(errorOf(() => read(new Uint8Array(5 * MiB))).code).toBe('OUT_OF_MEMORY');
    expectUsable(ops);
  }
  // A valid file is refused, too: only its start is read.
  const file = proto.tensor('uint8', [5 * MiB], new Uint8Array(5 * MiB));
  const { heapBytes } = ops.memory();
  expect(errorOf(() => ops.readTensor(file)).code).toBe('OUT_OF_MEMORY');
  expect(ops.memory().heapBytes).toBe(heapBytes);
  // The bytes of this file fit once.
  ops.readTensor(proto.tensor('uint8', [2 * MiB], new Uint8Array(2 * MiB))).dispose();
  expect(counters(ops)).toEqual({ liveTensors: 0, bytesInUse: 0 });
  expectUsable(ops);
});

test('a list, a string and a shape larger than the memory are refused with OUT_OF_MEMORY', async () => {
  const ops = await small();
  const long = Array(MiB).fill(1);
  const calls: (() => unknown)[] = [
    () => ops.tensor('int8', long, [MiB]),
    () => ops.tensor('string', ['x'.repeat(5 * MiB)], [1]),
    () => ops.constant({ value_floats: long }),
    () => ops.constant({ value_string: 'x'.repeat(5 * MiB) }),
    () => ops.run('x'.repeat(5 * MiB), []),
    () => ops.constantOfShape(long),
    () => ops.empty('int8', long),
  ];
  for (const call of calls) {
    expect(errorOf(() => ops.scope(call)).code).toBe('OUT_OF_MEMORY');
    expect(counters(ops)).toEqual({ liveTensors: 0, bytesInUse: 0 });
    expectUsable(ops);
  }
});

test.each([2 ** 20, 2 ** 26, 2 ** 26 + 1, 2 ** 30, 2 ** 32 - 1, 2 ** 32, 2 ** 40])(
  'a lazy shape of %p entries is refused before memory is asked for',
  async (length) => {
    const ops = await small();
    const ones = ops.constantOfShape([length], { value: { type: 'int64', dims: [1], data: [1] } });
    const before = counters(ops);
    for (const call of [() => ops.constantOfShape(ones), () => ops.expand(ones, ones)]) {
      expect(errorOf(call).message).toContain('a tensor can have at most 255');
      expect(counters(ops)).toEqual(before);
      expectUsable(ops);
    }
  },
);

test('a memory that is filled a hundred times leaves all live tensors and models whole, and the runtime usable', async () => {
  const ops = await small();
  const file = proto.model({
    nodes: [
      { op: 'Add', inputs: ['x', 'w'], outputs: ['s'] },
      { op: 'MatMul', inputs: ['s', 'm'], outputs: ['y'] },
    ],
    inputs: [proto.value('x', 'float32', ['N', 4])],
    outputs: [proto.value('y', 'float32')],
    initializers: [
      proto.tensor('float32', [4], Float32Array.of(1, 2, 3, 4), 'w'),
      proto.tensor(
        'float32',
        [4, 4],
        Float32Array.from({ length: 16 }, (_, i) => (i % 5 === 0 ? 2 : 0)),
        'm',
      ),
    ],
  });
  const model = ops.loadModel(file);
  const x = ops.tensor('float32', new Float32Array(2048).fill(3), [512, 4]);
  const lives: [tensor: Tensor, elements: unknown[]][] = [
    [x, Array(2048).fill(3)],
    [ops.transpose(x, { perm: [1, 0] }), Array(2048).fill(3)],
    [ops.expand(ops.tensor('int16', [7, 8], [2, 1]), [2, 3]), [7, 7, 7, 8, 8, 8]],
    [ops.tensor('string', ['é', '', 'x'.repeat(300)], [3]), ['é', '', 'x'.repeat(300)]],
    [ops.tensor('int64', [1, -2], [2]), [1n, -2n]],
  ];
  const ways: ((size: number) => unknown)[] = [
    (size) => ops.empty('uint8', [size]),
    (size) => ops.expand(ops.tensor('float32', [1], [1]), [size]).data,
    (size) => ops.tensor('string', ['y'.repeat(size)], [1]),
    (size) => ops.loadModel(proto.model({ initializers: [proto.tensor('int8', [size], new Int8Array(size), 'w')] })),
    (size) => model.run({ x: ops.expand(ops.tensor('float32', [1], [1, 1]), [size, 4]) }),
    (size) =>
      ops.simplify(proto.model({ initializers: [proto.tensor('int8', [size], new Int8Array(size), 'w')] })) &&
      ops.empty('int8', [size]),
  ];
  const before = counters(ops);
  for (let round = 0; round < 100; round++) {
    const size = 2 ** (10 + (round % 11));
    const opened: { dispose(): void }[] = [];
    const error = errorOf(() =>
      ops.scope(() => {
        for (;;) {
          const made = (ways[round % ways.length] as (size: number) => unknown)(size);
          if (made instanceof Model) opened.push(made);
        }
      }),
    );
    expect(error.code).toBe('OUT_OF_MEMORY');
    for (const one of opened) one.dispose();
    for (const [tensor, elements] of lives) expect([...(tensor.toArray() as Iterable<unknown>)]).toEqual(elements);
    ops.scope(() => {
      const { y } = model.run({ x: ops.tensor('float32', [round, 0, 0, 1], [1, 4]) });
      expect([...(y as Tensor).toArray()]).toEqual([2 * (round + 1), 4, 6, 10]);
    });
    expect(ops.memory().liveTensors).toBe(before.liveTensors);
  }
  model.dispose();
  for (const [tensor] of lives) tensor.dispose();
  expectUsable(ops);
});

test.each([200, 1000, MiB])(
  'a tensor of 4 GB less %p bytes is refused, though its size and the address of a free place wrap around',
  async (less) => {
    const ops = await load({ maximumMemory: 16 * MiB });
    const one = ops.tensor('uint8', [7], [1]);
    const place = ops.expand(one, [MiB]);
    expect(place.data[MiB - 1]).toBe(7);
    place.dispose();
    const y = ops.expand(one, [2 ** 32 - less]);
    expect(errorOf(() => y.data).code).toBe('OUT_OF_MEMORY');
    expectUsable(ops);
  },
);

test.each([4, 100, 2 ** 31])('a value of 4 GB and %p more bytes is refused in each run', async (more) => {
  const ops = await small();
  const file = proto.model({
    nodes: [
      { op: 'MatMul', inputs: ['a', 'b'], outputs: ['m'] },
      { op: 'Neg', inputs: ['m'], outputs: ['n'] },
      { op: 'Shape', inputs: ['n'], outputs: ['s'] },
    ],
    inputs: [proto.value('a', 'float32'), proto.value('b', 'float32')],
    outputs: [proto.value('s', 'int64')],
  });
  for (const optimize of [false, true]) {
    const model = ops.loadModel(file, { optimize });
    const one = ops.tensor('float32', [1], [1, 1]);
    const feeds = { a: ops.expand(one, [2 ** 30 + more / 4, 1]), b: one };
    for (let i = 0; i < 2; i++) expect(errorOf(() => model.run(feeds)).code).toBe('OUT_OF_MEMORY');
    expectUsable(ops);
  }
});

test('reading an expanded tensor needs only its own bytes: after a refusal it succeeds once memory was freed', async () => {
  const ops = await small();
  const ballast = ops.empty('uint8', [2 * MiB]);
  const x = ops.tensor('uint8', [7], [1]);
  const y = ops.expand(x, [2 * MiB]);
  expect(errorOf(() => y.data).code).toBe('OUT_OF_MEMORY');
  ballast.dispose();
  expect(y.data.every((value) => value === 7)).toBe(true);
});

test('a copy that a write needs is refused with OUT_OF_MEMORY, and both tensors keep their elements', async () => {
  const ops = await small();
  const x = ops.tensor('uint8', new Uint8Array(MiB).fill(5), [MiB]);
  const y = ops.run('Identity', [x])[0];
  const ballast = fillTo(ops, 4096);
  expect(errorOf(() => y.data).code).toBe('OUT_OF_MEMORY');
  for (const tensor of ballast) tensor.dispose();
  (y.data as Uint8Array)[0] = 6;
  expect([x.data[0], y.data[0], y.data[1]]).toEqual([5, 6, 5]);
});

function fillTo(ops: Runtime, bytes: number): Tensor[] {
  const tensors: Tensor[] = [];
  const error = errorOf(() => {
    for (;;) tensors.push(ops.empty('uint8', [bytes]));
  });
  expect(error.code).toBe('OUT_OF_MEMORY');
  for (const tensor of tensors.splice(-8)) tensor.dispose();
  return tensors;
}
