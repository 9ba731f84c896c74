// Graphs as data: { inputs, weights, nodes, outputs, infos }, where every list can be changed before the graph is written.
//
// A tensor is { type, dims, data }. A node is { operator, domain, inputs, outputs, attributes }, an attribute { name, kind, value };
// the kinds come from ONNX's schemas. A 'GRAPH' has a graph of this form; a 'REFERENCE', within a function, has { of, type }. A
// weight is a tensor with a name and `how` it is written: 'raw', 'external', 'sparse', or 'default' for one that is an input,
// too. A function has an opset of its own.
import {
  bytes,
  externalInitializer,
  floatAttribute,
  floatsAttribute,
  functionOf,
  graphAttribute,
  initializer,
  input,
  integerAttribute,
  integersAttribute,
  model,
  node,
  output,
  referenceAttribute,
  sparseInitializer,
  tensor,
  tensorAttribute,
  textAttribute,
  textsAttribute,
  valueInfo,
} from '../../../tools/models/writer.mjs';

export const domains = ['com.microsoft', 'local'];
const referenceTypes = { FLOAT: 1, INT: 2, STRING: 3, FLOATS: 6, INTS: 7, STRINGS: 8 };

export const emptyGraph = () => ({ inputs: [], weights: [], nodes: [], outputs: [], infos: [] });

const attributeWriters = {
  FLOAT: floatAttribute,
  INT: integerAttribute,
  STRING: textAttribute,
  FLOATS: floatsAttribute,
  INTS: integersAttribute,
  STRINGS: textsAttribute,
  TENSOR: (name, { dims, data, type }) => tensorAttribute(name, tensor(dims, data, type)),
  REFERENCE: (name, { of, type }) => referenceAttribute(name, of, referenceTypes[type]),
};

class Writer {
  external = [];
  #at = 0;

  attribute({ name, kind, value }) {
    if (kind === 'GRAPH') return graphAttribute(name, this.graph(value));
    return attributeWriters[kind](name, value);
  }

  weight({ name, dims, data, type, how }) {
    if (how === 'sparse') {
      const places = [...data.keys()].filter((i) => Number(data[i]) !== 0 || Object.is(data[i], -0));
      return sparseInitializer(
        name,
        dims,
        places.map((i) => data[i]),
        places,
        type,
      );
    }
    if (how !== 'external') return initializer(name, dims, data, type);
    const content = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    const offset = this.#at;
    this.external.push(content, Buffer.alloc(-content.length & 15));
    this.#at += content.length + (-content.length & 15);
    return externalInitializer(name, dims, type, { location: 'weights.bin', offset, length: content.length });
  }

  nodeArguments({ operator, inputs, outputs, attributes = [], domain, label = '' }) {
    return [operator, label, inputs, outputs, attributes.map((one) => this.attribute(one)), domain || undefined];
  }

  graph({ inputs, weights, nodes, outputs, infos = [] }) {
    const defaults = weights.filter(({ how }) => how === 'default');
    return [
      ...nodes.map((one) => node(...this.nodeArguments(one))),
      ...weights.map((one) => this.weight(one)),
      ...[...inputs, ...defaults].map(({ name, type, dims }) => input(name, type, dims)),
      ...outputs.map(({ name, type, dims }) => output(name, type, dims)),
      ...infos.map(({ name, type, dims }) => valueInfo(name, type, dims)),
    ];
  }

  function({ name, inputs, outputs, attributes, nodes, opset }) {
    const list = nodes.map((one) => this.nodeArguments(one));
    return functionOf('local', name, { inputs, outputs, attributes, nodes: list, opset, imports: domains });
  }
}

/** The file of a model { graph, functions, opset }, and the content of weights.bin, or undefined where it has none. */
export function write({ graph, functions = [], opset }) {
  const writer = new Writer();
  const written = functions.map((one) => writer.function(one));
  const ir = opset < 9 ? 4 : opset < 19 ? 8 : 10;
  const file = model('random', writer.graph(graph), domains, { opset, ir, functions: written });
  return { file, external: writer.external.length === 0 ? undefined : Buffer.concat(writer.external) };
}

const graphsOf = ({ attributes = [] }) => attributes.filter(({ kind }) => kind === 'GRAPH').map(({ value }) => value);

/** The names that nodes and outputs of a graph read from graphs around it. */
function capturesOf({ inputs, weights, nodes, outputs }) {
  const own = new Set([...inputs, ...weights].map(({ name }) => name));
  for (const one of nodes) for (const name of one.outputs) own.add(name);
  return [...nodes.flatMap(readsOf), ...outputs.map(({ name }) => name)].filter((name) => !own.has(name));
}

/** The names that a node and the nodes of its graphs read. */
export function readsOf(one) {
  return [...new Set([...one.inputs.filter((name) => name !== ''), ...graphsOf(one).flatMap(capturesOf)])];
}

/** All nodes of a graph, and of the graphs within its nodes. */
export function* allNodes({ nodes }) {
  for (const one of nodes) {
    yield one;
    for (const inner of graphsOf(one)) yield* allNodes(inner);
  }
}

/** The functions that nodes call, with those that these call. */
export function calledBy(nodes, functions) {
  const called = new Set();
  const visit = (list) => {
    for (const one of allNodes({ nodes: list })) {
      const found = one.domain === 'local' ? functions.find(({ name }) => name === one.operator) : undefined;
      if (found === undefined || called.has(found)) continue;
      called.add(found);
      visit(found.nodes);
    }
  };
  visit(nodes);
  return functions.filter((one) => called.has(one));
}

const listOf = (data) => {
  const list = Array.from(data).slice(0, 24);
  return `${list.map((value) => (Object.is(value, -0) ? '-0' : typeof value === 'string' ? JSON.stringify(value) : `${value}`)).join(' ')}${data.length > 24 ? ' ...' : ''}`;
};
export const show = (one) => (one === null ? 'none' : `${one.type} [${one.dims}] ${listOf(one.data)}`);

function showAttribute({ name, kind, value }, indent) {
  if (kind === 'GRAPH') return `${name}: {\n${textOf(value, `${indent}  `)}\n${indent}}`;
  if (kind === 'REFERENCE') return `${name}=@${value.of}`;
  return `${name}=${kind === 'TENSOR' ? `(${show(value)})` : JSON.stringify(value)}`;
}

const declared = ({ name, type, dims }) => `${name}: ${type} ${dims === undefined ? '?' : `[${dims.join(', ')}]`}`;
const textOfNode = (one, indent) => {
  const attributes = (one.attributes ?? []).map((each) => showAttribute(each, indent)).join(', ');
  const domain = one.domain ? `${one.domain}.` : '';
  return `${indent}${one.outputs.join(', ')} = ${domain}${one.operator}(${one.inputs.join(', ')}) ${attributes}`;
};

/** A graph as text, a line for each record. */
export function textOf({ inputs, weights, nodes, outputs, infos = [] }, indent = '') {
  return [
    ...inputs.map((one) => `${indent}input ${declared(one)}`),
    ...weights.map((one) => `${indent}weight ${one.name} (${one.how}): ${show(one)}`),
    ...nodes.map((one) => textOfNode(one, indent)),
    ...infos.map((one) => `${indent}info ${declared(one)}`),
    ...outputs.map((one) => `${indent}output ${declared(one)}`),
  ].join('\n');
}

export const textOfModel = ({ graph, functions = [], opset }) =>
  [
    `opset ${opset}`,
    ...functions.map(
      (one) =>
        `function ${one.name}(${one.inputs}) -> ${one.outputs} <${one.attributes}>, opset ${one.opset}\n${one.nodes.map((each) => textOfNode(each, '  ')).join('\n')}`,
    ),
    textOf(graph),
  ].join('\n');

export { bytes };
