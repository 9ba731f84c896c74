// Writes models field by field, for the playground's samples, for tests and for benchmarks. Field numbers are those of
// onnx/onnx.proto.

/** ONNX's number of each type that is written here, and the array that holds its elements as raw_data has them. */
const types = {
  float32: [1, Float32Array],
  uint8: [2, Uint8Array],
  int8: [3, Int8Array],
  uint16: [4, Uint16Array],
  int16: [5, Int16Array],
  int32: [6, Int32Array],
  int64: [7, BigInt64Array],
  bool: [9, Uint8Array],
  float16: [10, Uint16Array],
  float64: [11, Float64Array],
};
export const typeId = (type) => types[type][0];

export function varint(value) {
  const bytes = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest >= 128n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Buffer.from([...bytes, Number(rest)]);
}

export const integer = (field, value) => Buffer.concat([varint(field * 8), varint(value)]);

/** A field of bytes, of a string, or of a message, which is a list of fields. */
export function bytes(field, value) {
  const content = Array.isArray(value) ? Buffer.concat(value) : Buffer.from(value);
  return Buffer.concat([varint(field * 8 + 2), varint(content.length), content]);
}

function float(field, value) {
  const four = Buffer.alloc(4);
  four.writeFloatLE(value);
  return Buffer.concat([varint(field * 8 + 5), four]);
}

/** The elements as raw_data has them. `values` is a list, or bytes that are taken as they are. */
function rawData(values, type) {
  if (Buffer.isBuffer(values)) return values;
  const array = types[type][1];
  const elements = type === 'int64' ? Array.from(values, BigInt) : Array.from(values, Number);
  return Buffer.from(array.from(elements).buffer);
}

/** TensorProto. float16 is given as bits. */
export const tensor = (dims, values, type = 'float32') => [
  ...dims.map((dim) => integer(1, dim)),
  integer(2, typeId(type)),
  bytes(9, rawData(values, type)),
];

/** An initializer of a graph. */
export const initializer = (name, dims, values, type = 'float32') =>
  bytes(5, [...tensor(dims, values, type), bytes(8, name)]);

/** An initializer whose bytes are in another file. */
export const externalInitializer = (name, dims, type, { location, offset, length }) =>
  bytes(5, [
    ...dims.map((dim) => integer(1, dim)),
    integer(2, typeId(type)),
    bytes(8, name),
    ...Object.entries({ location, offset, length }).map(([key, value]) =>
      bytes(13, [bytes(1, key), bytes(2, `${value}`)]),
    ),
    integer(14, 1),
  ]);

/** AttributeProto. */
export const tensorAttribute = (name, value) => bytes(5, [bytes(1, name), bytes(5, value), integer(20, 4)]);
export const graphAttribute = (name, fields) =>
  bytes(5, [bytes(1, name), bytes(6, [...fields, bytes(2, name)]), integer(20, 5)]);
export const integerAttribute = (name, value) => bytes(5, [bytes(1, name), integer(3, value), integer(20, 2)]);
export const integersAttribute = (name, values) =>
  bytes(5, [bytes(1, name), ...values.map((value) => integer(8, value)), integer(20, 7)]);
export const floatAttribute = (name, value) => bytes(5, [bytes(1, name), float(2, value), integer(20, 1)]);
export const floatsAttribute = (name, values) =>
  bytes(5, [bytes(1, name), ...values.map((value) => float(7, value)), integer(20, 6)]);
export const textAttribute = (name, value) => bytes(5, [bytes(1, name), bytes(4, value), integer(20, 3)]);
/** In a function: the attribute is that of the call, of this type (1 float, 2 integer, 7 integers). */
export const referenceAttribute = (name, of, type) => bytes(5, [bytes(1, name), bytes(21, of), integer(20, type)]);

const nodeFields = (operator, name, inputs, outputs, attributes, domain) => [
  ...inputs.map((input) => bytes(1, input)),
  ...outputs.map((output) => bytes(2, output)),
  bytes(3, name),
  bytes(4, operator),
  ...attributes,
  ...(domain === undefined ? [] : [bytes(7, domain)]),
];

/** A NodeProto in a graph. */
export const node = (operator, name, inputs, outputs, attributes = [], domain = undefined) =>
  bytes(1, nodeFields(operator, name, inputs, outputs, attributes, domain));

/** A FunctionProto: nodes are lists of node's arguments. */
export const functionOf = (domain, name, { inputs, outputs, attributes = [], nodes, opset, imports = [] }) =>
  bytes(25, [
    bytes(1, name),
    ...inputs.map((input) => bytes(4, input)),
    ...outputs.map((output) => bytes(5, output)),
    ...attributes.map((attribute) => bytes(6, attribute)),
    ...nodes.map(([operator, node, from, to, given = [], of = undefined]) =>
      bytes(7, nodeFields(operator, node, from, to, given, of)),
    ),
    bytes(9, [bytes(1, ''), integer(2, opset)]),
    ...imports.map((imported) => bytes(9, [bytes(1, imported), integer(2, 1)])),
    bytes(10, domain),
  ]);

/** A ValueInfoProto in a graph. A size is a number, a name, or null where nothing is said; no dims, no rank. */
function value(field, name, type, dims) {
  const size = (dim) => (dim === null ? [] : [typeof dim === 'number' ? integer(1, dim) : bytes(2, dim)]);
  const shape =
    dims === undefined
      ? []
      : [
          bytes(
            2,
            dims.map((dim) => bytes(1, size(dim))),
          ),
        ];
  return bytes(field, [bytes(1, name), bytes(2, [bytes(1, [integer(1, typeId(type)), ...shape])])]);
}
export const input = (name, type, dims) => value(11, name, type, dims);
export const output = (name, type, dims) => value(12, name, type, dims);

/** A ModelProto with a graph of these fields. */
export function model(name, graph, domains = [], { opset: version = 21, ir = 8, functions = [] } = {}) {
  const opset = (domain, number) => bytes(8, [bytes(1, domain), integer(2, number)]);
  return Buffer.concat([
    integer(1, ir), // ir_version
    bytes(2, 'broadloom'),
    opset('', version),
    ...domains.map((domain) => opset(domain, 1)),
    bytes(7, [...graph, bytes(2, name)]),
    ...functions,
  ]);
}
