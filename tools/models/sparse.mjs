// A model file as large as one likes, which takes no space where the disk can leave holes.
import { closeSync, openSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { bytes, input, integer, node, output, typeId, varint } from './writer.mjs';

/** A model of a Shape, a Reshape and a MatMul, whose one weight has `size` bytes of zeros: a hole in the file. */
export function writeSparseModel(path, size) {
  const rows = size / 4096;
  const field = (number, length) => Buffer.concat([varint(number * 8 + 2), varint(length)]);
  const weight = [integer(1, rows), integer(1, 1024), integer(2, typeId('float32')), bytes(8, 'w'), field(9, size)];
  const weightLength = Buffer.concat(weight).length + size;
  const nodes = [
    node('Shape', 'shape', ['x'], ['s']),
    node('Reshape', 'keep', ['x', 's'], ['same']),
    node('MatMul', 'product', ['same', 'w'], ['y']),
  ];
  const after = [input('x', 'float32', ['n', rows]), output('y', 'float32', ['n', 1024]), bytes(2, 'sparse')];
  const before = Buffer.concat([...nodes, field(5, weightLength)]);
  const graphLength = before.length + weightLength + Buffer.concat(after).length;
  const head = Buffer.concat([
    integer(1, 8),
    bytes(8, [bytes(1, ''), integer(2, 13)]),
    field(7, graphLength),
    before,
    ...weight,
  ]);
  const tail = Buffer.concat(after);
  writeFileSync(path, head);
  truncateSync(path, head.length + size);
  const file = openSync(path, 'r+');
  writeSync(file, tail, 0, tail.length, head.length + size);
  closeSync(file);
}
