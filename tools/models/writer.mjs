// Fields of graphs and models one by one, for the playground's samples, for tests and for benchmarks.
import {
  attribute,
  bytes,
  concat,
  entry,
  integer,
  node as nodeOf,
  numbers,
  opset,
  sparseTensor,
  strings,
  tensorHead,
  tensor as tensorOf,
  value,
  varint,
} from '../../shared/onnx.js';

export { bytes, integer, typeId, varint } from '../../shared/onnx.js';

const ofGraph = (field) => (message) => bytes(numbers.graph[field], message);

/** TensorProto. */
export const tensor = (dims, values, type = 'float32') => tensorOf(type, dims, values);

/** An initializer of a graph. */
export const initializer = (name, dims, values, type = 'float32') =>
  ofGraph('initializer')(tensorOf(type, dims, values, name));

/** The tag and the length of a field whose content these parts are. */
const head = (field, parts) => [varint(field * 8 + 2), varint(parts.reduce((sum, { length }) => sum + length, 0))];

/** An initializer in parts, so that a model's bytes are the first copy of its elements. */
export function initializerParts(name, dims, values, type) {
  const data = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  const content = [tensorHead(type, dims, name), ...head(numbers.tensor.raw_data, [data]), data];
  return [...head(numbers.graph.initializer, content), ...content];
}

/** An initializer whose bytes are in another file. */
export const externalInitializer = (name, dims, type, { location, offset, length }) =>
  ofGraph('initializer')([
    tensorHead(type, dims, name),
    ...Object.entries({ location, offset, length }).map(([key, given]) =>
      bytes(numbers.tensor.external_data, entry(key, given)),
    ),
    integer(numbers.tensor.data_location, 1),
  ]);

/** An initializer that lists its elements other than zero, with their places in row-major order. */
export const sparseInitializer = (name, dims, values, places, type = 'float32') =>
  ofGraph('sparse_initializer')(
    sparseTensor(tensorOf(type, [values.length], values, name), tensor([places.length], places, 'int64'), dims, false),
  );

/** An attribute of a node. */
const attributeOf = (kind) => (name, given) => bytes(numbers.node.attribute, attribute[kind](name, given, false));
export const tensorAttribute = attributeOf('tensor');
export const integerAttribute = attributeOf('int');
export const integersAttribute = attributeOf('ints');
export const floatAttribute = attributeOf('float');
export const floatsAttribute = attributeOf('floats');
export const textAttribute = attributeOf('string');
export const textsAttribute = attributeOf('strings');
export const graphAttribute = (name, fields) =>
  attributeOf('graph')(name, [...fields, bytes(numbers.graph.name, name)]);
/**
 * An attribute within a function that takes its value from the call's attribute `of`, with this type (1 float, 2 integer, 7
 * integers).
 */
export const referenceAttribute = (name, of, type) =>
  bytes(numbers.node.attribute, attribute.raw(name, type, bytes(numbers.attribute.ref_attr_name, of)));

const nodeFields = (op, name, inputs, outputs, attributes = [], domain = undefined) =>
  concat(
    nodeOf({ op, inputs, outputs, name }),
    ...attributes,
    strings(numbers.node.domain, domain === undefined ? [] : [domain]),
  );

/** A NodeProto in a graph: its operator, name, inputs, outputs, attributes and domain. */
export const node = (...parts) => ofGraph('node')(nodeFields(...parts));

/** A FunctionProto: nodes are lists of node's arguments. */
export function functionOf(domain, name, { inputs, outputs, attributes = [], nodes, opset: version, imports = [] }) {
  const of = numbers.function;
  return bytes(numbers.model.functions, [
    bytes(of.name, name),
    strings(of.input, inputs),
    strings(of.output, outputs),
    strings(of.attribute, attributes),
    ...nodes.map((parts) => bytes(of.node, nodeFields(...parts))),
    bytes(of.opset_import, opset('', version)),
    ...imports.map((imported) => bytes(of.opset_import, opset(imported, 1))),
    bytes(of.domain, domain),
  ]);
}

/** A ValueInfoProto in a graph: its name, type and dims, as `value` has them. */
const declared = (field) => (name, type, dims) => ofGraph(field)(value(name, type, dims));
export const input = declared('input');
export const output = declared('output');
export const valueInfo = declared('value_info');

/** A ModelProto with a graph of these fields. Weights are copied once. */
export function model(name, graph, domains = [], { opset: version = 21, ir = 8, functions = [] } = {}) {
  const fields = [...graph, bytes(numbers.graph.name, name)];
  const imports = [['', version], ...domains.map((domain) => [domain, 1])];
  return Buffer.concat([
    integer(numbers.model.ir_version, ir),
    bytes(numbers.model.producer_name, 'broadloom'),
    ...imports.map((one) => bytes(numbers.model.opset_import, opset(...one))),
    ...head(numbers.model.graph, fields),
    ...fields,
    ...functions,
  ]);
}
