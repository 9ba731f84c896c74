// Writes small models field by field, for the playground's samples and for tests. Field numbers are those of
// onnx/onnx.proto.
const typeIds = { float32: 1, int64: 7, bool: 9 };

function varint(value) {
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

/** TensorProto. Floats only: nothing else is needed. */
export function tensor(dims, values) {
  const data = Buffer.from(Float32Array.from(values).buffer);
  return [...dims.map((dim) => integer(1, dim)), integer(2, typeIds.float32), bytes(9, data)];
}

/** AttributeProto. */
export const tensorAttribute = (name, value) => bytes(5, [bytes(1, name), bytes(5, value), integer(20, 4)]);
export const graphAttribute = (name, fields) =>
  bytes(5, [bytes(1, name), bytes(6, [...fields, bytes(2, name)]), integer(20, 5)]);
export const integerAttribute = (name, value) => bytes(5, [bytes(1, name), integer(3, value), integer(20, 2)]);

/** A NodeProto in a graph. */
export function node(operator, name, inputs, outputs, attributes = [], domain = undefined) {
  const fields = [
    ...inputs.map((input) => bytes(1, input)),
    ...outputs.map((output) => bytes(2, output)),
    bytes(3, name),
    bytes(4, operator),
    ...attributes,
  ];
  return bytes(1, domain === undefined ? fields : [...fields, bytes(7, domain)]);
}

/** A ValueInfoProto in a graph. A size is a number or a name. */
function value(field, name, type, dims) {
  const sizes = dims.map((dim) => bytes(1, [typeof dim === 'number' ? integer(1, dim) : bytes(2, dim)]));
  return bytes(field, [bytes(1, name), bytes(2, [bytes(1, [integer(1, typeIds[type]), bytes(2, sizes)])])]);
}
export const input = (name, type, dims) => value(11, name, type, dims);
export const output = (name, type, dims) => value(12, name, type, dims);

/** A ModelProto with a graph of these fields. */
export function model(name, graph, domains = []) {
  const opset = (domain, version) => bytes(8, [bytes(1, domain), integer(2, version)]);
  return Buffer.concat([
    integer(1, 8), // ir_version
    bytes(2, 'broadloom'),
    opset('', 21),
    ...domains.map((domain) => opset(domain, 1)),
    bytes(7, [...graph, bytes(2, name)]),
  ]);
}
