// The structure of an .onnx file, read from the bytes alone and not by the library: what the library says of a model is
// compared with it. Only for files that are right.
import { createHash } from 'node:crypto';
import { fields, numbers, readAttribute, texts, unpacked } from '../../shared/onnx.js';

const text = (list) => texts(list).at(-1) ?? '';
const { model: ofModel, graph: ofGraph, node: ofNode, attribute: ofAttribute, function: ofFunction } = numbers;

function readNode(bytes) {
  const node = fields(bytes);
  const graphs = node(ofNode.attribute)
    .map(fields)
    .flatMap((attribute) =>
      attribute(ofAttribute.g).map((graph) => [text(attribute(ofAttribute.name)), readGraph(graph)]),
    );
  const plain = {
    operator: text(node(ofNode.op_type)),
    domain: text(node(ofNode.domain)),
    name: text(node(ofNode.name)),
    inputs: texts(node(ofNode.input)),
    outputs: texts(node(ofNode.output)),
  };
  return graphs.length === 0 ? plain : { ...plain, graphs: Object.fromEntries(graphs) };
}

const readGraph = (bytes) => fields(bytes)(ofGraph.node).map(readNode);

const mainGraph = (file) => fields(file)(ofModel.graph)[0];

/** The nodes of a model's main graph, as nested as they are. */
export const nodesOf = (file) => readGraph(mainGraph(file));

/** The attributes of the first node, by name. */
export function attributesOf(file) {
  const [node] = fields(mainGraph(file))(ofGraph.node);
  return Object.fromEntries(fields(node)(ofNode.attribute).map(readAttribute));
}

/** Every node of a list. The nodes of a node's graphs follow it: this is the order in which a model is checked. */
export const flat = (nodes) => nodes.flatMap((node) => [node, ...Object.values(node.graphs ?? {}).flatMap(flat)]);

const ownDomain = (domain) => (domain === 'ai.onnx' ? '' : domain);
const operatorName = (domain, name) => (ownDomain(domain) === '' ? name : `${domain}.${name}`);

/** The operators that the nodes of a model and of its functions call. A call of a function does not count. */
function operatorsOf(file) {
  const functions = fields(file)(ofModel.functions).map(fields);
  const own = new Set(functions.map((one) => operatorName(text(one(ofFunction.domain)), text(one(ofFunction.name)))));
  const nodes = [...nodesOf(file), ...functions.flatMap((one) => one(ofFunction.node).map(readNode))];
  const called = flat(nodes).map(({ domain, operator }) => operatorName(domain, operator));
  return new Set(called.filter((name) => !own.has(name)));
}

/** The kinds of values, besides tensors, among the inputs, outputs and value_info of a graph and of those in its nodes. */
function otherValues(graph) {
  const { sequence_type, map_type, sparse_tensor_type, optional_type } = numbers.type;
  const kinds = {
    [sequence_type]: 'sequence',
    [map_type]: 'map',
    [sparse_tensor_type]: 'sparse tensor',
    [optional_type]: 'optional',
  };
  const infos = [ofGraph.input, ofGraph.output, ofGraph.value_info].flatMap((field) => graph(field));
  const found = infos.flatMap((info) => {
    const types = fields(info)(numbers.value.type).map(fields);
    return Object.keys(kinds).filter((field) => types.some((type) => type(Number(field)).length > 0));
  });
  const attributes = graph(ofGraph.node).flatMap((node) => fields(node)(ofNode.attribute).map(fields));
  const inner = attributes.flatMap((attribute) => attribute(ofAttribute.g)).flatMap((one) => otherValues(fields(one)));
  return [...found.map((field) => kinds[field]), ...inner];
}

/** The needs of a model: the names of its operators, and of the kinds of values besides tensors (`values: map`). */
export function needsOf(file) {
  const kinds = otherValues(fields(mainGraph(file))).map((kind) => `values: ${kind}`);
  return [...operatorsOf(file), ...new Set(kinds)];
}

const tensorName = (bytes) => text(fields(bytes)(numbers.tensor.name));
const valueName = (bytes) => text(fields(bytes)(numbers.value.name));

const initializerNames = (graph) => [
  ...graph(ofGraph.initializer).map(tensorName),
  ...graph(ofGraph.sparse_initializer).map((sparse) => tensorName(fields(sparse)(numbers.sparseTensor.values).at(-1))),
];

function outline(bytes, constantDefaults) {
  const graph = fields(bytes);
  const inputs = graph(ofGraph.input).map(valueName);
  const isOpen = (name) => !constantDefaults && inputs.includes(name);
  return {
    inputs,
    outputs: graph(ofGraph.output).map(valueName),
    initializers: initializerNames(graph),
    constants: initializerNames(graph).filter((name) => !isOpen(name)),
    nodes: graph(ofGraph.node).map((node) => {
      const attributes = fields(node)(ofNode.attribute).map(fields);
      const graphs = attributes.flatMap((attribute) => [...attribute(ofAttribute.g), ...attribute(ofAttribute.graphs)]);
      return { ...readNode(node), graphs: graphs.map((inner) => outline(inner, constantDefaults)) };
    }),
  };
}

/**
 * A graph with the names of its inputs, outputs, initializers and of those that no caller can replace (constants). Before IR
 * version 4 every initializer had to be an input, so there all are constants.
 */
export const outlineOf = (file) => outline(mainGraph(file), (fields(file)(ofModel.ir_version).at(-1) ?? 0) < 4);

/** The nodes of a model's functions. */
export const functionNodesOf = (file) =>
  fields(file)(ofModel.functions).flatMap((one) => fields(one)(ofFunction.node).map(readNode));

/** The names of the functions that a file defines, as calls of nodes name them: with the domain where it is not ONNX's. */
export const functionNamesOf = (file) =>
  fields(file)(ofModel.functions).map((one) => {
    const [name, domain] = [ofFunction.name, ofFunction.domain].map((number) => text(fields(one)(number)));
    return domain === '' || domain === 'ai.onnx' ? name : `${domain}.${name}`;
  });

/** The fields of each initializer's TensorProto in the main graph, by name; in whatever order and packing its fields are. */
export const initializersOf = (file) =>
  new Map(
    fields(mainGraph(file))(ofGraph.initializer).map((bytes) => {
      const tensor = fields(bytes);
      const { dims: dimsField, name, segment, ...others } = numbers.tensor;
      const dims = tensor(dimsField).flatMap((dim) => (typeof dim === 'number' ? dim : unpacked(dim)));
      const rest = Object.values(others).map((number) => [number, tensor(number)]);
      const said = rest.filter(([, values]) => values.length > 0);
      return [text(tensor(name)), { dims, said: said.map(([number, values]) => [number, values.map(plain)]) }];
    }),
  );
const plain = (value) => (typeof value === 'number' ? value : createHash('sha256').update(value).digest('hex'));

/** The fields of ModelProto besides its graph and functions, by number: what nobody should change. */
export function headOf(file) {
  const model = fields(file);
  const { graph, functions, ...others } = ofModel;
  return Object.values(others).map((number) =>
    model(number).map((one) => (typeof one === 'number' ? one : Buffer.from(one).toString('hex'))),
  );
}
