// Files with large raw_data: it is copied once, from the file to its tensor's storage.
import { expect, test } from '@jest/globals';
import { load, type Runtime } from 'broadloom';
import * as proto from '../../shared/onnx.js';
import { counters, expectRefusal } from './helpers/runtime.js';
import { bytesOf } from './helpers/types.js';

const MB = 1e6;

/** The result of `work`, and the growth of the heap in bytes. */
function measured<T>(ops: Runtime, work: () => T): [made: T, growth: number] {
  const before = ops.memory().heapBytes;
  const made = work();
  return [made, ops.memory().heapBytes - before];
}

/** Numbers that differ from index to index. */
const numbers = (count: number): Float32Array => Float32Array.from({ length: count }, (_, i) => i % 9973);

const sameBytes = (a: ArrayBufferView, b: ArrayBufferView): boolean => Buffer.compare(bytesOf(a), bytesOf(b)) === 0;

const output = (name: string) => proto.value(name, 'float32');

test('a model of 88 MB opens with less than 100 MB more heap, and runs', async () => {
  const elements = numbers(5.5 * MB);
  const names = ['a', 'b', 'c', 'd'];
  const file = proto.model({
    nodes: names.map((name, i) => ({
      op: i === 0 ? 'Expand' : 'Identity',
      inputs: i === 0 ? [name, 'to'] : [name],
      outputs: [`${name}_out`],
    })),
    inputs: [proto.value('to', 'int64', [2])],
    outputs: names.map((name) => output(`${name}_out`)),
    initializers: names.map((name, i) =>
      proto.tensor('float32', [elements.length / 2, 2], elements.fill(i, 7, 8), name),
    ),
  });
  expect(file.length).toBeGreaterThan(88 * MB);
  const ops = await load({});
  const [model, growth] = measured(ops, () => ops.loadModel(file));
  expect(growth).toBeLessThan(90 * MB);
  expect(ops.memory().bytesInUse).toBe(88 * MB);
  const to = ops.tensor('int64', [elements.length / 2, 2], [2]);
  const outputs = model.run({ to });
  names.forEach((name, i) => {
    using y = outputs[`${name}_out`];
    expect([y.data[0], y.data[7], y.data[9974], y.data[elements.length - 1]]).toEqual([0, i, 1, elements.at(-1)]);
  });
  to.dispose();
  model.dispose();
  expect(counters(ops)).toEqual({ liveTensors: 0, bytesInUse: 0 });
  // All of the memory is free again.
  expect(measured(ops, () => ops.loadModel(file).dispose())[1]).toBe(0);
});

test('a tensor file of 40 MB takes 40 MB of the heap', async () => {
  const ops = await load({});
  const elements = numbers(10 * MB);
  const file = proto.tensor('float32', [elements.length], elements);
  const [read, growth] = measured(ops, () => ops.readTensor(file));
  expect(growth).toBeLessThan(42 * MB);
  expect(sameBytes(read.toArray() as Float32Array, elements)).toBe(true);
});

const count = MB;
const weights = numbers(count);
const tensor = (name?: string) => proto.tensor('float32', [count], weights, name);
const constant = proto.attribute.tensor('value', tensor());
const withTensor = (message: Uint8Array) =>
  proto.model({
    nodes: [{ op: 'Constant', outputs: ['y'], attributes: [proto.attribute.raw('value', 4, message)] }],
    outputs: [output('y')],
  });

const branch = (name: string) =>
  proto.graph({
    nodes: [{ op: 'Identity', inputs: ['w'], outputs: [name] }],
    initializers: [tensor('w')],
    outputs: [output(name)],
  });

test.each<[string, Uint8Array, tensors: number]>([
  ['an initializer', proto.model({ initializers: [tensor('y')], outputs: [output('y')] }), 1],
  ['an attribute', withTensor(proto.bytes(5, tensor())), 1],
  [
    'a tensor in two parts',
    withTensor(
      proto.concat(
        proto.bytes(5, proto.tensorHead('float32', [count])),
        proto.bytes(5, proto.bytes(9, new Uint8Array(weights.buffer))),
      ),
    ),
    1,
  ],
  [
    'a tensor with raw_data twice (the last one counts)',
    withTensor(
      proto.bytes(
        5,
        proto.concat(
          proto.tensor('float32', [count], new Float32Array(count)),
          proto.bytes(9, new Uint8Array(weights.buffer)),
        ),
      ),
    ),
    2,
  ],
  [
    'an initializer of a graph in a node',
    proto.model({
      nodes: [
        {
          op: 'If',
          inputs: ['true'],
          outputs: ['y'],
          attributes: [
            proto.attribute.graph('then_branch', branch('t')),
            proto.attribute.graph('else_branch', branch('e')),
          ],
        },
      ],
      initializers: [proto.tensor('bool', [1], [1], 'true')],
      outputs: [output('y')],
    }),
    2,
  ],
  [
    'a function that is called twice',
    proto.concat(
      proto.model({
        opset: [
          ['', 25],
          ['local', 1],
        ],
        nodes: [
          { op: 'F', outputs: ['x'], domain: 'local' },
          { op: 'F', outputs: ['y'], domain: 'local' },
        ],
        outputs: [output('y')],
      }),
      proto.bytes(
        25,
        proto.concat(
          proto.bytes(1, 'F'),
          proto.bytes(5, 'w'),
          proto.bytes(7, proto.node({ op: 'Constant', outputs: ['w'], attributes: [constant] })),
          proto.opsetImport('', 25).with(0, 9 * 8 + 2),
          proto.bytes(10, 'local'),
        ),
      ),
    ),
    1,
  ],
])('the heap has %s once', async (_, file, tensors) => {
  const ops = await load({});
  const [model, growth] = measured(ops, () => ops.loadModel(file));
  expect(growth).toBeLessThan((tensors + 0.5) * 4 * MB);
  ops.scope(() => expect(sameBytes(model.run().y.toArray() as Float32Array, weights)).toBe(true));
  model.dispose();
  expect(counters(ops)).toEqual({ liveTensors: 0, bytesInUse: 0 });
});

test('a sparse initializer with a million values is read as it is', async () => {
  const ops = await load({});
  const indices = BigInt64Array.from({ length: count }, (_, i) => BigInt(2 * i));
  const sparse = proto.sparseTensor(tensor('y'), proto.tensor('int64', [count], indices), [2 * count]);
  const file = proto.model({ sparseInitializers: [sparse], outputs: [output('y')] });
  const [model, growth] = measured(ops, () => ops.loadModel(file));
  expect(growth).toBeLessThan(14 * MB);
  expect(ops.memory().bytesInUse).toBe(12 * MB);
  using y = model.run().y;
  expect([y.data[2], y.data[3], y.data[2 * 9975], y.data[2 * count - 2]]).toEqual([1, 0, 2, weights[count - 1]]);
  model.dispose();
});

test('a file that lies in the heap is read, even if the heap grows meanwhile', async () => {
  const ops = await load({});
  const inHeap = (bytes: Uint8Array) => ops.tensor('uint8', bytes, [bytes.length]).data;
  using read = ops.readTensor(inHeap(tensor()));
  expect(sameBytes(read.data as Float32Array, weights)).toBe(true);
  using model = ops.loadModel(inHeap(withTensor(proto.bytes(5, tensor()))));
  expect(sameBytes(model.run().y.data as Float32Array, weights)).toBe(true);
});

// ---- Large files have the same errors as small ones ----

const ops = await load({ maximumMemory: 2 ** 25 });
const head = (dims: number[], type: 'float32' | 'bool' = 'float32') => proto.tensorHead(type, dims, 'w');
const raw = (bytes: Uint8Array) => proto.bytes(9, bytes);
const initializer = (message: Uint8Array) =>
  proto.model({
    initializers: [message],
    nodes: [{ op: 'Identity', inputs: ['w'], outputs: ['y'] }],
    outputs: [output('y')],
  });
const bools = (length: number) => new Uint8Array(length).fill(2, length - 1);

test.each<[string, (size: number) => Uint8Array, (size: number) => string]>([
  [
    'raw_data that claims more than the file has',
    (size) =>
      initializer(
        proto.concat(head([size / 4]), proto.varint(9 * 8 + 2), proto.varint(size + 1), new Uint8Array(size)),
      ),
    (size) => `field 9 has ${size + 1} bytes, but only ${size} are left`,
  ],
  [
    'raw_data that claims 2^63 bytes',
    (size) =>
      initializer(
        proto.concat(head([size / 4]), proto.varint(9 * 8 + 2), proto.varint(2n ** 63n), new Uint8Array(size)),
      ),
    (size) => `field 9 has 9223372036854776000 bytes, but only ${size} are left`,
  ],
  [
    'raw_data of another length than the dims',
    (size) => initializer(proto.concat(head([1, size / 4 + 1]), raw(new Uint8Array(size)))),
    (size) => `raw_data has ${size} bytes, but float32 of dims [1, ${size / 4 + 1}] has ${size + 4}`,
  ],
  [
    'a bool that is 2',
    (size) => initializer(proto.concat(head([size], 'bool'), raw(bools(size)))),
    () => 'which bool cannot hold',
  ],
  [
    'raw_data beside other data',
    (size) => initializer(proto.concat(head([size / 4]), raw(new Uint8Array(size)), proto.floats(4, [1]))),
    () => 'both float_data and raw_data hold data',
  ],
  [
    'a file that is cut off',
    (size) => initializer(proto.concat(head([size / 4]), raw(new Uint8Array(size)))).slice(0, -9),
    () => 'are left',
  ],
  [
    'an unknown operator behind it',
    (size) =>
      proto.model({
        initializers: [proto.concat(head([size / 4]), raw(new Uint8Array(size)))],
        nodes: [{ op: 'Shrimp', outputs: ['y'] }],
        outputs: [output('y')],
      }),
    () => "no operator 'Shrimp'",
  ],
])('a large file has the same error as a small one: %s', (_, file, says) => {
  const messages = [400, 4 * MB].map((size) => {
    const error = expectRefusal(ops, () => ops.loadModel(file(size)), {
      code: says(size).includes('operator') ? 'UNKNOWN_OPERATOR' : 'INVALID_MODEL',
      says: [says(size)],
    });
    return error.message.replace(/\d+/g, 'N');
  });
  expect(messages[1]).toBe(messages[0]);
});
