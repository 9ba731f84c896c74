// Reading and writing TensorProto files (semantics.md, section 2).
import { expect, test } from '@jest/globals';
import { load } from 'broadloom';
import * as proto from '../../shared/onnx.js';
import { expectUsable, expectWords, sampleTensor, sampleWords } from './helpers/runtime.js';
import { typedTensor } from './helpers/typed-tensor.js';
import { sampleDims, typeRow, types } from './helpers/types.js';

const ops = await load({});
const { tensorHead } = proto;
const field = proto.numbers.tensor;

const fromTyped = types.map(({ name, field }) => ({ name, field }));

test.each(fromTyped)('readTensor reads $name from $field, packed and unpacked, and from raw_data', ({ name }) => {
  const { sample } = typeRow(name);
  ops.scope(() => {
    expectWords(ops.readTensor(typedTensor(name, sampleDims, sample, true)), sampleWords(name));
    expectWords(ops.readTensor(typedTensor(name, sampleDims, sample, false)), sampleWords(name));
    expectWords(ops.readTensor(proto.tensor(name, sampleDims, sample)), sampleWords(name));
  });
});

test.each(types)('writeTensor of $name writes dims, data_type and the elements, nothing else', ({ name, sample }) => {
  ops.scope(() => expect(ops.writeTensor(sampleTensor(ops, name))).toEqual(proto.tensor(name, sampleDims, sample)));
});

test.each(types)('a zero-size $name tensor may come with an empty field or without one', ({ name }) => {
  ops.scope(() => {
    const head = tensorHead(name, [2, 0]);
    const files = name === 'string' ? [head] : [head, proto.concat(head, proto.bytes(field.raw_data, ''))];
    for (const file of files) {
      const tensor = ops.readTensor(file);
      expect([tensor.type, tensor.dims, tensor.data.length]).toEqual([name, [2, 0], 0]);
      expect(ops.readTensor(ops.writeTensor(tensor)).dims).toEqual([2, 0]);
    }
  });
});

test.each(types)('a $name tensor without dims is a scalar', ({ name, sample }) => {
  ops.scope(() => {
    const one = ops.tensor(name, sample.slice(0, name.startsWith('complex') ? 2 : 1) as never, []);
    expect(ops.readTensor(ops.writeTensor(one)).dims).toEqual([]);
    expectWords(ops.readTensor(ops.writeTensor(one)), { type: name, dims: [], words: [sampleWords(name).words[0]] });
  });
});

test('fields may come in any order, dims packed or not and in several pieces', () => {
  const raw = proto.bytes(field.raw_data, Uint8Array.of(1, 2, 3, 4, 5, 6));
  const type = proto.integer(field.data_type, 2);
  const dims = [
    proto.integers(1, [2, 3]),
    proto.integers(1, [2, 3], false),
    proto.concat(proto.integer(1, 2), proto.integers(1, [3])),
  ];
  ops.scope(() => {
    for (const some of dims) {
      for (const file of [
        proto.concat(raw, type, some),
        proto.concat(type, some, raw),
        proto.concat(some, raw, type),
      ]) {
        const tensor = ops.readTensor(file);
        expect([tensor.type, tensor.dims, ...(tensor.data as Uint8Array)]).toEqual(['uint8', [2, 3], 1, 2, 3, 4, 5, 6]);
      }
    }
    const split = proto.concat(
      tensorHead('int64', [3]),
      proto.integers(field.int64_data, [1, -2]),
      proto.integers(field.int64_data, [3], false),
    );
    expect([...ops.readTensor(split).data]).toEqual([1n, -2n, 3n]);
  });
});

test('unknown fields of every wire type, names and doc strings are skipped', () => {
  const unknown = proto.concat(
    proto.integer(100, 7),
    proto.double(101, 1),
    proto.bytes(102, 'x'),
    proto.float(103, 1),
    proto.bytes(12, 'doc'),
    proto.bytes(field.name, 'n'),
  );
  ops.scope(() => {
    const tensor = ops.readTensor(proto.concat(unknown, proto.tensor('int16', [1], [-5]), unknown));
    expect([...(tensor.data as Int16Array)]).toEqual([-5]);
  });
});

test('the last of several data_type fields counts, as in protobuf', () => {
  ops.scope(() =>
    expect(ops.readTensor(proto.concat(proto.integer(field.data_type, 1), proto.tensor('int16', [1], [-5]))).type).toBe(
      'int16',
    ),
  );
});

test.each(['uint4', 'int4', 'float4e2m1', 'uint2', 'int2'] as const)(
  'padding bits of %s are ignored on reading and zero on writing',
  (name) => {
    const count = typeRow(name).bits === 4 ? 3 : 5;
    const used = typeRow(name).bits === 4 ? 0x0f : 0x03;
    ops.scope(() => {
      const dirty = proto.concat(tensorHead(name, [count]), proto.bytes(field.raw_data, Uint8Array.of(0x12, 0xff)));
      const tensor = ops.readTensor(dirty);
      expect([...(tensor.data as Uint8Array)]).toEqual([0x12, used]);
      (tensor.data as Uint8Array)[1] = 0xff;
      expect([...(ops.readTensor(ops.writeTensor(tensor)).data as Uint8Array)]).toEqual([0x12, used]);
      expect(ops.writeTensor(tensor).at(-1)).toBe(used);
      const typed = ops.readTensor(
        proto.concat(tensorHead(name, [count]), proto.integers(field.int32_data, [0x12, 0xff])),
      );
      expect([...(typed.data as Uint8Array)]).toEqual([0x12, used]);
    });
  },
);

test('a file may be a view into a larger buffer, and may change afterwards', () => {
  const file = proto.tensor('int16', [2], [1, -2]);
  const buffer = new Uint8Array(file.length + 7).fill(255);
  buffer.set(file, 5);
  const view = buffer.subarray(5, 5 + file.length);
  ops.scope(() => {
    const tensor = ops.readTensor(view);
    buffer.fill(0);
    expect([...(tensor.data as Int16Array)]).toEqual([1, -2]);
  });
});

test('a file may be a Buffer, which is a Uint8Array', () => {
  ops.scope(() => expect(ops.readTensor(Buffer.from(proto.tensor('int8', [1], [7]))).data).toEqual(Int8Array.of(7)));
});

test('writeTensor takes any TensorLike and gives bytes that JavaScript owns', () => {
  const bytes = ops.writeTensor({ type: 'string', dims: [2], data: ['a', '\u00e9'] });
  expect(bytes).toEqual(proto.tensor('string', [2], ['a', '\u00e9']));
  expect(bytes.buffer.byteLength).toBe(bytes.length);
  expectUsable(ops);
});
