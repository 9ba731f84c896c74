// The structure of an .onnx file, read from the bytes alone and not by the library: what the library says of a model is
// compared with it. Only for files that are right. Field numbers come from onnx/onnx.proto.
import { createHash } from 'node:crypto';

/** The fields of a message: for each field number its values, numbers or bytes, in their order. */
function fields(bytes) {
  const found = new Map();
  let position = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[position++];
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return Number(BigInt.asIntN(64, value)); // negative integers have ten bytes
    }
  };
  const take = (length) => {
    if (position + length > bytes.length) throw new Error('the file ends within a field');
    position += length;
    return bytes.subarray(position - length, position);
  };
  while (position < bytes.length) {
    const tag = varint();
    const read = { 0: varint, 1: () => take(8), 2: () => take(varint()), 5: () => take(4) }[tag % 8];
    if (read === undefined) throw new Error(`wire type ${tag % 8}`);
    if (!found.has(tag >> 3)) found.set(tag >> 3, []);
    found.get(tag >> 3).push(read());
  }
  return (number) => found.get(number) ?? [];
}

const decoder = new TextDecoder();
const texts = (list) => list.map((bytes) => decoder.decode(bytes));
const text = (list) => texts(list).at(-1) ?? '';

function readNode(bytes) {
  const node = fields(bytes);
  const graphs = node(5)
    .map(fields)
    .flatMap((attribute) => attribute(6).map((graph) => [text(attribute(1)), readGraph(graph)]));
  const plain = {
    operator: text(node(4)),
    domain: text(node(7)),
    name: text(node(3)),
    inputs: texts(node(1)),
    outputs: texts(node(2)),
  };
  return graphs.length === 0 ? plain : { ...plain, graphs: Object.fromEntries(graphs) };
}

const readGraph = (bytes) => fields(bytes)(1).map(readNode);

/** The nodes of a model's main graph, as nested as they are. */
export const nodesOf = (file) => readGraph(fields(file)(7)[0]);

/** Name and value of each attribute of a node: number, text or list of them, or the bytes of a TensorProto. */
function readAttribute(bytes) {
  const attribute = fields(bytes);
  const float = (four) => four.readFloatLE();
  const read = {
    1: () => float(attribute(2).at(-1)),
    2: () => attribute(3).at(-1),
    3: () => text(attribute(4)),
    4: () => attribute(5).at(-1),
    6: () => attribute(7).map(float),
    7: () => attribute(8),
    8: () => texts(attribute(9)),
  }[attribute(20).at(-1)];
  if (read === undefined) throw new Error(`attribute of type ${attribute(20)}`);
  return [text(attribute(1)), read()];
}

/** The attributes of the first node, by name. `file` is a Buffer. */
export function attributesOf(file) {
  const [node] = fields(fields(file)(7)[0])(1);
  return Object.fromEntries(fields(node)(5).map(readAttribute));
}

/** Every node of a list. The nodes of a node's graphs follow it: this is the order in which a model is checked. */
export const flat = (nodes) => nodes.flatMap((node) => [node, ...Object.values(node.graphs ?? {}).flatMap(flat)]);

const ownDomain = (domain) => (domain === 'ai.onnx' ? '' : domain);
const operatorName = (domain, name) => (ownDomain(domain) === '' ? name : `${domain}.${name}`);

/** The operators that the nodes of a model and of its functions call. A call of a function does not count. */
function operatorsOf(file) {
  const functions = fields(file)(25).map(fields);
  const own = new Set(functions.map((one) => operatorName(text(one(10)), text(one(1)))));
  const nodes = [...nodesOf(file), ...functions.flatMap((one) => one(7).map(readNode))];
  const called = flat(nodes).map(({ domain, operator }) => operatorName(domain, operator));
  return new Set(called.filter((name) => !own.has(name)));
}

/** The kinds of values, besides tensors, among the inputs, outputs and value_info of a graph and of those in its nodes. */
function otherValues(graph) {
  const kinds = { 4: 'sequence', 5: 'map', 8: 'sparse tensor', 9: 'optional' };
  const infos = [11, 12, 13].flatMap((field) => graph(field));
  const found = infos.flatMap((info) => {
    const types = fields(info)(2).map(fields);
    return Object.keys(kinds).filter((field) => types.some((type) => type(Number(field)).length > 0));
  });
  const attributes = graph(1).flatMap((node) => fields(node)(5).map(fields));
  const inner = attributes.flatMap((attribute) => attribute(6)).flatMap((one) => otherValues(fields(one)));
  return [...found.map((field) => kinds[field]), ...inner];
}

/** The needs of a model: the names of its operators, and of the kinds of values besides tensors (`values: map`). */
export function needsOf(file) {
  const kinds = otherValues(fields(fields(file)(7)[0])).map((kind) => `values: ${kind}`);
  return [...operatorsOf(file), ...new Set(kinds)];
}

const initializerNames = (graph) => [
  ...graph(5).map((tensor) => text(fields(tensor)(8))),
  ...graph(15).map((sparse) => text(fields(fields(sparse)(1).at(-1))(8))),
];

function outline(bytes, constantDefaults) {
  const graph = fields(bytes);
  const inputs = texts(graph(11).map((value) => fields(value)(1).at(-1)));
  const isOpen = (name) => !constantDefaults && inputs.includes(name);
  return {
    inputs,
    outputs: texts(graph(12).map((value) => fields(value)(1).at(-1))),
    initializers: initializerNames(graph),
    constants: initializerNames(graph).filter((name) => !isOpen(name)),
    nodes: graph(1).map((node) => {
      const attributes = fields(node)(5).map(fields);
      const graphs = attributes.flatMap((attribute) => [...attribute(6), ...attribute(11)]);
      return { ...readNode(node), graphs: graphs.map((inner) => outline(inner, constantDefaults)) };
    }),
  };
}

/**
 * A graph with the names of its inputs, outputs, initializers and of those that no caller can replace (constants). Before IR
 * version 4 every initializer had to be an input, so there all are constants.
 */
export const outlineOf = (file) => outline(fields(file)(7)[0], (fields(file)(1).at(-1) ?? 0) < 4);

/** The nodes of a model's functions. */
export const functionNodesOf = (file) => fields(file)(25).flatMap((one) => fields(one)(7).map(readNode));

/** The names of the functions that a file defines, as calls of nodes name them: with the domain where it is not ONNX's. */
export const functionNamesOf = (file) =>
  fields(file)(25).map((one) => {
    const [name, domain] = [1, 10].map((number) => text(fields(one)(number)));
    return domain === '' || domain === 'ai.onnx' ? name : `${domain}.${name}`;
  });

/** The fields of each initializer's TensorProto in the main graph, by name; in whatever order and packing its fields are. */
export const initializersOf = (file) =>
  new Map(
    fields(fields(file)(7)[0])(5).map((bytes) => {
      const tensor = fields(bytes);
      const dims = tensor(1).flatMap((dim) => (typeof dim === 'number' ? dim : varintsOf(dim)));
      const rest = [2, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 16].map((number) => [number, tensor(number)]);
      const said = rest.filter(([, values]) => values.length > 0);
      return [text(tensor(8)), { dims, said: said.map(([number, values]) => [number, values.map(plain)]) }];
    }),
  );
const plain = (value) => (typeof value === 'number' ? value : createHash('sha256').update(value).digest('hex'));
function varintsOf(bytes) {
  const values = [];
  for (let at = 0; at < bytes.length; ) {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++];
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) break;
    }
    values.push(Number(BigInt.asIntN(64, value)));
  }
  return values;
}

/** The fields of ModelProto besides its graph and functions, by number: what nobody should change. */
export function headOf(file) {
  const model = fields(file);
  return [1, 2, 3, 4, 5, 6, 8, 14].map((number) =>
    model(number).map((one) => (typeof one === 'number' ? one : one.toString('hex'))),
  );
}
