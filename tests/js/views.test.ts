// Reading and writing tensors: data, toArray, unpack, strings, tensors of other runtimes.
import { expect, test } from '@jest/globals';
import { type DataType, dataTypes, load, type Tensor } from 'broadloom';
import { counters, expectRefusal, expectWords, sampleTensor, sampleWords } from './helpers/runtime.js';
import { types } from './helpers/types.js';

const ops = await load({});
const scoped = (title: string, work: () => void): void => test(title, () => ops.scope(work));

test.each(types)('toArray of $name is a copy that lives on', ({ name, array }) => {
  const tensor = sampleTensor(ops, name);
  const copy = tensor.toArray() as unknown[] & { buffer?: ArrayBuffer; byteLength?: number };
  expect(Object.prototype.toString.call(copy)).toBe(Object.prototype.toString.call(tensor.data));
  if (array !== undefined) expect(copy.buffer?.byteLength).toBe(copy.byteLength);
  const first = copy[0];
  (tensor.data as unknown[])[0] = tensor.data[1];
  expect(copy[0]).toBe(first);
  copy[1] = copy[0];
  expectWords(tensor, { ...sampleWords(name), words: sampleTensorChanged(name) });
  tensor.dispose();
  expect(copy[0]).toBe(first);
});

/** The words of the sample after data[0] = data[1]. Entries are elements, halves of complex ones, or bytes of packed ones. */
function sampleTensorChanged(name: DataType): string[] {
  const { words } = sampleWords(name);
  const bits = types.find((row) => row.name === name)?.bits ?? 0;
  if (name.startsWith('complex')) return [words[0].slice(words[0].length / 2).repeat(2), ...words.slice(1)];
  if (bits === 4) return [words[2], words[3], ...words.slice(2)];
  if (bits === 2) return [words[4], words[5], '0', '0', ...words.slice(4)];
  return [words[1], ...words.slice(1)];
}

scoped('data is the same view until the heap grows, so that reading it is cheap', () => {
  const tensor = ops.tensor('float32', [1, 2, 3], [3]);
  expect(tensor.data).toBe(tensor.data);
  const strings = ops.tensor('string', ['a'], [1]);
  expect(strings.data).toBe(strings.data);
});

scoped('writes to data take effect in calls, files and copies', () => {
  const x = ops.empty('int32', [2]);
  x.data.set([5, 6]);
  x.data[1] = 7;
  expect([...ops.expand(x, [2, 2]).data]).toEqual([5, 7, 5, 7]);
  expect([...(ops.readTensor(ops.writeTensor(x)).data as Int32Array)]).toEqual([5, 7]);
  expect([...x.toArray(), ...x.unpack()]).toEqual([5, 7, 5, 7]);
});

scoped('a write to an expanded tensor changes one element of it, and not its source', () => {
  const x = ops.tensor('int8', [1], [1]);
  const y = ops.expand(x, [4]);
  y.data[2] = 9;
  x.data[0] = 5;
  expect([...y.data, ...x.data]).toEqual([1, 1, 9, 1, 5]);
});

scoped('a shape tensor may be changed between two calls', () => {
  const shape = ops.tensor('int64', [2], [1]);
  const first = ops.constantOfShape(shape);
  shape.data[0] = 3n;
  expect([first.dims, ops.constantOfShape(shape).dims]).toEqual([[2], [3]]);
});

const unpacked: [type: DataType, values: number[]][] = [
  ['float32', [1.5, -0, Infinity, 3.4028234663852886e38, 1.401298464324817e-45, -2]],
  ['float64', [0.1, -0, -Infinity, Number.MAX_VALUE, Number.MIN_VALUE, -2]],
  ['int8', [0, 1, -1, 127, -128, 64]],
  ['uint8', [0, 1, 127, 128, 254, 255]],
  ['int16', [0, 1, -1, 32767, -32768, 258]],
  ['uint16', [0, 1, 255, 256, 32768, 65535]],
  ['int32', [0, 1, -1, 2147483647, -2147483648, 65537]],
  ['uint32', [0, 1, 255, 65536, 2147483648, 4294967295]],
  ['bool', [0, 1, 1, 0, 1, 0]],
  ['float16', [1, -0, Infinity, Number.NaN, 2 ** -24, -65504]],
  ['bfloat16', [1, -0, Infinity, Number.NaN, 2 ** -133, -3.3895313892515355e38]],
  ['float8e4m3fn', [1, -0, 448, Number.NaN, 2 ** -9, Number.NaN]],
  ['float8e4m3fnuz', [1, Number.NaN, 240, 0, 2 ** -10, -240]],
  ['float8e5m2', [1, -0, Infinity, Number.NaN, 2 ** -16, -57344]],
  ['float8e5m2fnuz', [1, Number.NaN, 57344, 0, 2 ** -17, -57344]],
  ['float8e8m0', [1, 2 ** -127, 2 ** 127, Number.NaN, 2 ** -126, 2]],
  ['uint4', [0, 1, 15, 8, 14, 7]],
  ['int4', [0, 1, -1, -8, -2, 7]],
  ['float4e2m1', [0.5, 1, -0, -6, -4, 6]],
  ['uint2', [0, 1, 2, 3, 2, 1]],
  ['int2', [0, 1, -2, -1, -2, 1]],
];

test.each(unpacked)('unpack of %s gives the values %p', (type, values) => {
  ops.scope(() => {
    const tensor = sampleTensor(ops, type);
    expect(tensor.unpack()).toEqual(values);
    expect(ops.run('Identity', [tensor])[0].unpack()).toEqual(values);
    expectWords(tensor, sampleWords(type));
  });
});

test.each(['int64', 'uint64', 'string', 'complex64', 'complex128'] as const)(
  'unpack of %s is refused: its elements are not numbers',
  (type) => {
    const tensor = sampleTensor(ops, type);
    expectRefusal(ops, () => tensor.unpack(), { code: 'UNSUPPORTED_TYPE', says: ['unpack', type] });
    tensor.dispose();
  },
);

test.each(unpacked.filter(([, values]) => !values.some(Number.isNaN)))(
  'a list of %s values that unpack gave makes the same tensor',
  (type, values) => {
    ops.scope(() => expectWords(ops.tensor(type, values as never, [2, 3]), sampleWords(type)));
  },
);

scoped('unpack of a lazy packed tensor gives every element', () => {
  const ones = ops.constantOfShape([3, 3], { value: { type: 'int4', dims: [1], data: [-3] } });
  expect(ones.unpack()).toEqual(Array(9).fill(-3));
  expect([...ones.data]).toEqual([0xdd, 0xdd, 0xdd, 0xdd, 0x0d]);
});

// Strides.
scoped('strides of a tensor made from elements are those of row-major order', () => {
  expect(ops.tensor('int8', new Int8Array(24), [2, 3, 4]).strides).toEqual([12, 4, 1]);
  expect(ops.tensor('string', ['a', 'b', 'c', 'd'], [2, 2]).strides).toEqual([2, 1]);
  expect(ops.tensor('int4', [3], []).strides).toEqual([]);
  expect(ops.empty('float32', [2, 0, 3]).strides).toHaveLength(3);
});

scoped('strides are 0 on the axes that Expand stretched, and those of row-major order once data is read', () => {
  const x = ops.tensor('float32', [1, 2, 3], [3, 1]);
  const y = ops.expand(x, [2, 3, 4]);
  expect(y.strides).toEqual([0, 1, 0]);
  expect(ops.run('Identity', [y])[0].strides).toEqual([0, 1, 0]);
  expect(y.toArray()).toHaveLength(24);
  expect(y.strides).toEqual([12, 4, 1]);
  expect(x.strides).toEqual([1, 1]);
});

scoped('strides of a result of ConstantOfShape are all 0, for any number of axes', () => {
  expect(ops.constantOfShape([2 ** 20, 2 ** 20]).strides).toEqual([0, 0]);
  const many = Array<number>(255).fill(1);
  expect(ops.constantOfShape(many).strides).toEqual(Array(255).fill(0));
});

test('strides of a tensor that was disposed of are refused', () => {
  const tensor = ops.empty('int8', [2]);
  tensor.dispose();
  expectRefusal(ops, () => tensor.strides, { code: 'DISPOSED', says: ['int8'] });
});

test('dataTypes has the rows of all element types, in the order of TensorProto.DataType', () => {
  expect(dataTypes.map(({ name, id }) => ({ name, id }))).toEqual(types.map(({ name, id }) => ({ name, id })));
  for (const { name, bits, array } of dataTypes) {
    const wanted = types.find((row) => row.name === name);
    expect([array, name === 'string' ? 0 : bits]).toEqual([wanted?.array?.name ?? 'Array', wanted?.bits]);
  }
});

// Other classes of arrays, and other runtimes.
class Float16Array extends Uint16Array {
  override get [Symbol.toStringTag](): 'Uint16Array' {
    return 'Float16Array' as 'Uint16Array';
  }
}

scoped('a Float16Array is accepted for float16, the engine\u2019s own or a class of that name', () => {
  const bits = Float16Array.of(0x3c00, 0xc000);
  expect([...ops.tensor('float16', bits as never, [2]).data]).toEqual([0x3c00, 0xc000]);
  const Native = (globalThis as { Float16Array?: { of(...values: number[]): unknown } }).Float16Array;
  if (Native !== undefined)
    expect([...ops.tensor('float16', Native.of(1, -2) as never, [2]).data]).toEqual([0x3c00, 0xc000]);
  expect(ops.shape({ type: 'float16', dims: [2], data: bits as never }).data).toEqual(BigInt64Array.of(2n));
});

test('a Float16Array is refused for every other type', () => {
  expectRefusal(ops, () => ops.tensor('uint16', Float16Array.of(1) as never, [1]), {
    code: 'INVALID_ARGUMENT',
    says: ['uint16 elements are in a Float16Array'],
  });
  expectRefusal(ops, () => ops.tensor('bfloat16', Float16Array.of(1) as never, [1]), {
    code: 'INVALID_ARGUMENT',
    says: ['bfloat16 elements are in a Float16Array'],
  });
});

scoped('a Uint8ClampedArray is taken for uint8, a Buffer too, and views into larger buffers', () => {
  expect([...ops.tensor('uint8', Uint8ClampedArray.of(1, 255), [2]).data]).toEqual([1, 255]);
  expect([...ops.tensor('uint8', Buffer.from([1, 255]), [2]).data]).toEqual([1, 255]);
  const part = Float32Array.of(1, 2, 3, 4).subarray(1, 3);
  expect([...ops.tensor('float32', part, [2]).data]).toEqual([2, 3]);
});

scoped('a view of another tensor is copied in', () => {
  const x = ops.tensor('float32', [1, 2, 3], [3]);
  const y = ops.tensor('float32', x.data.subarray(1), [2]);
  x.data[1] = 9;
  expect([...y.data]).toEqual([2, 3]);
});

test('a view of another tensor is copied completely, even if the copy makes the heap grow', async () => {
  const runtime = await load({});
  const large = runtime.tensor('uint8', new Uint8Array(2 ** 20).fill(7), [2 ** 20]);
  for (let i = 0; i < 4; i++) {
    const copy = runtime.tensor('uint8', large.data, [large.size]);
    expect(copy.data.every((value) => value === 7)).toBe(true);
  }
  expect(runtime.memory().liveTensors).toBe(5);
});

test('a file may lie in a tensor, even when reading it makes the heap grow', async () => {
  const runtime = await load({});
  const source = runtime.tensor('uint8', new Uint8Array(2 ** 20).fill(7), [2 ** 20]);
  const bytes = runtime.writeTensor(source);
  const file = runtime.tensor('uint8', bytes, [bytes.length]);
  for (let i = 0; i < 4; i++)
    expect((runtime.readTensor(file.data).data as Uint8Array).every((value) => value === 7)).toBe(true);
});

test('a tensor of another runtime is accepted like any other object: its elements are copied', async () => {
  const other = await load({});
  const x = other.tensor('string', ['a', 'b'], [2, 1]);
  const lazy = other.expand(other.tensor('int16', [7], [1]), [3]);
  ops.scope(() => {
    const y = ops.expand(x, [2, 2]);
    expect(y.data).toEqual(['a', 'a', 'b', 'b']);
    expect([...ops.expand(lazy, [1, 3]).data]).toEqual([7, 7, 7]);
    x.dispose();
    expect(y.data).toEqual(['a', 'a', 'b', 'b']);
    expectRefusal(ops, () => ops.shape(x as Tensor), { code: 'DISPOSED', says: ['string tensor of dims [2, 1]'] });
  });
});

test('tensors of other runtimes are copied for the call only', () => {
  const before = counters(ops);
  const foreign = { type: 'float32' as const, dims: [256], data: new Float32Array(256) };
  const result = ops.shape(foreign);
  expect(counters(ops)).toEqual({ liveTensors: before.liveTensors + 1, bytesInUse: before.bytesInUse + 8 });
  result.dispose();
  foreign.data[0] = 1;
  ops.scope(() => {
    const y = ops.run('Identity', [foreign])[0];
    foreign.data[0] = 2;
    expect(y.data[0]).toBe(1);
  });
});

test('a tensor can be used as a TensorLike: it has type, dims and data', () => {
  ops.scope(() => {
    const { type, dims, data } = ops.tensor('int8', [1, 2], [2]);
    expect({ type, dims, data: [...data] }).toEqual({ type: 'int8', dims: [2], data: [1, 2] });
    expect(Array.isArray(dims)).toBe(true);
  });
});

test('no tensor of the tests above is alive', () => {
  expect(counters(ops)).toEqual({ liveTensors: 0, bytesInUse: 0 });
});

test('a shape that lies in the heap keeps its values when another input of the call makes the heap grow', async () => {
  const ops = await load({});
  const shape = ops.tensor('int64', [2n, 1n], [2]);
  const { heapBytes } = ops.memory();
  const large = { type: 'uint8', dims: [1, 2 ** 22], data: new Uint8Array(2 ** 22) } as const;
  expect(ops.expand(large, shape.data).dims).toEqual([2, 2 ** 22]);
  expect(ops.memory().heapBytes).toBeGreaterThan(heapBytes);
});

test('consecutive tensors at the same address have views of their own type and length', async () => {
  const ops = await load({});
  const take = (type: 'float32' | 'int32' | 'uint8', values: number[]) => {
    const tensor = ops.tensor(type, values, [values.length]);
    const { data } = tensor;
    const seen = { name: data.constructor.name, values: Array.from(data), byteOffset: data.byteOffset };
    tensor.dispose();
    return seen;
  };
  const first = take('float32', [1, 2, 3]);
  for (let round = 0; round < 2; round++) {
    expect(take('float32', [4, 5, 6])).toEqual({ ...first, values: [4, 5, 6] });
    expect(take('float32', [7, 8])).toEqual({ ...first, values: [7, 8] });
    expect(take('int32', [9, 10, 11])).toEqual({ ...first, name: 'Int32Array', values: [9, 10, 11] });
    expect(take('uint8', [12])).toEqual({ ...first, name: 'Uint8Array', values: [12] });
  }
});

test('after the heap grew, a tensor at the address of an old view gets a new view', async () => {
  const ops = await load({});
  const before = ops.tensor('float32', [1, 2, 3], [3]);
  const old = before.data;
  before.dispose();
  ops.empty('uint8', [2 ** 24]).data[0] = 1;
  expect(old.length).toBe(0);
  const after = ops.tensor('float32', [4, 5, 6], [3]);
  expect(Array.from(after.data)).toEqual([4, 5, 6]);
});

scoped('a tensor has the location of its data, which onnxruntime reads from feeds', () => {
  expect(ops.tensor('int8', [1], [1]).location).toBe('cpu');
  expect(ops.expand(ops.tensor('int8', [1], [1]), [2]).location).toBe('cpu');
});
