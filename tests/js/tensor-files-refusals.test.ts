// TensorProto files that are refused (semantics.md, section 2).
import { test } from '@jest/globals';
import { type DataType, load } from 'broadloom';
import * as proto from '../../shared/onnx.js';
import { expectRefusal } from './helpers/runtime.js';
import { typedTensor } from './helpers/typed-tensor.js';
import { type Data, sampleDims, types } from './helpers/types.js';

const ops = await load({});
const { tensorHead } = proto;
const field = proto.numbers.tensor;

const withField = (type: DataType | number, dims: (number | bigint)[], ...fields: Uint8Array[]): Uint8Array =>
  proto.concat(tensorHead(type, dims), ...fields);
const raw = (...bytes: number[]): Uint8Array => proto.bytes(field.raw_data, Uint8Array.from(bytes));

const refused: [what: string, file: Uint8Array, ...says: string[]][] = [
  ['no data_type', proto.integers(1, [0]), 'data_type is 0, which is not an element type'],
  ['data_type UNDEFINED', withField(0, [1], raw(1)), 'data_type is 0'],
  ['an unknown data_type', withField(27, [1], raw(1)), 'data_type is 27'],
  ['a negative data_type', proto.concat(proto.integer(field.data_type, -1)), 'data_type is -1'],
  ['a negative size', withField('uint8', [-1], raw(1)), 'dims [-1]: axis 0 is -1'],
  ['two negative sizes whose product fits', withField('uint8', [-1, -1], raw(1)), 'dims [-1, -1]: axis 0 is -1'],
  [
    'sizes whose product overflows',
    withField('uint8', [2n ** 62n, 4], raw(1)),
    'too many elements',
    '4611686018427387904',
  ],
  [
    'too little raw_data',
    withField('int32', [2], raw(1, 2, 3, 4)),
    'raw_data has 4 bytes, but int32 of dims [2] has 8',
  ],
  [
    'too much raw_data',
    withField('int32', [1], raw(1, 2, 3, 4, 5)),
    'raw_data has 5 bytes, but int32 of dims [1] has 4',
  ],
  [
    'too little raw_data for 4 bits',
    withField('int4', [3], raw(1)),
    'raw_data has 1 bytes, but int4 of dims [3] has 2',
  ],
  [
    'too much raw_data for 2 bits',
    withField('uint2', [4], raw(1, 2)),
    'raw_data has 2 bytes, but uint2 of dims [4] has 1',
  ],
  ['raw_data for zero elements', withField('int8', [0], raw(1)), 'raw_data has 1 bytes, but int8 of dims [0] has 0'],
  ['no data for one element', withField('int8', []), 'no data for the 1 element of dims []'],
  ['an empty raw_data for one element', withField('int8', [], raw()), 'no data for the 1 element'],
  [
    'too few entries',
    withField('int32', [2], proto.integers(5, [1])),
    'int32_data has 1 entry, but int32 of dims [2] has 2',
  ],
  [
    'too many entries',
    withField('float32', [1], proto.floats(4, [1, 2])),
    'float_data has 2 entries, but float32 of dims [1] has 1',
  ],
  [
    'half a complex number',
    withField('complex64', [1], proto.floats(4, [1])),
    'float_data has 1 entry, but complex64 of dims [1] has 2',
  ],
  [
    'an entry of int32_data per 8 elements of int4',
    withField('int4', [8], proto.integers(5, [1])),
    'int32_data has 1 entry, but int4 of dims [8] has 4',
  ],
  [
    'too few strings',
    withField('string', [2], proto.bytes(6, 'a')),
    'string_data has 1 entry, but string of dims [2] has 2',
  ],
  ['strings in raw_data', withField('string', [1], proto.bytes(9, 'a')), 'strings in raw_data'],
  [
    'two data fields',
    withField('int32', [1], raw(1, 0, 0, 0), proto.integers(5, [1])),
    'both int32_data and raw_data hold data',
  ],
  [
    'int64 in int32_data',
    withField('int64', [1], proto.integers(5, [1])),
    'int64 elements in int32_data; they belong in int64_data',
  ],
  [
    'float64 in float_data',
    withField('float64', [1], proto.floats(4, [1])),
    'float64 elements in float_data; they belong in double_data',
  ],
  [
    'float16 in float_data',
    withField('float16', [1], proto.floats(4, [1])),
    'float16 elements in float_data; they belong in int32_data',
  ],
  [
    'uint32 in int32_data',
    withField('uint32', [1], proto.integers(5, [1])),
    'uint32 elements in int32_data; they belong in uint64_data',
  ],
  [
    'int8 out of range',
    withField('int8', [1], proto.integers(5, [128])),
    'int32_data holds 128, which int8 cannot hold',
  ],
  [
    'uint8 below range',
    withField('uint8', [1], proto.integers(5, [-1])),
    'int32_data holds -1, which uint8 cannot hold',
  ],
  [
    'bool 2 in int32_data',
    withField('bool', [1], proto.integers(5, [2])),
    'int32_data holds 2, which bool cannot hold',
  ],
  ['bool 2 in raw_data', withField('bool', [2], raw(1, 2)), 'element 1 is 2, which bool cannot hold'],
  [
    'float16 bits out of range',
    withField('float16', [1], proto.integers(5, [65536])),
    'int32_data holds 65536, which float16 cannot hold',
  ],
  [
    'a packed byte out of range',
    withField('uint4', [2], proto.integers(5, [256])),
    'int32_data holds 256, which uint4 cannot hold',
  ],
  [
    'uint32 out of range',
    withField('uint32', [1], proto.integers(11, [2n ** 32n])),
    'uint64_data holds 4294967296, which uint32 cannot hold',
  ],
  [
    'a string that is not UTF-8',
    withField('string', [2], proto.bytes(6, 'a'), proto.bytes(6, Uint8Array.of(0xc3))),
    'string 1 is not UTF-8',
  ],
  [
    'a string with an encoded surrogate',
    withField('string', [1], proto.bytes(6, Uint8Array.of(0xed, 0xa0, 0x80))),
    'string 0 is not UTF-8',
  ],
  ['an overlong string', withField('string', [1], proto.bytes(6, Uint8Array.of(0xc0, 0x80))), 'string 0 is not UTF-8'],
  [
    'segments',
    withField('int8', [1], raw(1), proto.bytes(field.segment, proto.integer(1, 0))),
    'segments are not supported',
  ],
  ['dims of another wire type', proto.concat(proto.float(1, 1), proto.integer(2, 2)), 'field 1 has wire type 5'],
  ['data_type as text', proto.bytes(2, 'float'), 'field 2 has wire type 2, wanted 0'],
  ['field number 0', Uint8Array.of(0, 0), '0 is not a field number'],
  ['a group', Uint8Array.of(0x0b, 0x0c), 'wire type 3'],
  ['a varint of eleven bytes', Uint8Array.of(8, ...Array(10).fill(0x80), 1), 'more than 10 bytes'],
  ['a length past the end', Uint8Array.of(0x4a, 5, 1), 'field 9 has 5 bytes, but only 1 are left'],
];

test.each(refused)('a tensor file with %s is refused', (_what, file, ...says) => {
  expectRefusal(ops, () => ops.readTensor(file), { code: 'INVALID_MODEL', says });
});

const external = (...entries: [string, string][]): Uint8Array =>
  proto.concat(
    tensorHead('int8', [1]),
    proto.integer(field.data_location, 1),
    ...entries.map(([key, value]) =>
      proto.bytes(field.external_data, proto.concat(proto.bytes(1, key), proto.bytes(2, value))),
    ),
  );

test.each(['', '/etc/passwd', '../weights', 'a/../../b', '..', 'C:\\weights', '\\\\host\\share'])(
  'external data at the location %p is refused as not a file beside the model',
  (location) => {
    expectRefusal(ops, () => ops.readTensor(external(['location', location])), {
      code: 'INVALID_MODEL',
      says: [`'${location}'`, 'not a file beside the model'],
    });
  },
);

test('external data of a tensor file is refused, with its name and where files can be given', () => {
  expectRefusal(ops, () => ops.readTensor(external(['location', 'weights.bin'], ['offset', '0'])), {
    code: 'INVALID_MODEL',
    says: ["'weights.bin'", 'loadModel takes the option external'],
  });
});

test.each(types)('a $name tensor file cut at any byte is refused or a valid tensor', ({ name, sample }) => {
  for (const file of [proto.tensor(name, sampleDims, sample), typedTensor(name, sampleDims, sample as Data)]) {
    for (let length = 0; length < file.length; length++) {
      // A file cut between two fields is a valid message, but has no data.
      expectRefusal(ops, () => ops.readTensor(file.subarray(0, length)), { code: 'INVALID_MODEL', says: [] });
    }
  }
});

test.each([
  ['a path', 'x', 'write await readFile(path), or new Uint8Array(await (await fetch(url)).arrayBuffer())'],
  ['a URL', new URL('https://example.com/x.onnx'), 'await readFile(path)'],
  ['an ArrayBuffer', new ArrayBuffer(8), 'ArrayBuffer, wanted a Uint8Array: write new Uint8Array(buffer)'],
  ['a Blob', new Blob([]), 'write new Uint8Array(await blob.arrayBuffer())'],
  ['a Response', new Response(''), 'write new Uint8Array(await response.arrayBuffer())'],
  ['a promise', Promise.resolve(new Uint8Array(8)), 'Promise, wanted a Uint8Array: await it before the call'],
  ['an Int8Array', new Int8Array(8), 'write new Uint8Array(array.buffer, array.byteOffset, array.byteLength)'],
  ['a list', [1, 2], 'write Uint8Array.from(list)'],
  ['nothing', undefined, 'undefined, wanted a Uint8Array'],
])('%s is refused as a file, and the message says how to make bytes of it', (_what, bytes, says) => {
  expectRefusal(ops, () => ops.readTensor(bytes as never), {
    code: 'INVALID_ARGUMENT',
    says: ['readTensor: bytes are', 'wanted a Uint8Array', says],
  });
  expectRefusal(ops, () => ops.loadModel(bytes as never), {
    code: 'INVALID_ARGUMENT',
    says: ['loadModel: bytes are', 'wanted a Uint8Array', says],
  });
});

test('bytes of another format are refused by the name of that format', () => {
  const page = new TextEncoder().encode('<!doctype html><title>Not found</title>');
  const says = ['not an ONNX file, but an HTML page'];
  expectRefusal(ops, () => ops.readTensor(page), { code: 'INVALID_MODEL', says });
  expectRefusal(ops, () => ops.loadModel(page, { allowUnsupported: true }), { code: 'INVALID_MODEL', says });
  expectRefusal(ops, () => ops.simplify(page), { code: 'INVALID_MODEL', says });
  expectRefusal(ops, () => ops.readTensor(new Uint8Array(0)), { code: 'INVALID_MODEL', says: ['the file is empty'] });
});
