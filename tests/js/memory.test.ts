// Memory: counters, scopes, disposal, growth of the heap.
import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { load, type Runtime, type Tensor } from 'broadloom';
import * as proto from '../../shared/onnx.js';
import {
  counters,
  errorOf,
  expectRefusal,
  expectUsable,
  expectWords,
  sampleTensor,
  sampleWords,
} from './helpers/runtime.js';
import { types } from './helpers/types.js';

const nothing = { liveTensors: 0, bytesInUse: 0 };

test('a new runtime has no tensor, and a heap of 1 MiB', async () => {
  const ops = await load({});
  expect(ops.memory()).toEqual({ ...nothing, planBytes: 0, heapBytes: 2 ** 20 });
});

test('memory() counts tensors and their bytes, shared ones once and lazy ones not', async () => {
  const ops = await load({});
  const x = ops.tensor('float32', Array(256).fill(1), [256]);
  expect(counters(ops)).toEqual({ liveTensors: 1, bytesInUse: 1024 });
  const y = ops.expand(x, [1000, 256]);
  const z = ops.run('Identity', [x])[0];
  expect(counters(ops)).toEqual({ liveTensors: 3, bytesInUse: 1024 });
  expect(y.data.length).toBe(256_000);
  expect(counters(ops)).toEqual({ liveTensors: 3, bytesInUse: 1024 + 1_024_000 });
  for (const tensor of [x, y, z]) tensor.dispose();
  expect(counters(ops)).toEqual(nothing);
});

test.each(types)('a $name tensor gives all its bytes back', async ({ name }) => {
  const ops = await load({});
  sampleTensor(ops, name).dispose();
  const x = sampleTensor(ops, name);
  x.toArray();
  x.toString();
  const y = ops.run('Identity', [x])[0];
  expectWords(y, sampleWords(name));
  x.dispose();
  expectWords(y, sampleWords(name));
  y.dispose();
  expect(counters(ops)).toEqual(nothing);
});

test('disposing of a tensor affects neither its results nor its inputs', async () => {
  const ops = await load({});
  const x = ops.tensor('int16', [1, 2], [2, 1]);
  const y = ops.expand(x, [2, 2]);
  const z = ops.expand(y, [2, 2, 2]);
  y.dispose();
  expect([...x.data]).toEqual([1, 2]);
  x.dispose();
  expect([...z.data]).toEqual([1, 1, 2, 2, 1, 1, 2, 2]);
  z.dispose();
  expect(counters(ops)).toEqual(nothing);
});

test('disposing twice does nothing, not even to a newer tensor in the same place', async () => {
  const ops = await load({});
  const x = ops.tensor('int8', [1], [1]);
  x.dispose();
  const y = ops.tensor('int8', [2], [1]);
  x.dispose();
  x[Symbol.dispose]?.();
  expect([...y.data]).toEqual([2]);
  expect(ops.memory().liveTensors).toBe(1);
});

test('a disposed tensor keeps its type, dims and size, and refuses everything else', async () => {
  const ops = await load({});
  const x = ops.tensor('int8', [1, 2], [2]);
  x.dispose();
  expect([x.type, x.dims, x.size, x.toString()]).toEqual(['int8', [2], 2, 'int8 [2] (DISPOSED)']);
  for (const use of [() => x.data, () => x.toArray(), () => x.unpack()]) {
    expectRefusal(ops, use, { code: 'DISPOSED', says: ['int8 tensor of dims [2]'] });
  }
});

test('a tensor is disposed of by its Symbol.dispose', async () => {
  const ops = await load({});
  const dispose = Symbol.dispose ?? Symbol.for('Symbol.dispose');
  const x = ops.empty('int8', [2]) as unknown as { [name: symbol]: () => void };
  x[dispose]();
  expect(counters(ops)).toEqual(nothing);
});

test('a model is disposed of by its Symbol.dispose', async () => {
  const ops = await load({});
  const file = proto.model({ initializers: [proto.tensor('int8', [1], [1], 'w')] });
  const loaded = ops.loadModel(file) as unknown as { [name: symbol]: () => void };
  expect(counters(ops).bytesInUse).toBeGreaterThan(0);
  const dispose = Symbol.dispose ?? Symbol.for('Symbol.dispose');
  expect(typeof loaded[dispose]).toBe('function');
  loaded[dispose]();
  expect(counters(ops)).toEqual(nothing);
});

test('a scope frees every tensor that was made in it, by any call', async () => {
  const ops = await load({});
  ops.scope(() => {
    const x = ops.tensor('float32', [1], [1]);
    ops.empty('string', [3]);
    ops.expand(x, [5]);
    ops.shape(x);
    ops.constantOfShape([2]);
    ops.constant({ value_int: 1 });
    ops.readTensor(ops.writeTensor(x));
    ops.run('Identity', [x]);
    expect(ops.memory().liveTensors).toBe(8);
  });
  expect(counters(ops)).toEqual(nothing);
});

test('a scope keeps the tensors that it returns: alone, in arrays, in objects, in both', async () => {
  const ops = await load({});
  const make = (): Tensor => ops.tensor('int8', [7], [1]);
  const alive = (tensor: Tensor): boolean => tensor.data.length === 1;
  const alone = ops.scope(() => [make(), make()][1]);
  const { list, named } = ops.scope(() => ({
    list: [make(), [make()]] as const,
    named: { a: { b: make() } },
    size: make().size,
  }));
  const kept = [alone, list[0], list[1][0], named.a.b];
  expect(kept.map(alive)).toEqual([true, true, true, true]);
  expect(ops.memory().liveTensors).toBe(4);
  for (const tensor of kept) tensor.dispose();
  expect(counters(ops)).toEqual(nothing);
});

test('tensors that an inner scope returns belong to the outer one', async () => {
  const ops = await load({});
  const outer = ops.scope(() => {
    const inner = ops.scope(() => [ops.empty('int8', [1]), ops.empty('int8', [2])]);
    ops.scope(() => ops.empty('int8', [4]).size);
    expect(ops.memory().liveTensors).toBe(2);
    return inner[1];
  });
  expect(ops.memory().liveTensors).toBe(1);
  expect(outer.data.length).toBe(2);
});

test('a scope that throws frees its tensors and lets the error through', async () => {
  const ops = await load({});
  const error = new Error('mine');
  const work = (): never => {
    ops.empty('int8', [1]);
    ops.scope(() => {
      ops.empty('int8', [1]);
      throw error;
    });
    throw new Error('not reached');
  };
  expect(() => ops.scope(work)).toThrow(error);
  expect(counters(ops)).toEqual(nothing);
  // The scopes are closed: tensors made now are not freed.
  ops.empty('int8', [1]);
  expect(ops.memory().liveTensors).toBe(1);
});

test('a scope refuses a function that returns a promise', async () => {
  const ops = await load({});
  const work = async (): Promise<Tensor> => ops.empty('int8', [1]);
  expectRefusal(ops, () => ops.scope(work as never), { code: 'INVALID_ARGUMENT', says: ['scope', 'promise'] });
});

test('later work of an async function in a scope fails silently, because the scope has thrown', async () => {
  const output = withGarbageCollection(`
    import { load } from 'broadloom';
    const ops = await load({});
    process.on('unhandledRejection', () => console.log('unhandled'));
    try {
      ops.scope(async () => { const x = ops.empty('int8', [1]); await 1; return x.data; });
    } catch (error) {
      console.log(error.code);
    }
    await new Promise((done) => setTimeout(done, 20));
    console.log(ops.memory().liveTensors);`);
  expect(output).toBe('INVALID_ARGUMENT\n0');
});

test('a scope keeps tensors that it returns in maps, sets and deeply nested values', async () => {
  const ops = await load({});
  const made = () => ops.empty('int8', [1]);
  type Nested = { next?: Nested; tensor?: Tensor };
  const result = ops.scope(() => {
    made();
    let nested: Nested = { tensor: made() };
    for (let i = 0; i < 100_000; i++) nested = { next: nested };
    const around: unknown[] = [];
    around.push(around);
    return { map: new Map([[made(), [made()]]]), set: new Set([made()]), nested, around };
  });
  expect(ops.memory().liveTensors).toBe(4);
  for (const [key, [value]] of result.map) expect([key.size, value.size]).toEqual([1, 1]);
});

test('errors distinguish tensors freed by a scope from disposed tensors', async () => {
  const ops = await load({});
  let inner = ops.empty('int8', [1]);
  inner.dispose();
  expect(errorOf(() => inner.data).message).toBe('this int8 tensor of dims [1] was disposed of');
  ops.scope(() => {
    inner = ops.empty('int8', [1]);
  });
  expect(errorOf(() => inner.data).message).toContain('was freed when its scope ended: return it from the scope');
});

test.each([undefined, null, 5, {}])('a scope refuses %p, which is not a function', async (work) => {
  const ops = await load({});
  expectRefusal(ops, () => ops.scope(work as never), {
    code: 'INVALID_ARGUMENT',
    says: ['scope', 'is not a function'],
  });
});

test('a scope does not free tensors that were made before it or disposed of in it', async () => {
  const ops = await load({});
  const x = ops.tensor('int8', [5], [1]);
  ops.scope(() => {
    ops.empty('int8', [1]).dispose();
    expect(ops.run('Identity', [x])[0].data.length).toBe(1);
  });
  expect([...x.data]).toEqual([5]);
  expect(ops.memory().liveTensors).toBe(1);
});

test('a scope may return anything: null, a typed array, an object that holds itself', async () => {
  const ops = await load({});
  const ring: { self?: object; tensor?: Tensor } = {};
  ring.self = ring;
  expect(ops.scope(() => null)).toBe(null);
  expect(ops.scope(() => ops.tensor('int8', [1, 2], [2]).toArray())).toEqual(Int8Array.of(1, 2));
  expect(ops.scope(() => Object.assign(ring, { tensor: ops.empty('int8', [1]) }))).toBe(ring);
  expect(ops.memory().liveTensors).toBe(1);
});

test('when the heap grows, old views have length 0, and data returns a new one with the same elements', async () => {
  const ops = await load({});
  const tensors = types.map(({ name }) => sampleTensor(ops, name));
  const views = tensors.map((tensor) => tensor.data);
  const { heapBytes } = ops.memory();
  ops.empty('uint8', [2 * heapBytes]).dispose();
  expect(ops.memory().heapBytes).toBeGreaterThan(heapBytes);
  for (const [i, tensor] of tensors.entries()) {
    if (tensor.type !== 'string') expect(views[i]).toHaveLength(0);
    expectWords(tensor, sampleWords(tensor.type));
  }
  expectUsable(ops);
});

test('writes to a view before the heap grew are kept', async () => {
  const ops = await load({});
  const x = ops.empty('float64', [3]);
  x.data.set([1, 2, 3]);
  ops.empty('uint8', [2 ** 22]).dispose();
  expect([...x.data]).toEqual([1, 2, 3]);
});

test('arguments larger than the page grow the heap during a call, and arrive complete', async () => {
  const ops = await load({});
  const numbers = Array.from({ length: 300_000 }, (_, i) => i);
  const x = ops.tensor('float64', numbers, [numbers.length]);
  expect(x.data.every((value, i) => value === i)).toBe(true);
  const words = numbers.slice(0, 40_000).map((i) => `word ${i} ${'\u00e9'.repeat(i % 50)}`);
  expect(ops.tensor('string', words, [words.length]).data).toEqual(words);
  expect(ops.constant({ value_strings: words }).data).toEqual(words);
  expect(x.unpack()).toEqual(numbers);
  expectUsable(ops);
});

test('two thousand rounds of expanding to 4 MiB, reading and disposing leave the heap where the first one left it', async () => {
  const ops = await load({});
  const x = ops.tensor('float32', Array(1024).fill(1.5), [1024, 1]);
  const round = (i: number) => {
    const y = ops.expand(x, [1024, 1024]);
    expect(y.data[i]).toBe(1.5);
    y.dispose();
  };
  round(0);
  const after = ops.memory();
  for (let i = 1; i < 2000; i++) round(i);
  expect(ops.memory()).toEqual(after);
});

test('the heap grows in steps of about a quarter, and by no more than that', async () => {
  const ops = await load({});
  const sizes = new Set<number>();
  for (let i = 0; i < 1000; i++) {
    ops.empty('uint8', [65_536]);
    const { heapBytes, bytesInUse } = ops.memory();
    sizes.add(heapBytes);
    expect(heapBytes).toBeLessThan(1.3 * bytesInUse + 2 ** 20);
  }
  expect(sizes.size).toBeGreaterThan(5);
  expect(sizes.size).toBeLessThan(30);
});

/** A runtime, and how often the C library has let its memory grow since. */
async function watchedRuntime(): Promise<[ops: Runtime, growths: () => number]> {
  const { Instance } = WebAssembly;
  let growths = 0;
  const count = () => {
    growths++;
    return 0;
  };
  WebAssembly.Instance = class extends Instance {
    constructor(module: WebAssembly.Module, imports?: WebAssembly.Imports) {
      super(module, { ...imports, env: { ...imports?.env, emscripten_notify_memory_growth: count } });
    }
  };
  try {
    return [await load({}), () => growths];
  } finally {
    WebAssembly.Instance = Instance;
  }
}

test('while a model of many nodes is read and run, the heap grows in steps of about a quarter, not page by page', async () => {
  const [ops, growths] = await watchedRuntime();
  const count = 20_000;
  const names = Array.from({ length: count + 1 }, (_, i) => `value${i}`);
  const file = proto.model({
    nodes: Array.from({ length: count }, (_, i) => ({
      op: 'Neg',
      inputs: [names[i] as string],
      outputs: [names[i + 1] as string],
    })),
    inputs: [proto.value('value0', 'float32', [1])],
    outputs: [proto.value(names[count] as string, 'float32', [1])],
  });
  using model = ops.loadModel(file);
  model.nodes;
  model.run({ value0: ops.tensor('float32', [1], [1]) });
  expect(ops.memory().heapBytes).toBeGreaterThan(2 ** 23);
  expect(growths()).toBeGreaterThan(0);
  expect(growths()).toBeLessThan(40);
});

test('a thousand refused calls leave nothing behind', async () => {
  const ops = await load({});
  const x = ops.tensor('float32', [1, 2, 3], [3]);
  const before = counters(ops);
  for (let i = 0; i < 1000; i++) {
    errorOf(() => ops.expand(x, [2]));
    errorOf(() => ops.expand({ type: 'float32', dims: [3], data: [1, 2, 3] }, [2]));
    errorOf(() => ops.tensor('bool', Uint8Array.of(1, 2), [2]));
    errorOf(() => ops.constant({ value: { type: 'int8', dims: [1], data: [1] }, value_int: 1 } as never));
  }
  expect(counters(ops)).toEqual(before);
});

/** The output of a script in a process that can collect garbage. */
function withGarbageCollection(script: string): string {
  const root = new URL('../..', import.meta.url);
  return execFileSync(process.execPath, ['--expose-gc', '--input-type=module', '-e', script], {
    cwd: root,
    encoding: 'utf8',
  }).trim();
}

test('tensors that were not disposed of are freed after garbage collection', () => {
  const live = withGarbageCollection(`
    import { load } from 'broadloom';
    const ops = await load({});
    const make = () => { for (let i = 0; i < 1000; i++) ops.empty('float32', [i % 50 === 0 ? 100000 : 4]); };
    make();
    for (let i = 0; i < 200 && ops.memory().liveTensors > 64; i++) { gc(); await new Promise((done) => setTimeout(done, 10)); }
    console.log(ops.memory().liveTensors);`);
  // The last batch of small tensors may still be open.
  expect(Number(live)).toBeLessThanOrEqual(64);
});

test('tensors that are still held are not freed with the collected ones of their batch', () => {
  const kept = withGarbageCollection(`
    import { load } from 'broadloom';
    const ops = await load({});
    const held = [];
    for (let i = 0; i < 1000; i++) { const x = ops.tensor('int32', [i], [1]); if (i % 10 === 0) held.push(x); else if (i % 3 === 0) x.dispose(); }
    for (let i = 0; i < 20; i++) { gc(); await new Promise((done) => setTimeout(done, 5)); ops.tensor('int32', [-1], [1]); }
    console.log(held.every((x, i) => x.data[0] === 10 * i), held.length);`);
  expect(kept).toBe('true 100');
});

test('a large tensor that was not disposed of is freed after garbage collection, although a disposed one is still held', () => {
  const live = withGarbageCollection(`
    import { load } from 'broadloom';
    const ops = await load({});
    const held = ops.empty('float32', [100000]);
    held.dispose();
    const make = () => ops.empty('float32', [100000]).dims;
    make();
    for (let i = 0; i < 200 && ops.memory().liveTensors > 0; i++) { gc(); await new Promise((done) => setTimeout(done, 10)); }
    console.log(ops.memory().liveTensors, held.size);`);
  expect(live).toBe('0 100000');
});

test('a tensor that is still held keeps at most 63 KiB of garbage in memory', () => {
  const output = withGarbageCollection(`
    import { load } from 'broadloom';
    const ops = await load({});
    const survivors = (type, dims, data) => {
      const held = [];
      for (let i = 0; i < 64 * 50; i++) {
        const x = data ? ops.tensor(type, data, dims) : ops.empty(type, dims);
        if (data === undefined && type === 'string') { x.data.fill('a'.repeat(2000)); ops.shape(x).dispose(); }
        if (i % 64 === 0) held.push(x);
      }
      return held;
    };
    const lazy = () => {
      const held = [];
      const one = ops.tensor('float32', [1], [1]);
      for (let i = 0; i < 64 * 50; i++) { const x = ops.expand(one, [4000]); x.data; if (i % 64 === 0) held.push(x); }
      return held;
    };
    for (const make of [
      () => survivors('float64', [16000]),
      () => survivors('float64', [128]),
      () => survivors('string', [4], ['a'.repeat(1000), 'b', 'c', 'd']),
      () => survivors('string', [8]),
      lazy,
    ]) {
      const before = ops.memory().bytesInUse;
      const held = make();
      const own = held.length * Math.max(held[0].size * 8, held[0].type === 'string' ? 16100 : 0);
      let pinned;
      for (let i = 0; i < 300; i++) {
        gc();
        await new Promise((done) => setTimeout(done, 5));
        pinned = ops.memory().bytesInUse - before - own;
        if (pinned <= held.length * 63 * 1024) break;
      }
      console.log(pinned <= held.length * 63 * 1024 + 64 * 1024, held.every((x) => x.toArray().length > 0));
      for (const x of held) x.dispose();
    }`);
  expect(output.split('\n')).toEqual(Array(5).fill('true true'));
});

test('models that were not disposed of are freed after garbage collection', () => {
  const file = JSON.stringify([
    ...proto.model({ initializers: [proto.tensor('int8', [1000], new Int8Array(1000), 'w')] }),
  ]);
  const bytes = withGarbageCollection(`
    import { load } from 'broadloom';
    const ops = await load({});
    const make = () => { for (let i = 0; i < 50; i++) ops.loadModel(Uint8Array.from(${file})); };
    make();
    if (ops.memory().bytesInUse < 50000) throw new Error('nothing was made');
    for (let i = 0; i < 200 && ops.memory().bytesInUse > 0; i++) { gc(); await new Promise((done) => setTimeout(done, 10)); }
    console.log(ops.memory().bytesInUse);`);
  expect(bytes).toBe('0');
});

test('the tensors of the first bound model are freed after garbage collection, as those of all others are', () => {
  const file = JSON.stringify([
    ...proto.model({
      nodes: [{ op: 'Neg', inputs: ['x'], outputs: ['y'] }],
      inputs: [proto.value('x', 'float32', [64])],
      outputs: [proto.value('y', 'float32', [64])],
    }),
  ]);
  const live = withGarbageCollection(`
    import { load } from 'broadloom';
    const ops = await load({});
    const make = () => ops.loadModel(Uint8Array.from(${file})).bind({ x: ops.empty('float32', [64]) }).outputs.y.size;
    for (let i = 0; i < 3; i++) make();
    // The batch of small tensors that was open is full then.
    const next = Array.from({ length: 64 }, () => ops.empty('uint8', [1]));
    for (const tensor of next) tensor.dispose();
    for (let i = 0; i < 200 && ops.memory().liveTensors > 0; i++) { gc(); await new Promise((done) => setTimeout(done, 10)); }
    console.log(ops.memory().liveTensors);`);
  expect(live).toBe('0');
});
