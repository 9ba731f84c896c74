// Arguments that run user code during a call: getters, proxies, subclasses that lie. Every call returns the right
// result or an error, and the runtime stays usable.
import { afterEach, expect, test } from '@jest/globals';
import { dataTypes, load, OnnxError, type Tensor } from 'broadloom';
import { counters, errorOf, expectRefusal, expectUsable } from './helpers/runtime.js';

const ops = await load({});
afterEach(() => expectUsable(ops));

/** A list whose entry `at` does `work` before it returns its value. */
function withGetter(values: readonly number[], at: number, work: () => unknown): number[] {
  const list = [...values];
  Object.defineProperty(list, at, {
    get: () => {
      work();
      return values[at];
    },
  });
  return list;
}

/** Makes a call of every kind. */
function disturb(): void {
  ops.scope(() => {
    ops.memory();
    ops.operators();
    const x = ops.tensor('string', ['one', 'two'], [2]);
    ops.expand(x, [70, 2]).data;
    ops.readTensor(ops.writeTensor(x));
    ops.run('Constant', [], { value_ints: [9, 9, 9] });
    errorOf(() => ops.run('Weave'));
    errorOf(() => ops.expand(x, [3]));
    ops.empty('uint8', [2 ** 16]);
  });
}

const calls: [what: string, call: (work: () => unknown) => unknown, wanted: unknown][] = [
  ['a shape', (work) => ops.expand(row(), withGetter([3, 2], 0, work)).toArray(), [1, 2, 1, 2, 1, 2]],
  ['the last size of a shape', (work) => ops.expand(row(), withGetter([3, 2], 1, work)).toArray(), [1, 2, 1, 2, 1, 2]],
  ['a Proxy of a shape', (work) => ops.expand(row(), watched([3, 2], work)).toArray(), [1, 2, 1, 2, 1, 2]],
  ['the shape of ConstantOfShape', (work) => ops.constantOfShape(withGetter([1, 2], 1, work)).toArray(), [0, 0]],
  ['dims', (work) => ops.tensor('int8', [5, 6], withGetter([1, 2], 0, work)).toArray(), [5, 6]],
  ['dims of empty', (work) => ops.empty('int8', withGetter([1, 2], 0, work)).toArray(), [0, 0]],
  ['elements', (work) => ops.tensor('int16', withGetter([5, 6], 1, work), [2]).toArray(), [5, 6]],
  [
    'an attribute list',
    (work) => ops.constant({ value_ints: withGetter([5, 6], 0, work) }).toArray(),
    BigInt64Array.of(5n, 6n),
  ],
  [
    'an attribute',
    (work) => ops.constant({ get value_int() { work(); return 7; } } as never).toArray(), // biome-ignore format: one line
    [7n],
  ],
  ['the fields of an input', (work) => ops.expand(literal(work), [2, 2]).toArray(), [1, 2, 1, 2]],
  ['the fields of an attribute', (work) => ops.constant({ value: literal(work) }).toArray(), [1, 2]],
  ['the inputs', (work) => ops.run('Identity', watched([row()], work))[0].toArray(), [1, 2]],
  ['the options', (work) => ops.identity(row(), { get opset() { work(); return 13; } }).toArray(), [1, 2]], // biome-ignore format: one line
  [
    'the fields of a sparse value',
    (work) =>
      ops.constant({ sparse_value: { values: literal(work), indices: { type: 'int64', dims: [2], data: [0, 2] }, dims: [3] } }).toArray(), // biome-ignore format: one line
    [1, 0, 2],
  ],
];

const row = (): Tensor<'float32'> => ops.tensor('float32', [1, 2], [2]);
const watched = <T>(list: T[], work: () => unknown): T[] =>
  new Proxy(list, {
    get(target, name) {
      work();
      return Reflect.get(target, name);
    },
  });
function literal(work: () => unknown): { type: 'float32'; dims: number[]; data: number[] } {
  const tell = <R>(value: R): R => {
    work();
    return value;
  };
  return {
    get type() {
      return tell('float32' as const);
    },
    get dims() {
      return tell([2]);
    },
    get data() {
      return tell([1, 2]);
    },
  };
}

test.each(calls)('%s may call the runtime while it is read', (_what, call, wanted) => {
  ops.scope(() => expect([...(call(disturb) as Iterable<unknown>)]).toEqual([...(wanted as Iterable<unknown>)]));
});

test.each(calls)('an error thrown by %s while it is read arrives as it is, and nothing is lost', (_what, call) => {
  const thrown = new Error('thrown by a getter');
  const before = counters(ops);
  ops.scope(() =>
    expect(() =>
      call(() => {
        throw thrown;
      }),
    ).toThrow(thrown),
  );
  expect(counters(ops)).toEqual(before);
});

test('an input that a getter of a later one disposes of is refused with DISPOSED', () => {
  const x = row();
  const before = counters(ops).liveTensors;
  const error = errorOf(() =>
    ops.expand(
      x,
      withGetter([3, 2], 0, () => x.dispose()),
    ),
  );
  expect([error.code, error.operator]).toEqual(['DISPOSED', 'Expand']);
  expect(counters(ops).liveTensors).toBe(before - 1);
});

test('an attribute that a getter of a later one disposes of is refused with DISPOSED', () => {
  const value = ops.tensor('int8', [1], [1]);
  const attributes = {
    value,
    get value_int() {
      value.dispose();
      return 1;
    },
  };
  expect(errorOf(() => ops.constant(attributes as never)).code).toBe('DISPOSED');
});

test('a feed that a getter of a later one disposes of, and a model that one disposes of, are refused', () => {
  const { 'model.onnx': file } = ops.nodeModel('Expand', [row(), [3, 2]]);
  const model = ops.loadModel(file);
  const shape = () => ops.tensor('int64', [3, 2], [2]);
  const input = row();
  expect(errorOf(() => model.run({ input, get shape() { input.dispose(); return shape(); } })).code).toBe('DISPOSED'); // biome-ignore format: one line
  const { output } = model.run({ input: row(), get shape() { disturb(); return shape(); } }); // biome-ignore format: one line
  expect([...(output.data as Float32Array)]).toEqual([1, 2, 1, 2, 1, 2]);
  expect(errorOf(() => model.run({ input: row(), get shape() { model.dispose(); return shape(); } })).code).toBe('DISPOSED'); // biome-ignore format: one line
});

test('getters in the data array of a string tensor cannot disturb the call that reads it', () => {
  const x = ops.tensor('string', ['a', 'b'], [2]);
  Object.defineProperty(x.data, 1, {
    get: () => {
      disturb();
      return 'c';
    },
  });
  expect(ops.expand(x, [1, 2]).data).toEqual(['a', 'c']);
  Object.defineProperty(x.data, 0, { get: () => x.dispose() });
  expect(errorOf(() => ops.expand(x, [1, 2]))).toBeInstanceOf(OnnxError);
});

test('the length of a typed array is the engine’s, not its class’s', () => {
  class Liar extends Uint8Array {
    override get length(): number {
      return 2 ** 20;
    }
    override get byteLength(): number {
      return 2 ** 20;
    }
    override get byteOffset(): number {
      return 0;
    }
  }
  const bytes = new Liar([1, 2, 3]);
  expect([...ops.tensor('uint8', bytes, [3]).data]).toEqual([1, 2, 3]);
  expectRefusal(ops, () => ops.tensor('uint8', bytes, [2 ** 20]), {
    code: 'INVALID_ARGUMENT',
    says: ['data has 3 entries'],
  });
  expect(errorOf(() => ops.readTensor(bytes)).code).toBe('INVALID_MODEL');
  expect(ops.constantOfShape(bytes).dims).toEqual([1, 2, 3]);
});

test('a typed array that says it is of another type is refused', () => {
  class Liar extends Float64Array {
    override get [Symbol.toStringTag](): 'Float64Array' {
      return 'Float32Array' as never;
    }
  }
  expectRefusal(ops, () => ops.tensor('float32', new Liar(4) as never, [4]), {
    code: 'INVALID_ARGUMENT',
    says: ['float32 elements are in a Float64Array'],
  });
});

test.each([Number.NaN, -1, 1.5, 2 ** 40, '2', {}])(
  'a Proxy of an array that says its length is %p is refused',
  (length) => {
    const list = new Proxy([1, 2], { get: (target, name) => (name === 'length' ? length : Reflect.get(target, name)) });
    const says = ['a list of length'];
    expectRefusal(ops, () => ops.tensor('int8', list, [2]), { code: 'INVALID_ARGUMENT', says });
    expectRefusal(ops, () => ops.tensor('int8', [1, 2], list), { code: 'INVALID_ARGUMENT', says });
    expectRefusal(ops, () => ops.constantOfShape(list), { code: 'INVALID_ARGUMENT', says });
    expectRefusal(ops, () => ops.constant({ value_ints: list }), { code: 'INVALID_ARGUMENT', says });
  },
);

test('an array whose buffer a later getter transfers is refused, and nothing is lost', () => {
  const data = new Float32Array(1000);
  const input = { type: 'float32' as const, dims: [1000], data };
  const shape = withGetter([2, 1000], 0, () => {
    if (data.length > 0) structuredClone(data.buffer, { transfer: [data.buffer] });
  });
  expectRefusal(ops, () => ops.expand(input, shape), { code: 'INVALID_ARGUMENT', says: ['detached'] });
});

test('views of the heap are read before other inputs make it grow', async () => {
  const runtime = await load({ initialMemory: 2 ** 20 });
  const shape = runtime.tensor('int64', [2, 2 ** 19], [2]);
  const large = { type: 'uint8' as const, dims: [2 ** 19], data: new Uint8Array(2 ** 19).fill(3) };
  expect(runtime.expand(large, shape.data).dims).toEqual([2, 2 ** 19]);
  const half = runtime.tensor('uint8', new Uint8Array(2 ** 19).fill(7), [2 ** 19]);
  const values = { type: 'uint8' as const, dims: [2 ** 19], data: half.data };
  const [again] = runtime.run('Identity', [values]);
  expect((again.data as Uint8Array).every((byte) => byte === 7)).toBe(true);
});

test('dims and size of a tensor and the lists of a model cannot be changed from outside', () => {
  const x = ops.tensor('float32', [1, 2, 3], [3, 1]);
  expect(() => {
    (x.dims as number[]).length = 20;
  }).toThrow(TypeError);
  expect(() => {
    (x as { size: number }).size = 2 ** 20;
  }).toThrow(TypeError);
  expect([x.dims, x.strides, x.size, x.data.length]).toEqual([[3, 1], [1, 1], 3, 3]);
  const model = ops.loadModel(ops.nodeModel('Shape', [x])['model.onnx']);
  expect(() => {
    (model as { outputs: unknown }).outputs = [];
  }).toThrow(TypeError);
  expect(Object.keys(model.run({ data: x }))).toEqual(['shape']);
});

test('a detached list of sizes is refused, not taken for an empty one', async () => {
  const runtime = await load({});
  const sizes = runtime.shape({ type: 'int8', dims: [2, 3], data: new Int8Array(6) }).data;
  const same = new BigInt64Array(sizes);
  runtime.empty('uint8', [8 * 2 ** 20]);
  structuredClone(same.buffer, { transfer: [same.buffer] });
  for (const list of [sizes, same]) {
    for (const use of [
      () => runtime.constantOfShape(list),
      () => runtime.tensor('int8', [7], list),
      () => runtime.empty('int8', list),
      () => runtime.expand({ type: 'int8', dims: [1], data: [7] }, list),
      () => runtime.constant({ value_ints: list }),
    ]) {
      expectRefusal(runtime, use, { code: 'INVALID_ARGUMENT', says: ['detached'] });
    }
  }
  expect(runtime.constantOfShape(new BigInt64Array(0)).dims).toEqual([]);
});

test('the name of an operator must be a string: an object with toString is refused', () => {
  const x = row();
  const names = [{ toString: () => 'Expand' }, ['Expand'], 5, null, undefined, Symbol('Expand'), Object.create(null)];
  for (const name of names) {
    expectRefusal(ops, () => ops.run(name as string, [x]), { code: 'INVALID_ARGUMENT', says: ["such as 'Expand'"] });
    expectRefusal(ops, () => ops.run(name as string, 5 as never), { code: 'INVALID_ARGUMENT', says: ['inputs are 5'] });
  }
  x.dispose();
});

test('a long loop in a scope may dispose of its tensors, and the scope frees the rest', async () => {
  const runtime = await load({});
  runtime.scope(() => {
    const x = runtime.tensor('int8', [1], [1]);
    for (let i = 0; i < 5000; i++) {
      const y = runtime.expand(x, [2]);
      if (i % 500 > 0) y.dispose();
    }
    expect(runtime.memory().liveTensors).toBe(11);
  });
  expect(runtime.memory().liveTensors).toBe(0);
});

test('the tables of the package and the lists of a model are frozen', () => {
  expect(() => (dataTypes as unknown as unknown[]).reverse()).toThrow(TypeError);
  expect(() => Object.assign(dataTypes[0], { name: 'x' })).toThrow(TypeError);
  const model = ops.loadModel(ops.nodeModel('Shape', [row()])['model.onnx']);
  expect(() => (model.outputs as unknown[]).pop()).toThrow(TypeError);
  expect(() => Object.assign(model.outputs[0] as object, { name: 'x' })).toThrow(TypeError);
  model.dispose();
});

test('objects with the tag of a map, set or module are treated by their real type', async () => {
  const fake = { [Symbol.toStringTag]: 'Map', x: row() };
  expect(ops.scope(() => ({ [Symbol.toStringTag]: 'Set', y: row() })).y.size).toBe(2);
  expect(ops.scope(() => fake)).toBe(fake);
  class Emptied extends Map<string, Tensor> {
    override entries(): MapIterator<[string, Tensor]> {
      return new Map<string, Tensor>().entries();
    }
    override [Symbol.iterator](): MapIterator<[string, Tensor]> {
      return this.entries();
    }
  }
  expect(
    ops
      .scope(() => new Emptied([['y', row()]]))
      .get('y')
      ?.toArray(),
  ).toHaveLength(2);
  const module = { [Symbol.toStringTag]: 'WebAssembly.Module' };
  expect(await load({ wasm: module as never }).catch((error) => error.code)).toBe('INVALID_ARGUMENT');
});

test('a generator in a scope is refused, and so are inherited attributes and options', () => {
  const x = row();
  function* later(): Generator<number> {
    yield 1;
  }
  expect(errorOf(() => ops.scope(later)).message).toContain('generator');
  expect(errorOf(() => ops.shape(x, Object.create({ start: 1 }))).message).toContain('plain object');
  expect(errorOf(() => ops.identity(x, Object.create({ opset: 1 }))).message).toContain('options are');
  for (const call of [() => ops.expand.call(null as never, x, [2]), () => ops.memory.call(null as never)])
    expect(errorOf(call).code).toBe('INVALID_ARGUMENT');
});

test('messages of errors and prints have a bounded length', () => {
  const long = 'x'.repeat(10 ** 6);
  for (const call of [
    () => ops.constant({ value_int: 10n ** 200_000n }),
    () => ops.identity(row(), { [long]: 1 } as never),
    () => ops.tensor('int8', [Symbol(long)] as never, [1]),
    () => ops.fromMessage({ type: 'int64', dims: [1], data: ['9'.repeat(10 ** 7)] }),
  ])
    expect(errorOf(call).message.length).toBeLessThan(2200);
  expect(String(ops.constantOfShape([...Array(12).fill(2), ...Array(243).fill(1)])).length).toBeLessThan(201_000);
});

test('elements written to a string tensor must be strings when they are copied', () => {
  const x = ops.tensor('string', ['a', 'b'], [2]);
  (x.data as unknown[])[1] = 7;
  const uses = [() => x.toArray(), () => x.toMessage(), () => ops.identity(x), () => x.toNested(), () => x.toJSON()];
  for (const use of uses) expect(errorOf(use).message).toContain('element 1 is 7');
  expect(String(x)).toContain('string [2]');
});

test('booleans that were written as something else are refused as operands and as attributes', () => {
  const x = ops.tensor('bool', [true, false]);
  x.data[0] = 2;
  const yes = ops.tensor('bool', [true, true]);
  for (const use of [
    () => ops.and(yes, x),
    () => ops.not(x),
    () => ops.cast(x, { to: 'int32' }),
    () => ops.where(x, yes, yes),
    () => ops.unique(x),
    () => ops.concat([x, yes], { axis: 0 }),
    () => ops.identity(x),
    () => ops.constant({ value: x }),
  ])
    expectRefusal(ops, use, { code: 'INVALID_ARGUMENT', says: ['element 0 is 2'] });
  const one = ops.tensor('bool', [true]);
  one.data[0] = 3;
  expect(errorOf(() => ops.constantOfShape([2], { value: one })).message).toContain('element 0 is 3');
  x.data[0] = 1;
  expect([...ops.and(x, yes).data]).toEqual([1, 0]);
});

test('a view that lies out of the bounds of its resizable buffer is refused like a detached one', () => {
  type Resizable = new (
    bytes: number,
    options: { maxByteLength: number },
  ) => ArrayBuffer & { resize(to: number): void };
  const buffer = new (ArrayBuffer as unknown as Resizable)(48, { maxByteLength: 64 });
  const dims = new BigInt64Array(buffer, 24, 3).fill(2n);
  buffer.resize(16);
  const x = ops.tensor('float32', [1]);
  for (const use of [() => ops.expand(x, dims), () => ops.tensor('int64', dims), () => ops.tensor('int64', dims, [3])])
    expect(errorOf(use)).toMatchObject({ code: 'INVALID_ARGUMENT', message: expect.stringContaining('too small now') });
});

test('lists of four billion holes are refused at once', () => {
  const holes = new Array(2 ** 32 - 1);
  const x = ops.tensor('float32', [1]);
  for (const use of [() => ops.expand(x, holes), () => ops.tensor('float32', holes), () => ops.run('Sum', holes)])
    expect(errorOf(use).code).toBe('INVALID_ARGUMENT');
});

test('lists within lists that hold nothing are refused beyond a million', () => {
  expect(ops.empty('float32', [2, 3, 0]).toNested()).toEqual([
    [[], [], []],
    [[], [], []],
  ]);
  expect(ops.empty('float32', [0, 2 ** 31]).toNested()).toEqual([]);
  for (const dims of [
    [2 ** 21, 0],
    [2 ** 40, 0],
    [1, 2 ** 31, 0, 5],
  ])
    expect(errorOf(() => ops.empty('float32', dims).toNested())).toMatchObject({
      code: 'OUT_OF_MEMORY',
      message: `toNested: dims [${dims.join(', ')}] are too many lists without elements`,
    });
});

test('pixels whose tag is a name of Object.prototype are pixels', () => {
  for (const tag of ['constructor', 'toString', '__proto__']) {
    const pixels = { [Symbol.toStringTag]: tag, data: new Uint8Array(3), width: 1, height: 1 };
    expect(ops.fromImage(pixels as never).dims).toEqual([1, 3, 1, 1]);
  }
});
