// Runtime.simplify: options, files in memory and in Blobs, external files, the report, and memory.
import { readFileSync } from 'node:fs';
import { expect, jest, test } from '@jest/globals';
import { type DataType, load, OnnxError, type SimplifyOptions } from 'broadloom';
import * as proto from '../../shared/onnx.js';
import { GraphBuilder } from '../../tools/models/graph-builder.mjs';
import { passNames } from '../../tools/tables.mjs';
import { f32 } from './helpers/models.js';
import { counters, errorOf, expectRefusal, expectUsable } from './helpers/runtime.js';

const ops = await load({});

const { value } = proto;
const int64 = (name: string, dims: number[], ...data: number[]) => proto.tensor('int64', dims, data, name);
const float32 = (name: string, dims: number[], ...data: number[]) => proto.tensor('float32', dims, data, name);
const many = 50_000;
const large = (name: string) => proto.tensor('float32', [many], new Float32Array(many).fill(2), name);
const external = (name: string, dims: number[], location: string) =>
  proto.concat(
    proto.tensorHead('float32', dims, name),
    proto.bytes(13, proto.concat(proto.bytes(1, 'location'), proto.bytes(2, location))),
    proto.integer(14, 1),
  );

// y = 2 w + x, in as many rows as x has. Some weights stay in the file, and others are computed.
const file = proto.model({
  nodes: [
    { op: 'Shape', inputs: ['x'], outputs: ['s'], name: 'shape' },
    { op: 'Gather', inputs: ['s', 'zero'], outputs: ['n'], attributes: [proto.attribute.int('axis', 0)] },
    { op: 'Concat', inputs: ['n', 'minus'], outputs: ['to'], attributes: [proto.attribute.int('axis', 0)] },
    { op: 'Reshape', inputs: ['x', 'to'], outputs: ['r'] },
    { op: 'Add', inputs: ['w', 'w'], outputs: ['d'] },
    { op: 'Add', inputs: ['d', 'v'], outputs: ['e'] },
    { op: 'Add', inputs: ['r', 'e'], outputs: ['f'] },
    { op: 'Add', inputs: ['f', 'u'], outputs: ['y'] },
  ],
  inputs: [value('x', 'float32', ['batch', 1])],
  outputs: [value('y', 'float32', ['batch', many])],
  initializers: [int64('zero', [1], 0), int64('minus', [1], -1), large('w'), float32('v', [1], 1), large('u')],
});
const blobOf = (bytes: Uint8Array) => new Blob([bytes as Uint8Array<ArrayBuffer>]);

// y = w + w + x, w in the file weights.bin.
const apart = proto.model({
  nodes: [
    { op: 'Add', inputs: ['w', 'w'], outputs: ['d'] },
    { op: 'Add', inputs: ['x', 'd'], outputs: ['y'] },
  ],
  inputs: [value('x', 'float32', [2])],
  outputs: [value('y', 'float32', [2])],
  initializers: [external('w', [2], 'weights.bin')],
});
const weights = new Uint8Array(Float32Array.of(3, 4).buffer);

const run = (bytes: Uint8Array, feeds: object, options = {}) =>
  ops.scope(() => {
    const model = ops.loadModel(bytes, options);
    const outputs = Object.entries(model.run(feeds as never)).map(([name, { dims, data }]) => [
      name,
      [...dims],
      [...data],
    ]);
    model.dispose();
    return outputs;
  });

/** Does the work, and expects the runtime's memory to be the same before and after. */
async function expectKept<T>(work: () => T | Promise<T>): Promise<T> {
  const before = counters(ops);
  const result = await work();
  expect(counters(ops)).toEqual(before);
  return result;
}

async function rejectionOf(promise: Promise<unknown>): Promise<OnnxError> {
  const error = await promise.then(
    () => new Error('nothing was thrown'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof OnnxError)) throw error;
  return error;
}

// ---- Results ----

test('constants are folded, and results stay the same', async () => {
  const { bytes, report } = await expectKept(() => ops.simplify(file));
  expect(run(bytes, { x: f32([2, 1], 1, 2) })).toEqual(run(file, { x: f32([2, 1], 1, 2) }));
  expect(report.after.operators).toEqual({ Add: 2 });
  expect(bytes.length).toBe(report.after.bytes);
});

test('a Blob and a Uint8Array give the same bytes', async () => {
  for (const options of [{}, { dims: { batch: 3 } }, { valueInfo: true, outputs: ['y'] }] satisfies SimplifyOptions[]) {
    const { bytes, report } = ops.simplify(file, options);
    const of = await expectKept(() => ops.simplify(blobOf(file), options));
    expect(Buffer.from(await of.blob.arrayBuffer()).equals(bytes)).toBe(true);
    expect(of.report).toEqual(report);
  }
});

test('a file may be a view of a larger array', () => {
  const larger = new Uint8Array(file.length + 20).fill(255);
  larger.set(file, 7);
  const { bytes } = ops.simplify(larger.subarray(7, 7 + file.length));
  expect(Buffer.from(bytes).equals(ops.simplify(file).bytes)).toBe(true);
});

test('the file is not changed, and the result is a new array', () => {
  const simple = ops.simplify(file).bytes;
  const copy = simple.slice();
  const { bytes } = ops.simplify(simple);
  expect(Buffer.from(bytes).equals(copy)).toBe(true);
  expect(bytes.buffer).not.toBe(simple.buffer);
});

test('a file may be a Buffer or an array of another realm', () => {
  expect(ops.simplify(Buffer.from(file)).bytes).toEqual(ops.simplify(file).bytes);
});

test('large weights stay out of the heap', async () => {
  const huge = proto.model({
    nodes: [
      { op: 'Identity', inputs: ['x'], outputs: ['i'] },
      { op: 'Add', inputs: ['i', 'w'], outputs: ['y'] },
    ],
    inputs: [value('x', 'float32', [1])],
    outputs: [value('y', 'float32', [2 ** 25])],
    initializers: [proto.tensor('float32', [2 ** 25], new Float32Array(2 ** 25), 'w')],
  });
  const own = await load({});
  own.simplify(huge);
  await own.simplify(blobOf(huge));
  expect(own.memory().heapBytes).toBeLessThan(40 * 2 ** 20);
});

// ---- Options ----

test.each([
  [{ dims: { batch: -1 } }, "simplify: dims: 'batch' is -1, wanted an integer of at least 0"],
  [{ dims: { batch: 1.5 } }, "simplify: dims: 'batch' is 1.5, wanted an integer of at least 0"],
  [{ dims: { batch: '1' } }, 'simplify: dims: \'batch\' is "1", wanted an integer of at least 0'],
  [{ dims: [1] }, 'simplify: dims are Array, wanted an object by name'],
  [{ dims: { bacth: 1 } }, "no size 'bacth'; the model has 'batch'"],
  [{ shapes: { x: 3 } }, "simplify: shapes: 'x' is 3, wanted a list"],
  [
    { shapes: { x: [1, true] } },
    "simplify: shapes: size 1 of 'x' is true, wanted a number, a name, or null for what is declared",
  ],
  [
    { shapes: { x: [''] } },
    'simplify: shapes: size 0 of \'x\' is "", wanted a number, a name, or null for what is declared',
  ],
  [{ shapes: { x: Array(256).fill(1) } }, "256 sizes for input 'x', which is declared as [batch, 1]"],
  [{ shapes: { x: [1] } }, "1 size for input 'x', which is declared as [batch, 1]"],
  [{ shapes: { x: [1, 2] } }, "size 2 for axis 1 of input 'x', which is declared as 1"],
  [{ shapes: { z: [1] } }, "no input 'z'; the model has 'x'"],
  [{ dims: { batch: 1 }, shapes: { x: [2, null] } }, "size 2 for axis 0 of input 'x': 'batch' is 1 elsewhere"],
  [{ values: { x: 'abc' } }, "input 'x': strings, wanted float32"],
  [{ values: { x: f32([1, 2], 1, 2) } }, "input 'x' has dims [1, 2], wanted [batch, 1]"],
  [{ values: { z: f32([1], 1) } }, "no input 'z'; the model has 'x'"],
  [{ outputs: 'y' }, 'simplify: outputs is "y", wanted a list'],
  [{ outputs: [1] }, 'simplify: outputs has 1, wanted names'],
  [{ outputs: ['z'] }, "no output 'z'; the model has 'y'"],
  [{ outputs: [] }, "outputs is an empty list, wanted names of outputs; the model has 'y'"],
  [{ maxGrowth: -1 }, 'simplify: maxGrowth is -1, wanted an integer of at least 0'],
  [{ maxGrowth: '10' as '10%' }, 'simplify: maxGrowth is "10", wanted an integer of at least 0, or a part'],
  [{ maxGrowth: Number.POSITIVE_INFINITY }, 'simplify: maxGrowth is Infinity, wanted an integer of at least 0'],
  [{ unroll: true }, 'simplify: unroll is true, wanted an integer of at least 0'],
  [{ fuseInexact: 1 }, 'simplify: fuseInexact is 1, wanted true or false'],
  [{ valueInfo: 'yes' }, 'simplify: valueInfo is "yes", wanted true or false'],
  [
    { external: 'weights.bin' },
    'simplify: external is "weights.bin", wanted a function that gives the bytes of a file',
  ],
  [{ dim: { batch: 1 } }, "'dim'"],
  [3, '3'],
])('%j is refused, and the message has the value', async (options, says) => {
  expectRefusal(ops, () => ops.simplify(file, options as never), { code: 'INVALID_ARGUMENT', says: [says] });
  const error = await expectKept(() => rejectionOf(ops.simplify(blobOf(file), options as never)));
  expect(error.message).toContain(says);
});

test('an input without a declared rank takes 255 sizes, and 256 are refused', () => {
  const free = proto.model({
    nodes: [{ op: 'Identity', inputs: ['x'], outputs: ['y'] }],
    inputs: [value('x', 'float32')],
    outputs: [value('y', 'float32')],
  });
  const ranked = (rank: number) => ops.simplify(free, { shapes: { x: Array(rank).fill(1) } });
  expect(ops.loadModel(ranked(255).bytes).inputs[0]?.dims).toHaveLength(255);
  expectRefusal(ops, () => ranked(256), {
    code: 'INVALID_ARGUMENT',
    says: ['dims have 256 axes; a tensor can have at most 255'],
  });
});

test.each([
  [undefined, 'undefined'],
  ['model.onnx', '"model.onnx"'],
  [new Float32Array(3), 'Float32Array'],
  [new ArrayBuffer(3), 'wanted a Uint8Array or a Blob: write new Uint8Array(buffer)'],
  [Promise.resolve(file), 'Promise, wanted a Uint8Array or a Blob: await it before the call'],
])('a file that is %j is refused', (given, says) => {
  expectRefusal(ops, () => ops.simplify(given as never), {
    code: 'INVALID_ARGUMENT',
    says: ['simplify: the file is', says, 'wanted a Uint8Array or a Blob'],
  });
});

test('a Blob of another format rejects the promise with the name of that format', async () => {
  const error = await rejectionOf(ops.simplify(new Blob(['version https://git-lfs.github.com/spec/v1\n'])));
  expect(error).toMatchObject({ code: 'INVALID_MODEL', message: expect.stringContaining('a Git LFS pointer') });
});

test('options that are undefined or null count as omitted', () => {
  const { report } = ops.simplify(file, {
    dims: undefined,
    shapes: undefined,
    outputs: undefined,
    maxGrowth: undefined,
  });
  expect(report).toEqual(ops.simplify(file).report);
});

test('omitted sizes of shapes stay as declared', () => {
  const { report } = ops.simplify(file, { shapes: { x: [4, null] } });
  expect(report.inputs).toEqual([expect.objectContaining({ name: 'x', dims: [4, 1] })]);
  const named = ops.simplify(file, { shapes: { x: ['rows', null] } });
  expect(named.report.inputs).toEqual([expect.objectContaining({ name: 'x', dims: ['rows', 1] })]);
});

test('a value is a tensor, or anything that has its fields, and is not changed', async () => {
  const tensor = ops.tensor('float32', [5], [1, 1]);
  for (const x of [tensor, f32([1, 1], 5)]) {
    const { bytes, report } = await expectKept(() => ops.simplify(file, { values: { x }, maxGrowth: 2 ** 24 }));
    expect(report.inputs).toEqual([]);
    expect(report.after.operators).toEqual({ Constant: 1 });
    expect(run(bytes, {})).toEqual(run(file, { x: f32([1, 1], 5) }));
  }
  expect([...tensor.data]).toEqual([5]);
  tensor.dispose();
});

test('getters of options are called before memory is allocated', async () => {
  const options = {
    get dims(): never {
      expectUsable(ops);
      throw new RangeError('mine');
    },
  };
  await expectKept(() => expect(() => ops.simplify(file, options)).toThrow(new RangeError('mine')));
  expectUsable(ops);
});

test('lists are read once: a getter within them that uses the runtime changes nothing', async () => {
  const list = (good: string) => {
    let reads = 0;
    return Object.defineProperty([good], 0, {
      get: () => {
        ops.shape(ops.tensor('float32', [1, 2]));
        return reads++ === 0 ? good : 5;
      },
    }) as string[];
  };
  const before = await ops.scope(() => ops.simplify(file).bytes);
  ops.scope(() => {
    expect(ops.simplify(file, { skip: list('fuse_log_softmax') }).bytes).toEqual(before);
    const [output] = ops.loadModel(file).outputs;
    expect(ops.simplify(file, { outputs: list(output?.name as string) }).bytes.length).toBeGreaterThan(0);
  });
  expectUsable(ops);
});

// ---- Damaged files ----

test('a damaged file is refused with the place, and the runtime is usable', async () => {
  const damaged = file.slice(0, 200);
  const says = ['byte'];
  const error = expectRefusal(ops, () => ops.simplify(damaged), { code: 'INVALID_MODEL', says });
  const rejected = await expectKept(() => rejectionOf(ops.simplify(blobOf(damaged))));
  expect(rejected.message).toBe(error.message);
  expectUsable(ops);
});

test('a Blob that is larger than protobuf allows is refused before it is read', async () => {
  const blob = blobOf(file);
  Object.defineProperty(blob, 'size', { value: 2 ** 31 });
  const error = await expectKept(() => rejectionOf(ops.simplify(blob)));
  expect(error).toMatchObject({ code: 'INVALID_ARGUMENT' });
  expect(error.message).toContain('the file has 2147483648 bytes; 2147483647 are the most');
});

test('a Blob that cannot be read, or is shorter than its size, rejects the promise', async () => {
  const broken = blobOf(file);
  const cause = new DOMException('it is gone', 'NotReadableError');
  broken.slice = () => ({ arrayBuffer: () => Promise.reject(cause) }) as never;
  const error = await expectKept(() => rejectionOf(ops.simplify(broken)));
  expect(error).toMatchObject({ code: 'INVALID_ARGUMENT', cause });
  expect(error.message).toContain('the file cannot be read: it is gone');
  const short = blobOf(file.slice(0, 1000));
  Object.defineProperty(short, 'size', { value: file.length });
  expect(await expectKept(() => rejectionOf(ops.simplify(short)))).toMatchObject({ code: 'INVALID_ARGUMENT' });
  expectUsable(ops);
});

// ---- Files beside the model ----

test('without external, references to files are kept, a warning names them, and nodes that read them are not folded', async () => {
  const { bytes, report } = await expectKept(() => ops.simplify(apart));
  expect(report.warnings).toEqual(["the external data 'weights.bin' was not given: nothing is computed of it"]);
  expect(report.after.operators).toEqual({ Add: 2 });
  expect(report.files).toEqual(['weights.bin']);
  expect(Buffer.from(bytes).includes('weights.bin')).toBe(true);
});

test('external is called once for each file, and constants folded from it are in the result', async () => {
  const give = jest.fn((location: string) => (location === 'weights.bin' ? weights : undefined));
  const { bytes, report } = await expectKept(() => ops.simplify(apart, { external: give }));
  expect(give.mock.calls).toEqual([['weights.bin']]);
  expect([report.files, report.warnings]).toEqual([[], []]);
  expect(run(bytes, { x: f32([2], 1, 2) })).toEqual([['y', [2], [7, 10]]]);
});

test('for a Blob, external may return bytes, a Blob, or a promise of either', async () => {
  const { bytes } = ops.simplify(apart, { external: () => weights });
  for (const given of [weights, blobOf(weights), Promise.resolve(weights), Promise.resolve(blobOf(weights))]) {
    const { blob } = await expectKept(() => ops.simplify(blobOf(apart), { external: () => given }));
    expect(Buffer.from(await blob.arrayBuffer()).equals(bytes)).toBe(true);
  }
});

test('a Blob from external that cannot be read is named', async () => {
  const broken = blobOf(weights);
  broken.slice = () => ({ arrayBuffer: () => Promise.reject(new Error('it is gone')) }) as never;
  const error = await expectKept(() => rejectionOf(ops.simplify(blobOf(apart), { external: () => broken })));
  expect(error).toMatchObject({ code: 'INVALID_ARGUMENT' });
  expect(error.message).toContain("external: 'weights.bin' cannot be read: it is gone");
});

test('an error that external throws is passed on, and memory is freed', async () => {
  const mine = new TypeError('mine');
  const fail = () => {
    throw mine;
  };
  await expectKept(() => expect(() => ops.simplify(apart, { external: fail })).toThrow(mine));
  await expectKept(() => expect(ops.simplify(blobOf(apart), { external: fail })).rejects.toBe(mine));
  await expectKept(() =>
    expect(ops.simplify(blobOf(apart), { external: () => Promise.reject(mine) })).rejects.toBe(mine),
  );
  expectUsable(ops);
});

test.each([
  ['nothing', undefined, "external: there is no file 'weights.bin'"],
  ['a list', [1, 2], "external: for 'weights.bin' it"],
  ['too few bytes', new Uint8Array(7), "external: 'weights.bin' does not have the bytes from 0 to 8"],
])('external that returns %s is refused', async (_, given, says) => {
  const options = { external: () => given as never };
  expectRefusal(ops, () => ops.simplify(apart, options), { code: 'INVALID_ARGUMENT', says: [says] });
  const error = await expectKept(() => rejectionOf(ops.simplify(blobOf(apart), options)));
  expect(error.message).toContain(says);
});

test('external that gives bytes whose buffer is gone is refused', async () => {
  const options = {
    external() {
      const bytes = Uint8Array.from(weights);
      structuredClone(bytes, { transfer: [bytes.buffer] });
      return bytes;
    },
  };
  const says = ["simplify: the bytes of external: 'weights.bin'", 'detached'];
  expectRefusal(ops, () => ops.simplify(apart, options), { code: 'INVALID_ARGUMENT', says });
  const error = await expectKept(() => rejectionOf(ops.simplify(blobOf(apart), options)));
  expect(error.message).toContain("external: 'weights.bin'");
});

test('a file that external makes shorter is refused, not filled with zeros', () => {
  const spare = proto.model({
    nodes: [
      { op: 'Add', inputs: ['w', 'w'], outputs: ['d'] },
      { op: 'Add', inputs: ['x', 'd'], outputs: ['e'] },
      { op: 'Add', inputs: ['e', 'u'], outputs: ['y'] },
    ],
    inputs: [value('x', 'float32', [2])],
    outputs: [value('y', 'float32')],
    initializers: [external('w', [2], 'weights.bin'), large('u')],
  });
  const buffer = new ArrayBuffer(spare.length, { maxByteLength: spare.length });
  const bytes = new Uint8Array(buffer);
  bytes.set(spare);
  const options = {
    external() {
      buffer.resize(spare.length - 100);
      return weights;
    },
  };
  const says = ['simplify: the file does not have the bytes from'];
  expectRefusal(ops, () => ops.simplify(bytes, options), { code: 'INVALID_ARGUMENT', says });
});

test('external may call the runtime, including simplify', async () => {
  const { bytes } = ops.simplify(apart, { external: () => weights });
  const result = await expectKept(() =>
    ops.simplify(apart, {
      external() {
        expectUsable(ops);
        ops.simplify(file);
        expect(errorOf(() => ops.simplify(file.slice(0, 100))).code).toBe('INVALID_MODEL');
        ops.tensor('float32', new Float32Array(2 ** 21), [2 ** 21]).dispose();
        return weights;
      },
    }),
  );
  expect(result.bytes).toEqual(bytes);
});

test('a file that external detaches is refused', () => {
  const own = proto.model({
    nodes: [
      { op: 'Add', inputs: ['w', 'w'], outputs: ['d'] },
      { op: 'Add', inputs: ['x', 'd'], outputs: ['a'] },
      { op: 'Add', inputs: ['a', 'u'], outputs: ['y'] },
    ],
    inputs: [value('x', 'float32', [1])],
    outputs: [value('y', 'float32')],
    initializers: [external('w', [2], 'weights.bin'), proto.tensor('float32', [many, 1], new Float32Array(many), 'u')],
  });
  const options = {
    external() {
      structuredClone(own.buffer, { transfer: [own.buffer] });
      return weights;
    },
  };
  expectRefusal(ops, () => ops.simplify(own, options), { code: 'INVALID_ARGUMENT', says: ['detached'] });
});

test('a detached file is refused', () => {
  const own = file.slice();
  structuredClone(own.buffer, { transfer: [own.buffer] });
  expectRefusal(ops, () => ops.simplify(own), { code: 'INVALID_ARGUMENT', says: ['detached'] });
});

// ---- Side by side ----

test('calls that run while a Blob is read do not disturb each other', async () => {
  const wanted = ops.simplify(file).bytes;
  const results = await expectKept(async () => {
    const going = [1, 2, 3].map(() => ops.simplify(blobOf(file)));
    const failing = ops.simplify(blobOf(file.slice(0, 5000))).catch((error: unknown) => error);
    expectUsable(ops);
    await Promise.resolve();
    expect(run(file, { x: f32([1, 1], 1) })).toHaveLength(1);
    ops.tensor('uint8', new Uint8Array(2 ** 24), [2 ** 24]).dispose();
    expect(await failing).toBeInstanceOf(OnnxError);
    return Promise.all(going);
  });
  for (const { blob } of results) expect(Buffer.from(await blob.arrayBuffer()).equals(wanted)).toBe(true);
});

test('a long chain of sums of large weights is computed at once, and simplifying again changes nothing', async () => {
  const [count, size] = [150, 5000];
  const model = proto.model({
    nodes: Array.from({ length: count }, (_, i) => ({
      op: 'Add',
      inputs: [i === 0 ? 'x' : i === 1 ? 'w0' : `s${i - 1}`, i === 0 ? `s${count - 1}` : `w${i}`],
      outputs: [i === 0 ? 'y' : `s${i}`],
    })).toSorted((a, b) => Number(a.outputs[0] === 'y') - Number(b.outputs[0] === 'y')),
    inputs: [value('x', 'float32', [size])],
    outputs: [value('y', 'float32')],
    initializers: Array.from({ length: count }, (_, i) =>
      proto.tensor('float32', [size], new Float32Array(size).fill(i), `w${i}`),
    ),
  });
  const { bytes, report } = await expectKept(() => ops.simplify(model));
  expect(report.after.operators).toEqual({ Add: 1 });
  expect(ops.simplify(bytes).bytes).toEqual(bytes);
  const x = f32([size], ...new Array(size).fill(1));
  expect(run(bytes, { x })).toEqual(run(model, { x }));
});

// ---- The report ----

test('the report has operators before and after, changes, and reasons for unknown sizes', () => {
  const model = proto.model({
    nodes: [
      { op: 'Identity', inputs: ['x'], outputs: ['i'] },
      { op: 'Add', inputs: ['k', 'k'], outputs: ['d'] },
      { op: 'Add', inputs: ['i', 'd'], outputs: ['a'] },
      { op: 'NonZero', inputs: ['a'], outputs: ['z'], name: 'find' },
      { op: 'Weave', inputs: ['a'], outputs: ['w'], domain: 'local' },
      { op: 'Neg', inputs: ['x'], outputs: ['unread'] },
    ],
    inputs: [value('x', 'float32', ['batch', null])],
    outputs: [value('z', 'int64'), value('w', 'float32')],
    initializers: [float32('k', [1], 1), float32('unused', [1], 1)],
    opset: [
      ['', 21],
      ['local', 1],
    ],
  });
  const { bytes, report } = ops.simplify(model);
  expect(report.before).toEqual({
    nodes: 6,
    operators: { Add: 2, Identity: 1, Neg: 1, NonZero: 1, 'local.Weave': 1 },
    bytes: model.length,
  });
  expect(report.after).toEqual({ nodes: 3, operators: { Add: 1, NonZero: 1, 'local.Weave': 1 }, bytes: bytes.length });
  expect(report.passes).toEqual(
    expect.arrayContaining([
      { name: 'fold_constants', kind: 'fold', count: 1 },
      { name: 'eliminate_identity', kind: 'no-op', count: 1 },
      { name: 'eliminate_dead_code', kind: 'dead', count: 1 },
      { name: 'eliminate_unused_initializer', kind: 'unused', count: 2 },
    ]),
  );
  expect(report.passes.every(({ count }) => count > 0)).toBe(true);
  const kept = ops.simplify(model, { skip: ['eliminate_identity', 'eliminate_dead_code'] }).report;
  expect(kept.after.operators).toMatchObject({ Identity: 1, Neg: 1 });
  expect(kept.passes.map(({ name }) => name)).not.toContain('eliminate_identity');
  expect(() => ops.simplify(model, { skip: ['eliminate_identiti'] })).toThrow("did you mean 'eliminate_identity'?");
  expect(() => ops.simplify(model, { skip: ['foo'] })).toThrow(/no pass 'foo'; report\.passes has names of passes$/);
  expect(() => ops.simplify(model, { skip: 'eliminate_identity' as never })).toThrow('wanted a list');
  expect(report.dynamic).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        from: 'input',
        value: 'x',
        axis: 0,
        name: 'batch',
        operator: null,
        node: null,
        fix: { dims: { batch: null } },
      }),
      expect.objectContaining({
        from: 'input',
        value: 'x',
        axis: 1,
        name: null,
        fix: { shapes: { x: ['batch', null] } },
      }),
      expect.objectContaining({ from: 'operator', value: 'z', operator: 'NonZero', node: 'find', axis: 1, fix: null }),
    ]),
  );
  expect(report.kept).toEqual([]);
  expect(report.files).toEqual([]);
  expect(report.inputs).toEqual([expect.objectContaining({ name: 'x', type: 'float32', dims: ['batch', null] })]);
  expect(report.outputs.map(({ name }) => name)).toEqual(['z', 'w']);
  expect(report).not.toHaveProperty('verified');
});

test('the fix of a report is an option as soon as its nulls are filled in', () => {
  const make = (...dims: (string | number | null)[]) =>
    proto.model({
      nodes: [{ op: 'Shape', inputs: ['x'], outputs: ['y'] }],
      inputs: [value('x', 'float32', dims)],
      outputs: [value('y', 'int64')],
    });
  const model = make('batch', 3, null);
  const fixes = ops.simplify(model).report.dynamic.map(({ fix }) => fix);
  expect(fixes).toEqual([{ dims: { batch: null } }, { shapes: { x: ['batch', 3, null] } }]);
  const filled = fixes.map((fix) => JSON.parse(JSON.stringify(fix).replaceAll('null', '2')) as SimplifyOptions);
  const { report } = ops.simplify(model, { ...filled[0], ...filled[1] });
  expect([report.dynamic, report.after.operators]).toEqual([[], { Constant: 1 }]);
  expect(() => ops.simplify(model, fixes[0] as never)).toThrow("dims: 'batch' is null");
});

test('the report has the number of nodes that a limit left unfolded', () => {
  const model = proto.model({
    nodes: [
      { op: 'Expand', inputs: ['k', 's'], outputs: ['e'] },
      { op: 'Add', inputs: ['x', 'e'], outputs: ['y'] },
    ],
    inputs: [value('x', 'float32', [1])],
    outputs: [value('y', 'float32')],
    initializers: [float32('k', [1], 1), int64('s', [1], 1000)],
  });
  expect(ops.simplify(model).report.warnings).toEqual([]);
  const { bytes, report } = ops.simplify(model, { maxGrowth: 100 });
  expect(report.warnings).toEqual([expect.stringContaining('maxGrowth')]);
  expect(bytes.length).toBeLessThanOrEqual(model.length + 100);
});

// ---- Verification ----

test('verify feeds inputs whose names are those of Object.prototype', () => {
  for (const name of ['constructor', 'toString', '__proto__']) {
    const graph = new GraphBuilder(18);
    graph.input(name, 'float32', [1]);
    graph.output(graph.op('Neg', [name]), 'float32', [1]);
    const feeds = Object.fromEntries([[name, { type: 'float32' as const, dims: [1], data: Float32Array.of(1) }]]);
    const { report } = ops.simplify(graph.model('names'), { verify: { feeds } });
    expect(report.verified).toEqual({ ran: true, equal: true, reason: null });
  }
});

test('verify runs both models and compares', async () => {
  const verify = { feeds: { x: f32([2, 1], 1, 2) } };
  for (const options of [{ verify }, { verify, dims: { batch: 2 } }] satisfies SimplifyOptions[]) {
    const { report } = await expectKept(() => ops.simplify(file, options));
    expect(report.verified).toEqual({ ran: true, equal: true, reason: null });
    const of = await expectKept(() => ops.simplify(blobOf(file), options));
    expect(of.report.verified).toEqual(report.verified);
  }
  const { report } = ops.simplify(apart, { external: () => weights, verify: { feeds: { x: f32([2], 1, 2) } } });
  expect(report.verified).toEqual({ ran: true, equal: true, reason: null });
});

test.each([
  [true, 'simplify: verify: options are true, wanted an object such as { feeds: ... }'],
  [{ x: f32([1, 1], 1) }, "simplify: verify: no option 'x'; known: feeds"],
  [{ feeds: [f32([1, 1], 1)] }, 'simplify: verify: feeds are Array, wanted an object by name'],
])('verify: %p is refused', (verify, says) => {
  expectRefusal(ops, () => ops.simplify(file, { verify: verify as never }), { code: 'INVALID_ARGUMENT', says: [says] });
});

const logOfSoftmax = (type: DataType, size: number) =>
  proto.model({
    nodes: [
      { op: 'Softmax', inputs: ['x'], outputs: ['s'] },
      { op: 'Log', inputs: ['s'], outputs: ['y'] },
    ],
    inputs: [value('x', type, [size])],
    outputs: [value('y', type)],
  });

test.each(['float16', 'bfloat16'] as const)('verify accepts the rounding differences of fusions in %s', (type) => {
  const x = ops.tensor(
    type,
    Array.from({ length: 400 }, (_, i) => 4 * Math.sin(i * i)),
  );
  const { report } = ops.simplify(logOfSoftmax(type, 400), { fuseInexact: true, verify: { feeds: { x } } });
  expect(report.after.operators).toEqual({ LogSoftmax: 1 });
  expect(report.verified).toEqual({ ran: true, equal: true, reason: null });
});

test('verify accepts rounding differences only from fusions', () => {
  const model = logOfSoftmax('float32', 4);
  const verified = (...numbers: number[]) => {
    const options = { fuseInexact: true, verify: { feeds: { x: f32([4], ...numbers) } } };
    return ops.simplify(model, options).report.verified;
  };
  expect(verified(0.1, 0.7, -2.3, 4.9)).toEqual({ ran: true, equal: true, reason: null });
  expect(verified(0, 0, 0, -200)).toEqual({
    ...{ ran: true, equal: false },
    reason: expect.stringMatching(/^output 'y' is -201.* at \[3\], wanted -Infinity \(1 of 4 elements differ\)$/),
  });
});

test('verify accepts feeds for values that became constants', () => {
  const { report } = ops.simplify(file, { values: { x: f32([1, 1], 3) }, verify: { feeds: {} } });
  expect(report.verified).toEqual({ ran: true, equal: true, reason: null });
});

test('verify compares what both models compute without nodes that do not run here', async () => {
  const model = proto.model({
    nodes: [
      { op: 'Add', inputs: ['x', 'x'], outputs: ['a'] },
      { op: 'Identity', inputs: ['a'], outputs: ['b'] },
      { op: 'Mul', inputs: ['b', 'k'], outputs: ['c'] },
      { op: 'Weave', inputs: ['c'], outputs: ['w'], domain: 'local' },
      { op: 'Neg', inputs: ['w'], outputs: ['y'] },
      { op: 'Neg', inputs: ['b'], outputs: ['z'] },
    ],
    inputs: [value('x', 'float32', [1])],
    outputs: [value('y', 'float32'), value('z', 'float32')],
    initializers: [proto.tensor('float32', [1], [5], 'k')],
    opset: [
      ['', 21],
      ['local', 1],
    ],
  });
  const verify = { feeds: { x: f32([1], 3) } };
  const { report } = await expectKept(() => ops.simplify(model, { verify }));
  expect(report.verified).toEqual({
    ran: false,
    equal: true,
    reason: expect.stringContaining('Weave'),
    compared: ['z', 'c'],
  });
});

test('verify finds what differs before a node that does not run here', () => {
  const model = proto.model({
    nodes: [
      { op: 'Softmax', inputs: ['x'], outputs: ['s'] },
      { op: 'Log', inputs: ['s'], outputs: ['l'] },
      { op: 'Weave', inputs: ['l'], outputs: ['y'], domain: 'local' },
    ],
    inputs: [value('x', 'float32', [4])],
    outputs: [value('y', 'float32')],
    opset: [
      ['', 21],
      ['local', 1],
    ],
  });
  const options = { fuseInexact: true, verify: { feeds: { x: f32([4], 0, 0, 0, -200) } } };
  expect(ops.simplify(model, options).report.verified).toEqual({
    ...{ ran: false, equal: false, compared: ['l'] },
    reason: expect.stringMatching(/^value 'l' is -201/),
  });
});

test('verify says why a model cannot run, and refuses feeds that do not fit', async () => {
  const model = proto.model({
    nodes: [{ op: 'Weave', inputs: ['x'], outputs: ['y'], domain: 'local' }],
    inputs: [value('x', 'float32', [1])],
    outputs: [value('y', 'float32')],
    opset: [
      ['', 21],
      ['local', 1],
    ],
  });
  const { report } = await expectKept(() => ops.simplify(model, { verify: { feeds: { x: f32([1], 1) } } }));
  expect(report.verified).toMatchObject({ ran: false, equal: null, reason: expect.stringContaining('Weave') });
  expectRefusal(ops, () => ops.simplify(file, { verify: { feeds: {} } }), { code: 'INVALID_ARGUMENT', says: ["'x'"] });
  expectRefusal(ops, () => ops.simplify(file, { verify: { feeds: { x: f32([3], 1, 2, 3) } } }), {
    code: 'INVALID_ARGUMENT',
    says: ["'x'"],
  });
});

test('the guide lists every pass', () => {
  const guide = readFileSync('docs/guides/simplify.md', 'utf8');
  expect(passNames.length).toBeGreaterThan(40);
  expect(passNames.filter((name) => !guide.includes(`- \`${name}\``))).toEqual([]);
});
