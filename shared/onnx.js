// ONNX files, written and read field by field, right ones and wrong ones. It imports nothing.

/** The numbers of fields by message, as onnx.proto has them. */
export const numbers = {
  model: {
    ...{ ir_version: 1, producer_name: 2, producer_version: 3, domain: 4, model_version: 5, doc_string: 6, graph: 7 },
    ...{ opset_import: 8, metadata_props: 14, functions: 25 },
  },
  opset: { domain: 1, version: 2 },
  graph: { node: 1, name: 2, initializer: 5, input: 11, output: 12, value_info: 13, sparse_initializer: 15 },
  node: { input: 1, output: 2, name: 3, op_type: 4, attribute: 5, domain: 7 },
  attribute: {
    ...{ name: 1, f: 2, i: 3, s: 4, t: 5, g: 6, floats: 7, ints: 8, strings: 9, graphs: 11, type: 20 },
    ...{ ref_attr_name: 21, sparse_tensor: 22 },
  },
  tensor: {
    ...{ dims: 1, data_type: 2, segment: 3, float_data: 4, int32_data: 5, string_data: 6, int64_data: 7, name: 8 },
    ...{ raw_data: 9, double_data: 10, uint64_data: 11, doc_string: 12, external_data: 13, data_location: 14 },
    metadata_props: 16,
  },
  sparseTensor: { values: 1, indices: 2, dims: 3 },
  entry: { key: 1, value: 2 },
  value: { name: 1, type: 2 },
  type: { tensor_type: 1, sequence_type: 4, map_type: 5, sparse_tensor_type: 8, optional_type: 9 },
  tensorType: { elem_type: 1, shape: 2 },
  shape: { dim: 1 },
  dim: { dim_value: 1, dim_param: 2 },
  function: { name: 1, input: 4, output: 5, attribute: 6, node: 7, opset_import: 9, domain: 10 },
};

/** AttributeProto.AttributeType, and the field with the value. */
const attributeTypes = {
  float: [1, 'f'],
  int: [2, 'i'],
  string: [3, 's'],
  tensor: [4, 't'],
  graph: [5, 'g'],
  floats: [6, 'floats'],
  ints: [7, 'ints'],
  strings: [8, 'strings'],
  sparse: [11, 'sparse_tensor'],
};

/** ONNX's number of each type, and the array that holds its elements as raw_data has them. */
const types = {
  float32: [1, Float32Array],
  uint8: [2, Uint8Array],
  int8: [3, Int8Array],
  uint16: [4, Uint16Array],
  int16: [5, Int16Array],
  int32: [6, Int32Array],
  int64: [7, BigInt64Array],
  string: [8, Array],
  bool: [9, Uint8Array],
  float16: [10, Uint16Array],
  float64: [11, Float64Array],
  uint32: [12, Uint32Array],
  uint64: [13, BigUint64Array],
  complex64: [14, Float32Array],
  complex128: [15, Float64Array],
  bfloat16: [16, Uint16Array],
  float8e4m3fn: [17, Uint8Array],
  float8e4m3fnuz: [18, Uint8Array],
  float8e5m2: [19, Uint8Array],
  float8e5m2fnuz: [20, Uint8Array],
  uint4: [21, Uint8Array],
  int4: [22, Uint8Array],
  float4e2m1: [23, Uint8Array],
  float8e8m0: [24, Uint8Array],
  uint2: [25, Uint8Array],
  int2: [26, Uint8Array],
};
/** A type by its name; a number stands for itself. */
export const typeId = (type) => (typeof type === 'number' ? type : types[type][0]);

// ---- Fields ----

const encoder = new TextEncoder();

/** The bytes of a list, which may be longer than arguments can be. */
function joined(parts) {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let place = 0;
  for (const part of parts) {
    whole.set(part, place);
    place += part.length;
  }
  return whole;
}

export const concat = (...parts) => joined(parts);

export function varint(value) {
  const bytes = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest >= 128n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Uint8Array.of(...bytes, Number(rest));
}

export const integer = (field, value) => concat(varint(field * 8), varint(value));

/** A field of bytes, of a string, or of a message, which is a list of fields. */
export function bytes(field, value) {
  const content = typeof value === 'string' ? encoder.encode(value) : Array.isArray(value) ? joined(value) : value;
  return concat(varint(field * 8 + 2), varint(content.length), content);
}

const bytesOf = (array) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

export const float = (field, value) => concat(varint(field * 8 + 5), bytesOf(Float32Array.of(value)));
export const double = (field, value) => concat(varint(field * 8 + 1), bytesOf(Float64Array.of(value)));
export const strings = (field, values) => joined(values.map((value) => bytes(field, value)));
export const integers = (field, values, packed = true) =>
  packed ? bytes(field, values.map(varint)) : joined(values.map((value) => integer(field, value)));
export const floats = (field, values, packed = true) =>
  packed ? bytes(field, bytesOf(Float32Array.from(values))) : joined(values.map((value) => float(field, value)));
export const doubles = (field, values, packed = true) =>
  packed ? bytes(field, bytesOf(Float64Array.from(values))) : joined(values.map((value) => double(field, value)));

const optional = (field, value) => (value === undefined ? new Uint8Array() : bytes(field, value));

// ---- Messages ----

/** The start of a TensorProto: dims and data_type, and its name if it has one. */
export const tensorHead = (type, dims, name) =>
  concat(
    integers(numbers.tensor.dims, dims, false),
    integer(numbers.tensor.data_type, typeId(type)),
    optional(numbers.tensor.name, name),
  );

/** The elements as raw_data has them. `values` is a list, or bytes that are taken as they are. */
function rawData(values, type) {
  const array = types[type][1];
  if (values instanceof Uint8Array || values instanceof array) return bytesOf(values);
  return bytesOf(array.from(type.endsWith('int64') ? Array.from(values, BigInt) : Array.from(values, Number)));
}

/**
 * A TensorProto with raw data, or string_data. Types that JavaScript lacks are given as bits, as raw_data has them; strings are a
 * list.
 */
export function tensor(type, dims, data, name) {
  const { string_data, raw_data } = numbers.tensor;
  const elements = type === 'string' ? strings(string_data, data) : bytes(raw_data, rawData(data, type));
  return concat(tensorHead(type, dims), elements, optional(numbers.tensor.name, name));
}

export const sparseTensor = (values, indices, dims, packed = true) =>
  concat(
    bytes(numbers.sparseTensor.values, values),
    optional(numbers.sparseTensor.indices, indices),
    integers(numbers.sparseTensor.dims, dims, packed),
  );

/** An entry of a map of strings. */
export const entry = (key, value) => [bytes(numbers.entry.key, key), bytes(numbers.entry.value, `${value}`)];

const attributeOf = (kind, write) => (name, value, packed) => {
  const [type, field] = attributeTypes[kind];
  return attribute.raw(name, type, write(numbers.attribute[field], value, packed));
};

/** AttributeProto, one function for each type. */
export const attribute = {
  float: attributeOf('float', float),
  int: attributeOf('int', integer),
  string: attributeOf('string', bytes),
  tensor: attributeOf('tensor', bytes),
  graph: attributeOf('graph', bytes),
  floats: attributeOf('floats', floats),
  ints: attributeOf('ints', integers),
  strings: attributeOf('strings', strings),
  sparse: attributeOf('sparse', bytes),
  /** The name, the given fields, and the type. */
  raw: (name, type, ...fields) =>
    concat(bytes(numbers.attribute.name, name), ...fields, integer(numbers.attribute.type, type)),
};

export const node = ({ op, inputs = [], outputs = [], attributes = [], name, domain }) =>
  concat(
    strings(numbers.node.input, inputs),
    strings(numbers.node.output, outputs),
    optional(numbers.node.name, name),
    bytes(numbers.node.op_type, op),
    strings(numbers.node.attribute, attributes),
    optional(numbers.node.domain, domain),
  );

/**
 * ValueInfoProto. Without a type it is a name alone, without dims it has no rank. A size is a number, a name, or null where nothing is
 * said.
 */
export function value(name, type, dims) {
  const { dim_param, dim_value } = numbers.dim;
  const size = (dim) =>
    dim === null ? [] : [typeof dim === 'string' ? bytes(dim_param, dim) : integer(dim_value, dim)];
  const shape = dims?.map((dim) => bytes(numbers.shape.dim, size(dim)));
  const { elem_type, shape: shapeNumber } = numbers.tensorType;
  const tensorType = () => [integer(elem_type, typeId(type)), optional(shapeNumber, shape)];
  const declared = type === undefined ? undefined : [bytes(numbers.type.tensor_type, tensorType())];
  return concat(bytes(numbers.value.name, name), optional(numbers.value.type, declared));
}

/** OperatorSetIdProto. */
export const opset = (domain, version) => [
  bytes(numbers.opset.domain, domain),
  integer(numbers.opset.version, version),
];
/** An import of a model. The default domain is left out, as onnx.proto allows. */
export const opsetImport = (domain, version) =>
  bytes(numbers.model.opset_import, opset(domain, version).slice(domain === '' ? 1 : 0));

export const graph = ({
  name = 'graph',
  nodes = [],
  inputs = [],
  outputs = [],
  initializers = [],
  sparseInitializers = [],
  values = [],
}) =>
  concat(
    strings(numbers.graph.node, nodes.map(node)),
    bytes(numbers.graph.name, name),
    strings(numbers.graph.initializer, initializers),
    strings(numbers.graph.input, inputs),
    strings(numbers.graph.output, outputs),
    strings(numbers.graph.value_info, values),
    strings(numbers.graph.sparse_initializer, sparseInitializers),
  );

/** A ModelProto. `opset` is that of the default domain, or a list of all imports: domain and version. */
export function model(spec) {
  const { ir = 8, opset: imports = 25 } = spec;
  return concat(
    integer(numbers.model.ir_version, ir),
    optional(numbers.model.producer_name, spec.producer),
    ...(typeof imports === 'number' ? [['', imports]] : imports).map((one) => opsetImport(...one)),
    bytes(numbers.model.graph, graph(spec)),
  );
}

// ---- Reading ----

function readVarint(message, at) {
  let value = 0n;
  for (let shift = 0n; ; shift += 7n) {
    const byte = message[at++];
    if (byte === undefined) throw new Error('the file ends within a field');
    value |= BigInt(byte & 127) << shift;
    if (byte < 128) return [Number(BigInt.asIntN(64, value)), at]; // negative integers have ten bytes
  }
}

/** The integers of a packed field. */
export function unpacked(message) {
  const values = [];
  for (let at = 0; at < message.length; ) {
    const [value, next] = readVarint(message, at);
    values.push(value);
    at = next;
  }
  return values;
}

/** The fields of a message, in their order: number, value (a number, or bytes), and the bytes of the whole field. */
export function* fieldsOf(message) {
  for (let at = 0; at < message.length; ) {
    const start = at;
    let [tag, place] = readVarint(message, at);
    let value;
    const kind = tag % 8;
    if (kind === 0) [value, at] = readVarint(message, place);
    else {
      let length = { 1: 8, 5: 4 }[kind];
      if (kind === 2) [length, place] = readVarint(message, place);
      if (length === undefined) throw new Error(`wire type ${kind}`);
      at = place + length;
      if (at > message.length) throw new Error('the file ends within a field');
      value = message.subarray(place, at);
    }
    yield { number: Math.floor(tag / 8), value, whole: message.subarray(start, at) };
  }
}

/** A function that gives the values of a field of the message, by number. */
export function fields(message) {
  const found = new Map();
  for (const { number, value } of fieldsOf(message)) {
    if (!found.has(number)) found.set(number, []);
    found.get(number).push(value);
  }
  return (number) => found.get(number) ?? [];
}

const decoder = new TextDecoder();
export const texts = (list) => list.map((one) => decoder.decode(one));

/** Name and value of an AttributeProto: number, text or list of them, or the bytes of a message. */
export function readAttribute(message) {
  const read = fields(message);
  const [kind, [, field]] =
    Object.entries(attributeTypes).find(([, [type]]) => type === read(numbers.attribute.type).at(-1)) ?? [];
  if (kind === undefined) throw new Error(`attribute of type ${read(numbers.attribute.type)}`);
  const floatOf = (four) => new DataView(four.buffer, four.byteOffset).getFloat32(0, true);
  const values = read(numbers.attribute[field]);
  const all = kind.startsWith('string') ? texts(values) : kind.startsWith('float') ? values.map(floatOf) : values;
  return [texts(read(numbers.attribute.name))[0], kind.endsWith('s') ? all : all.at(-1)];
}
