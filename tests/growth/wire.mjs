// Forms of protobuf that a writer would not choose: unknown fields, empty messages, deep ones, lists in pieces.
import * as onnx from '../../tools/models/writer.mjs';
import { ones, times } from './builders.mjs';

const { bytes, integer, varint } = onnx;
const abs = [onnx.input('x', 'float32', [1]), onnx.output('y', 'float32', [1]), onnx.node('Abs', 'abs', ['x'], ['y'])];

const around = (graph, model = []) => ({
  file: new Uint8Array(Buffer.concat([onnx.model('g', [...abs, ...graph]), ...model])),
  feeds: { x: ones() },
});
const repeated = (n, part) => [Buffer.concat(Array(n).fill(part))];

/** Messages in one another: `field` in `field`, n deep. */
function deep(n, ...fields) {
  const parts = [];
  let length = 0;
  for (let i = 0; i < n; i++) {
    const head = Buffer.concat([varint(fields[i % fields.length] * 8 + 2), varint(length)]);
    parts.push(head);
    length += head.length;
  }
  return Buffer.concat(parts.reverse());
}

/** Groups, as old writers have them, in one another. */
const groups = (n, field) =>
  Buffer.concat([...Array(n).fill(varint(field * 8 + 3)), ...Array(n).fill(varint(field * 8 + 4))]);

const refusedOrRead = (one) => ({ ...one, isEither: true });

/** A varint of ten bytes for each number, where one would do. */
const longVarint = Buffer.from([0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00]);

/** The graph in n pieces, which readers of protobuf join. */
const pieces = (n) => ({
  file: new Uint8Array(
    Buffer.concat([
      onnx.model('g', [onnx.input('x', 'float32', [1]), onnx.output('y', 'float32', [1])]),
      ...times(n, (i) => bytes(7, onnx.node('Neg', '', [i === 0 ? 'x' : `v${i}`], [i === n - 1 ? 'y' : `v${i + 1}`]))),
    ]),
  ),
  feeds: { x: ones() },
});

/** A model whose input has a type of these fields. */
const typed = (fields) => ({
  file: new Uint8Array(onnx.model('g', [bytes(11, [bytes(1, 'x'), ...fields]), ...abs.slice(1)])),
  feeds: { x: ones() },
});

const attribute = (...fields) => [...abs.slice(0, 2), onnx.node('Odd', 'odd', ['x'], ['y'], [bytes(5, fields)], 'odd')];
const odd = (...fields) => ({
  file: new Uint8Array(
    Buffer.concat([onnx.model('g', attribute(...fields)), bytes(8, [bytes(1, 'odd'), integer(2, 1)])]),
  ),
  allowUnsupported: true,
});

export default {
  'unknown fields of the model': [20_000, (n) => around([], repeated(n, integer(500, 1)))],
  'unknown fields of the graph': [20_000, (n) => around(repeated(n, bytes(500, 'unknown')))],
  'unknown fields of a node': [
    20_000,
    (n) => ({
      file: new Uint8Array(
        onnx.model('g', [...abs.slice(0, 2), onnx.node('Abs', '', ['x'], ['y'], repeated(n, integer(500, 1)))]),
      ),
      feeds: { x: ones() },
    }),
  ],
  'the length of an unknown field': [2 ** 17, (n) => around([bytes(500, Buffer.alloc(n))])],
  'unknown fields in one another': [10_000, (n) => around([bytes(500, deep(n, 1))])],
  'groups that are unknown': [20_000, (n) => refusedOrRead(around(repeated(n, groups(1, 500))))],
  'groups in one another': [1250, (n) => refusedOrRead(around([groups(n, 500)]))],
  'texts of the model that are given again': [20_000, (n) => around([], repeated(n, bytes(2, 'producer')))],
  'names of the graph that are given again': [20_000, (n) => around(repeated(n, bytes(2, 'name')))],
  'empty nodes': [5000, (n) => refusedOrRead(around(repeated(n, bytes(1, []))))],
  'empty initializers': [5000, (n) => refusedOrRead(around(repeated(n, bytes(5, []))))],
  'empty value_info': [5000, (n) => refusedOrRead(around(repeated(n, bytes(13, []))))],
  'empty inputs': [5000, (n) => refusedOrRead(around(repeated(n, bytes(11, []))))],
  'empty outputs': [5000, (n) => refusedOrRead(around(repeated(n, bytes(12, []))))],
  'empty annotations': [5000, (n) => refusedOrRead(around(repeated(n, bytes(14, []))))],
  'empty sparse initializers': [5000, (n) => refusedOrRead(around(repeated(n, bytes(15, []))))],
  'empty metadata_props': [5000, (n) => refusedOrRead(around([], repeated(n, bytes(14, []))))],
  'empty opset_imports': [5000, (n) => refusedOrRead(around([], repeated(n, bytes(8, []))))],
  'empty functions': [5000, (n) => refusedOrRead(around([], repeated(n, bytes(25, []))))],
  'empty training_info': [5000, (n) => refusedOrRead(around([], repeated(n, bytes(20, []))))],
  'empty graphs': [5000, (n) => refusedOrRead(around([], repeated(n, bytes(7, []))))],
  'empty attributes': [5000, (n) => refusedOrRead({ ...odd(...repeated(n, bytes(5, []))) })],
  'empty inputs of a node': [
    5000,
    (n) => ({
      file: new Uint8Array(
        onnx.model('g', [...abs.slice(0, 2), onnx.node('Sum', '', ['x', ...Array(n).fill('')], ['y'])]),
      ),
      isEither: true,
    }),
  ],
  'pieces of the graph': [500, pieces],
  'pieces of an algorithm': [
    2000,
    (n) => around([], [bytes(20, repeated(n, bytes(2, onnx.node('Abs', '', ['x'], ['z']))))]),
  ],
  'pieces of a tensor in an attribute': [
    2000,
    (n) =>
      odd(bytes(1, 'a'), bytes(5, onnx.tensor([1], [1])), ...repeated(n, bytes(5, bytes(8, 'name'))), integer(20, 4)),
  ],
  'pieces of a sparse tensor in an attribute': [
    2000,
    (n) => refusedOrRead(odd(bytes(1, 'a'), ...repeated(n, bytes(22, bytes(1, bytes(8, 'name')))), integer(20, 11))),
  ],
  'pieces of a graph in an attribute': [
    2000,
    (n) =>
      odd(
        bytes(1, 'a'),
        bytes(6, bytes(2, 'g')),
        Buffer.concat(times(n, (i) => bytes(6, onnx.node('Abs', '', ['x'], [`z${i}`])))),
        integer(20, 5),
      ),
  ],
  'pieces of a type': [2000, (n) => typed(repeated(n, bytes(2, bytes(1, integer(1, 1)))))],
  'pieces of a tensor type': [2000, (n) => typed([bytes(2, repeated(n, bytes(1, integer(1, 1))))])],
  'pieces of a shape': [
    2000,
    (n) => ({ ...typed([bytes(2, bytes(1, [integer(1, 1), ...repeated(n, bytes(2, []))]))]), feeds: undefined }),
  ],
  'pieces of a size': [
    2000,
    (n) => typed([bytes(2, bytes(1, [integer(1, 1), bytes(2, bytes(1, repeated(n, integer(1, 1))))]))]),
  ],
  'integers in varints that are too long': [
    5000,
    (n) => odd(bytes(1, 'a'), bytes(8, Buffer.concat(Array(n).fill(longVarint))), integer(20, 7)),
  ],
  'lists in pieces': [
    5000,
    (n) =>
      odd(bytes(1, 'a'), ...repeated(n, Buffer.concat([integer(8, 1), bytes(8, Buffer.from([1, 2]))])), integer(20, 7)),
  ],
  'empty pieces of lists': [20_000, (n) => odd(bytes(1, 'a'), ...repeated(n, bytes(8, [])), integer(20, 7))],
  'graphs of an attribute': [
    1000,
    (n) =>
      refusedOrRead(
        odd(
          bytes(1, 'a'),
          ...repeated(n, bytes(11, [bytes(2, 'g'), onnx.node('Abs', '', ['x'], ['z'])])),
          integer(20, 10),
        ),
      ),
  ],
};
