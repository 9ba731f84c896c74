// Reading and writing TensorProto files (semantics.md, section 2).
import { expect, test } from '@jest/globals';
import { load } from 'broadloom';
import * as proto from '../../shared/onnx.js';
import { expectUsable, sampleTensor } from './helpers/runtime.js';
import { sampleDims, types } from './helpers/types.js';

const ops = await load({});
const field = proto.numbers.tensor;

test.each(types)('writeTensor of $name writes dims, data_type and the elements, nothing else', ({ name, sample }) => {
  ops.scope(() => expect(ops.writeTensor(sampleTensor(ops, name))).toEqual(proto.tensor(name, sampleDims, sample)));
});

test('the last of several data_type fields counts, as in protobuf', () => {
  ops.scope(() =>
    expect(ops.readTensor(proto.concat(proto.integer(field.data_type, 1), proto.tensor('int16', [1], [-5]))).type).toBe(
      'int16',
    ),
  );
});

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
