// The bytes of ONNX models with one node, written field by field. Field numbers are those of onnx/onnx.proto.
import { bytesOf, elementTypes } from '../element-types.mjs';

const opset = 21;
const irVersion = 10;

function varint(value) {
  const bytes = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) | 128);
  return Buffer.from([...bytes, value]);
}

const integer = (field, value) => Buffer.concat([varint(field * 8), varint(value)]);

function bytes(field, ...parts) {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part)));
  return Buffer.concat([varint(field * 8 + 2), varint(content.length), content]);
}

/** A ValueInfoProto of that name: a tensor whose rank is given and whose sizes are not. */
function value(name, type, rank) {
  const shape = bytes(2, ...Array.from({ length: rank }, () => bytes(1)));
  return [bytes(1, name), bytes(2, bytes(1, integer(1, elementTypes[type].id), shape))];
}

/** The AttributeProto `value` of ConstantOfShape: a tensor with one element. */
function valueAttribute(type, data) {
  const tensor = [integer(1, 1), integer(2, elementTypes[type].id), bytes(9, bytesOf(data))];
  return bytes(5, bytes(1, 'value'), bytes(5, ...tensor), integer(20, 4));
}

const model = (node, ...values) =>
  Buffer.concat([
    integer(1, irVersion),
    bytes(7, bytes(1, ...node), bytes(2, 'graph'), ...values),
    bytes(8, integer(2, opset)),
  ]);

/** x, shape -> y */
export function expandModel({ type, inputDims, outputDims }) {
  const node = [bytes(1, 'x'), bytes(1, 'shape'), bytes(2, 'y'), bytes(4, 'Expand')];
  const inputs = [bytes(11, ...value('x', type, inputDims.length)), bytes(11, ...value('shape', 'int64', 1))];
  return model(node, ...inputs, bytes(12, ...value('y', type, outputDims.length)));
}

/** shape -> y, with the one element of `data` everywhere */
export function constantOfShapeModel({ type, outputDims }, data) {
  const node = [bytes(1, 'shape'), bytes(2, 'y'), bytes(4, 'ConstantOfShape'), valueAttribute(type, data)];
  return model(node, bytes(11, ...value('shape', 'int64', 1)), bytes(12, ...value('y', type, outputDims.length)));
}
