// Files of tensors, and calls of operators.
import * as onnx from '../../tools/models/writer.mjs';
import { text, times } from './builders.mjs';

const { bytes, integer } = onnx;
const file = (dims, ...fields) => new Uint8Array(Buffer.concat([...dims.map((dim) => integer(1, dim)), ...fields]));
const read = (bytesOfFile) => ({ bytes: bytesOfFile.length, call: (ops) => ops.readTensor(bytesOfFile) });
/** A call whose `bytes` are those of the elements. */
const call = (count, work) => ({ bytes: count, call: work });
const numbers = (n) => Float32Array.from({ length: n }, (_, i) => i % 97);
const strings = (n, length = 8) => times(n, (i) => text(length, i));

export default {
  'elements of a file of a tensor': [2 ** 18, (n) => read(file([n], integer(2, 1), bytes(9, Buffer.alloc(4 * n))))],
  'strings of a file of a tensor': [
    10_000,
    (n) => read(file([n], integer(2, 8), Buffer.concat(strings(n).map((one) => bytes(6, one))))),
  ],
  'the length of a string of a tensor': [2 ** 19, (n) => read(file([1], integer(2, 8), bytes(6, text(n))))],
  'integers of a file of a tensor, one by one': [
    20_000,
    (n) => read(file([n], integer(2, 6), Buffer.concat(Array(n).fill(integer(5, 1))))),
  ],
  'unknown fields of a file of a tensor': [
    20_000,
    (n) => read(file([1], integer(2, 1), bytes(9, Buffer.alloc(4)), Buffer.concat(Array(n).fill(integer(500, 1))))),
  ],
  'strings that are made, written and read': [
    5000,
    (n) => call(n, (ops) => ops.readTensor(ops.writeTensor(ops.tensor('string', strings(n), [n]))).data.length),
  ],
  'elements that are made, written and read': [
    2 ** 16,
    (n) => call(n, (ops) => ops.readTensor(ops.writeTensor(ops.tensor('float32', numbers(n), [n]))).data.length),
  ],
  'elements of nodeModel': [
    2 ** 16,
    (n) =>
      call(n, (ops) => ops.nodeModel('Add', [ops.tensor('float32', numbers(n), [n]), ops.tensor('float32', [1], [1])])),
  ],
  'inputs of nodeModel': [
    1000,
    (n) =>
      call(n, (ops) =>
        ops.nodeModel(
          'Sum',
          times(n, () => ops.tensor('float32', [1], [1])),
        ),
      ),
  ],
  'inputs of a call': [
    2000,
    (n) =>
      call(n, (ops) =>
        ops.run(
          'Concat',
          times(n, () => ops.tensor('float32', [1], [1])),
          { axis: 0 },
        ),
      ),
  ],
  'outputs of a call': [
    2000,
    (n) => call(n, (ops) => ops.run('Split', [ops.tensor('float32', numbers(n), [n])], { axis: 0, num_outputs: n })),
  ],
  'strings that are unique': [
    2000,
    (n) => call(n, (ops) => ops.run('Unique', [ops.tensor('string', strings(n), [n])], {})),
  ],
  'elements that are sorted': [
    10_000,
    (n) => call(n, (ops) => ops.run('TopK', [ops.tensor('float32', numbers(n), [n]), [n]], { axis: 0 })),
  ],
  'live tensors': [5000, (n) => call(n, (ops) => times(n, (i) => ops.tensor('float32', [i], [1])))],
  'views of one tensor': [
    2000,
    (n) =>
      call(n, (ops) => {
        const x = ops.tensor('float32', numbers(64), [64]);
        return times(n, () => ops.reshape(x, [8, 8]));
      }),
  ],
};
