// Compares tensors of broadloom/onnxruntime with tensors of onnxruntime-common: both take and refuse the same arguments, with the
// same errors.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as ort from 'broadloom/onnxruntime';
import { common, oldCommon } from './peers.mjs';

/** The tensor that a program makes with a class, described, or the name of the error. */
function outcome(program, Tensor) {
  try {
    return describe(program(Tensor));
  } catch (error) {
    return error.constructor.name;
  }
}

function describe(tensor) {
  if (typeof tensor !== 'object') return tensor;
  const { type, dims, size, data, location } = tensor;
  return { type, dims, size, location, array: data.constructor.name, data: [...data].map(String) };
}

const taken = {
  'float32 with dims': (Tensor) => new Tensor('float32', Float32Array.of(1, 2, 3, 4), [2, 2]),
  'a list of numbers': (Tensor) => new Tensor('float32', [1, 2.5], [2]),
  'a list without dims': (Tensor) => new Tensor('int32', [1, 2, 3]),
  'a list of numbers for int64': (Tensor) => new Tensor('int64', [1, -2], [2]),
  'a list of bigints': (Tensor) => new Tensor('uint64', [1n, 2n]),
  'booleans with their type': (Tensor) => new Tensor('bool', [true, false]),
  'booleans alone': (Tensor) => new Tensor([true, false], [1, 2]),
  'bytes as bool': (Tensor) => new Tensor('bool', Uint8Array.of(1, 0)),
  strings: (Tensor) => new Tensor('string', ['a', 'b'], [2, 1]),
  'strings alone': (Tensor) => new Tensor(['a', 'b']),
  'a scalar': (Tensor) => new Tensor('float64', Float64Array.of(7), []),
  'no elements': (Tensor) => new Tensor('float32', new Float32Array(0), [0, 3]),
  'clamped bytes': (Tensor) => new Tensor(Uint8ClampedArray.of(1, 2)),
  'clamped bytes as uint8': (Tensor) => new Tensor('uint8', Uint8ClampedArray.of(1, 2), [2]),
  'bits of float16': (Tensor) => new Tensor('float16', Uint16Array.of(0x3c00), [1]).type,
  'uint4 in bytes': (Tensor) => new Tensor('uint4', Uint8Array.of(0x21, 0x03), [3]),
  'a pinned array': (Tensor) => Tensor.fromPinnedBuffer('float32', Float32Array.of(1, 2)),
  'other dims': (Tensor) => new Tensor(Float32Array.of(1, 2, 3, 4)).reshape([2, 2]),
  'a data array that is written to': (Tensor) => {
    const data = Float32Array.of(1);
    const tensor = new Tensor(data);
    data[0] = 5;
    return tensor;
  },
};
for (const Class of [
  Int8Array,
  Uint8Array,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
])
  taken[`a ${Class.name} alone`] = (Tensor) => new Tensor(new Class(2));

for (const [what, program] of Object.entries(taken))
  test(`${what} becomes the same tensor as with onnxruntime-common`, () => {
    const expected = outcome(program, common.Tensor);
    assert.notEqual(typeof expected === 'string' && /Error$/.test(expected), true, expected);
    assert.deepEqual(outcome(program, ort.Tensor), expected);
    if (!/uint4|clamped/.test(what)) assert.deepEqual(outcome(program, oldCommon.Tensor), expected);
  });

const refused = {
  'another type than that of the data': (Tensor) => new Tensor('float32', new Int8Array(1)),
  'an unknown type': (Tensor) => new Tensor('foat32', [1]),
  'another number of elements': (Tensor) => new Tensor('float32', [1, 2], [3]),
  'a negative size': (Tensor) => new Tensor('float32', [1], [-1]),
  'a fraction as a size': (Tensor) => new Tensor('float32', [1, 2], [1.5]),
  'a hole in the sizes': (Tensor) => new Tensor('float32', [1, 2], Array(1).concat(2)),
  'a number as dims': (Tensor) => new Tensor('float32', [1, 2], 2),
  'an empty list alone': (Tensor) => new Tensor([]),
  'numbers alone': (Tensor) => new Tensor([1, 2]),
  'a number': (Tensor) => new Tensor('float32', 1),
  'no list for strings': (Tensor) => new Tensor('string', 'abc'),
  'a list of numbers for uint4': (Tensor) => new Tensor('uint4', [1, 2]),
  'a reshape to another size': (Tensor) => new Tensor('float32', [1, 2]).reshape([3]),
  'the data of a disposed tensor': (Tensor) => {
    const tensor = new Tensor('float32', [1]);
    tensor.dispose();
    return tensor.data;
  },
  'a texture that is none': (Tensor) => new Tensor('float32', [1]).texture,
};
for (const [what, program] of Object.entries(refused))
  test(`${what}: refused by the same kind of error as with onnxruntime-common`, () => {
    const expected = outcome(program, common.Tensor);
    assert.match(expected, /Error$/);
    assert.equal(outcome(program, ort.Tensor), expected);
  });

test('the types that onnxruntime-common lacks are tensors, too', () => {
  assert.deepEqual(describe(new ort.Tensor('bfloat16', Uint16Array.of(0x3f80), [1])).data, ['16256']);
  assert.equal(new ort.Tensor('complex64', new Float32Array(4)).size, 2);
  assert.deepEqual(new ort.Tensor('int2', new Uint8Array(2)).dims, [8]);
  assert.throws(() => new common.Tensor('bfloat16', Uint16Array.of(0x3f80), [1]), TypeError);
  assert.throws(() => new ort.Tensor('bfloat16', [1]), { name: 'TypeError', message: /Uint16Array of bits/ });
});

test('int4 and uint4 are two elements a byte, where onnxruntime-common takes one, too', () => {
  for (const type of ['int4', 'uint4']) {
    assert.equal(new common.Tensor(type, new Uint8Array(2), [2]).size, 2);
    assert.throws(() => new ort.Tensor(type, new Uint8Array(2), [2]), Error);
    assert.equal(new common.Tensor(type, new Uint8Array(2)).size, 2);
    assert.equal(new ort.Tensor(type, new Uint8Array(2)).size, 4);
  }
});

test('float16 is an array of bits, or of values where the engine has such an array', () => {
  const { data } = new ort.Tensor('float16', Uint16Array.of(0x3c00), [1]);
  const { data: expected } = new common.Tensor('float16', Uint16Array.of(0x3c00), [1]);
  assert.deepEqual([data.constructor, data[0]], [expected.constructor, expected[0]]);
});

test('an array that float16 does not take is refused with the name of the one that it does', () => {
  const array = globalThis.Float16Array === undefined ? 'Uint16Array' : 'Float16Array';
  for (const { Tensor } of [ort, common])
    assert.throws(() => new Tensor('float16', new Float32Array(1)), { name: 'TypeError', message: new RegExp(array) });
});

test('elements of the GPU are downloaded once, and let go where that is wanted', async () => {
  const log = [];
  const make = (Tensor) =>
    Tensor.fromGpuBuffer(
      { size: 8, mapState: 'unmapped' },
      {
        dims: [2],
        download: async () => {
          log.push('download');
          return Float32Array.of(1, 2);
        },
        dispose: () => log.push('dispose'),
      },
    );
  for (const Tensor of [common.Tensor, ort.Tensor]) {
    log.length = 0;
    const tensor = make(Tensor);
    assert.equal(tensor.location, 'gpu-buffer');
    assert.equal(tensor.gpuBuffer.size, 8);
    assert.throws(() => tensor.data, Error);
    assert.throws(() => tensor.reshape([2, 1]), Error);
    assert.deepEqual([...(await tensor.getData(true))], [1, 2]);
    assert.deepEqual([...(await tensor.getData())], [1, 2]);
    assert.equal(tensor.location, 'cpu');
    assert.deepEqual(log, ['download', 'dispose']);
    const other = make(Tensor);
    const wait = other.getData();
    assert.throws(() => other.dispose(), Error);
    await assert.rejects(other.getData(), Error);
    await wait;
    other.dispose();
    assert.equal(other.location, 'none');
  }
});

test('a pinned list is refused, and the error says what is wanted', () => {
  for (const [type, data] of [
    ['float32', [1, 2]],
    ['string', ['a']],
  ]) {
    assert.throws(() => common.Tensor.fromPinnedBuffer(type, data), TypeError);
    assert.throws(() => ort.Tensor.fromPinnedBuffer(type, data), {
      name: 'TypeError',
      message: `A pinned buffer of ${type} is Array, wanted a typed array.`,
    });
  }
});

test('a tensor that was sent to a worker has its elements', () => {
  for (const Tensor of [common.Tensor, ort.Tensor]) {
    const { type, dims, cpuData } = structuredClone(new Tensor('float32', [1, 2], [2]));
    assert.deepEqual([type, dims, [...cpuData]], ['float32', [2], [1, 2]]);
  }
});
