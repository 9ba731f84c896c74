// Writes ONNX models field by field. Field numbers come from onnx/onnx.proto.
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

/** A ValueInfoProto of that name: a tensor with a rank and without sizes. */
function value(name, type, rank) {
  const shape = bytes(2, ...Array.from({ length: rank }, () => bytes(1)));
  return [bytes(1, name), bytes(2, bytes(1, integer(1, elementTypes[type].id), shape))];
}

/** The AttributeProto `value` of ConstantOfShape: a tensor with one element. */
function valueAttribute(type, data) {
  const tensor = [integer(1, 1), integer(2, elementTypes[type].id), bytes(9, bytesOf(data))];
  return bytes(5, bytes(1, 'value'), bytes(5, ...tensor), integer(20, 4));
}

const modelOf = (...graph) =>
  Buffer.concat([integer(1, irVersion), bytes(7, bytes(2, 'graph'), ...graph), bytes(8, integer(2, opset))]);

const model = (node, ...values) => modelOf(bytes(1, ...node), ...values);

/** x, shape -> y */
export function expandModel({ type, inputDims, outputDims }) {
  const node = [bytes(1, 'x'), bytes(1, 'shape'), bytes(2, 'y'), bytes(4, 'Expand')];
  const inputs = [bytes(11, ...value('x', type, inputDims.length)), bytes(11, ...value('shape', 'int64', 1))];
  return model(node, ...inputs, bytes(12, ...value('y', type, outputDims.length)));
}

/** shape -> y, filled with the one element of `data` */
export function constantOfShapeModel({ type, outputDims }, data) {
  const node = [bytes(1, 'shape'), bytes(2, 'y'), bytes(4, 'ConstantOfShape'), valueAttribute(type, data)];
  return model(node, bytes(11, ...value('shape', 'int64', 1)), bytes(12, ...value('y', type, outputDims.length)));
}

/** An AttributeProto: INT for a number, INTS for a list. Numbers must not be negative. */
function attribute([name, given]) {
  const isList = Array.isArray(given);
  const values = isList ? given.map((entry) => integer(8, entry)) : [integer(3, given)];
  return bytes(5, bytes(1, name), ...values, integer(20, isList ? 7 : 2));
}

/** A node with one output and attributes of integers. */
function nodeProto({ op, inputs, output, attributes }) {
  const parts = Object.entries(attributes).map(attribute);
  return bytes(1, ...inputs.map((name) => bytes(1, name)), bytes(2, output), bytes(4, op), ...parts);
}

/** An initializer: an int64 scalar for a number, an int64 list for a list, or { type, dims, make } like a feed. */
function initializer([name, given]) {
  if (given.make !== undefined) {
    const dims = given.dims.map((dim) => integer(1, dim));
    return bytes(5, ...dims, integer(2, elementTypes[given.type].id), bytes(8, name), bytes(9, bytesOf(given.make())));
  }
  const list = [given].flat();
  const dims = Array.isArray(given) ? [integer(1, list.length)] : [];
  const data = bytesOf(BigInt64Array.from(list, BigInt));
  return bytes(5, ...dims, integer(2, elementTypes.int64.id), bytes(8, name), bytes(9, data));
}

/** The model of a case that is a graph. It does not declare its output's shape and type. */
export function graphModel({ nodes, feeds, constants = {} }) {
  const inputs = Object.entries(feeds).map(([name, { type, dims }]) => bytes(11, ...value(name, type, dims.length)));
  const output = bytes(12, bytes(1, nodes.at(-1).output));
  return modelOf(...nodes.map(nodeProto), ...Object.entries(constants).map(initializer), ...inputs, output);
}
