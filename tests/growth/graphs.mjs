// Graphs within graphs, and functions.
import * as onnx from '../../tools/models/writer.mjs';
import { isDeep } from '../depth.mjs';
import { chain, ofInput, ones, times } from './builders.mjs';

const { bytes, integer } = onnx;

/** The graph of a branch: what `build` makes of a value from outside. */
function branch(graph, x, build) {
  const inner = graph.inner();
  inner.output(build(inner, x), 'float32', undefined);
  return inner;
}

const open = (graph, x) => graph.op('Cast', [graph.op('ReduceMax', [x], { keepdims: 0 })], { to: 9 });

function ifs(n, isOpen) {
  return ofInput((graph, x) => {
    const condition = isOpen ? open(graph, x) : graph.constant('bool', [], [1]);
    const step = (g, y) =>
      g.op('If', [condition], {
        then_branch: branch(g, y, (inner, z) => inner.op('Neg', [z])),
        else_branch: branch(g, y, (inner, z) => inner.op('Exp', [z])),
      });
    return chain(n, step)(graph, x);
  });
}

/** A Loop whose body makes `build` of the carried value. */
function loop(graph, x, count, build) {
  const body = graph.inner();
  const [i, condition, value] = ['i', 'c', 'v'].map((name) => body.name(name));
  body.input(i, 'int64', []);
  body.input(condition, 'bool', []);
  body.input(value, 'float32', undefined);
  body.output(body.op('Identity', [condition]), 'bool', []);
  body.output(build(body, value), 'float32', undefined);
  return graph.op('Loop', [graph.int(count), '', x], { body });
}

const loops = (n, count) => ofInput(chain(n, (g, y) => loop(g, y, count, (body, v) => body.op('Neg', [v]))));
const longBody = (n) =>
  ofInput((g, x) =>
    loop(
      g,
      x,
      3,
      chain(n, (b, v, i) => b.op('Mul', [v, b.number(i)])),
    ),
  );

/** A Loop with n carried values. */
function carried(n) {
  return ofInput((graph, x) => {
    const body = graph.inner();
    body.input('i', 'int64', []);
    body.input('c', 'bool', []);
    const values = times(n, (i) => body.input(`v${i}`, 'float32', undefined));
    body.output(body.op('Identity', ['c']), 'bool', []);
    for (const value of values) body.output(body.op('Neg', [value]), 'float32', undefined);
    return graph.op('Sum', graph.op('Loop', [graph.int(2), '', ...Array(n).fill(x)], { body }, n));
  });
}

/** A Scan with n states and n outputs. */
function scanned(n) {
  return ofInput((graph, x) => {
    const body = graph.inner();
    const states = times(n, (i) => body.input(`s${i}`, 'float32', [1]));
    const row = body.input('row', 'float32', []);
    for (const state of states) body.output(body.op('Add', [state, row]), 'float32', [1]);
    const outputs = graph.op('Scan', [...Array(n).fill(x), x], { body, num_scan_inputs: 1 }, n);
    return graph.op('Sum', outputs);
  });
}

/** An If whose branches read n values from outside. */
function captures(n) {
  return ofInput((graph, x) => {
    const values = times(n, (i) => graph.op('Mul', [x, graph.number(i)]));
    return graph.op('If', [open(graph, x)], {
      then_branch: branch(graph, x, (inner) => inner.op('Sum', values)),
      else_branch: branch(graph, x, (inner) => inner.op('Max', values)),
    });
  });
}

function outputsOfIf(n) {
  return ofInput((graph, x) => {
    const side = (operator) => {
      const inner = graph.inner();
      for (let i = 0; i < n; i++) inner.output(inner.op(operator, [x]), 'float32', undefined);
      return inner;
    };
    const values = graph.op('If', [open(graph, x)], { then_branch: side('Neg'), else_branch: side('Exp') }, n);
    return graph.op('Sum', values);
  });
}

/** Graphs of 28 levels. Each has nodes of its own. */
function nested(n, make) {
  const level = (graph, x, depth) =>
    depth === 0
      ? x
      : make(graph, x, (inner, y) =>
          chain(n, (g, z, i) => g.op('Mul', [z, g.number(i)]))(inner, level(inner, y, depth - 1)),
        );
  return ofInput((graph, x) => level(graph, x, 28));
}

const inIf = (graph, x, build) =>
  graph.op('If', [open(graph, x)], {
    then_branch: branch(graph, x, build),
    else_branch: branch(graph, x, (g, y) => g.op('Neg', [y])),
  });
const inLoop = (graph, x, build) => loop(graph, x, 1, build);

const domain = 'own';
const inner = (nodes, options = {}) => ({
  inputs: ['a'],
  outputs: ['b'],
  nodes,
  opset: 21,
  imports: [domain],
  ...options,
});
const ofFunctions = (functions, nodes, fields = []) => ({
  file: new Uint8Array(
    onnx.model(
      'g',
      [onnx.input('x', 'float32', [1]), onnx.output('y', 'float32', undefined), ...nodes, ...fields],
      [domain],
      {
        functions,
      },
    ),
  ),
  feeds: { x: ones() },
});
const calls = (n, name) =>
  times(n, (i) =>
    onnx.node(name(i), `n${i}`, [i === 0 ? 'x' : `v${i}`], [i === n - 1 ? 'y' : `v${i + 1}`], [], domain),
  );
const functionNamed = (name, nodes, options) => onnx.functionOf(domain, name, inner(nodes, options));
const twice = [
  ['Neg', '', ['a'], ['c']],
  ['Exp', '', ['c'], ['b']],
];

const manyFunctions = (n) =>
  ofFunctions(
    times(n, (i) => functionNamed(`F${i}`, twice)),
    calls(n, (i) => `F${i}`),
  );
const unusedFunctions = (n) =>
  ofFunctions(
    times(n, (i) => functionNamed(`F${i}`, twice)),
    calls(1, () => 'F0'),
  );
const functionCalledOften = (n) =>
  ofFunctions(
    [functionNamed('F', twice)],
    calls(n, () => 'F'),
  );
const longFunction = (n) =>
  ofFunctions(
    [
      functionNamed(
        'F',
        times(n, (i) => ['Neg', '', [i === 0 ? 'a' : `v${i}`], [i === n - 1 ? 'b' : `v${i + 1}`]]),
      ),
    ],
    calls(2, () => 'F'),
  );
/** A function that calls another one n times. */
const callsOfCalls = (n) =>
  ofFunctions(
    times(2, (k) =>
      functionNamed(
        `F${k}`,
        k === 1
          ? twice
          : times(n, (i) => ['F1', '', [i === 0 ? 'a' : `v${i}`], [i === n - 1 ? 'b' : `v${i + 1}`], [], domain]),
      ),
    ),
    calls(1, () => 'F0'),
  );
/** Each function calls the next one `each` times: each^n nodes, which no file of this size may ask for. */
const exponential = (n, each) => ({
  ...ofFunctions(
    times(20, (k) =>
      functionNamed(
        `F${k}`,
        k === 19 ? twice : times(each, (i) => [`F${k + 1}`, '', ['a'], [i === each - 1 ? 'b' : `v${i}`], [], domain]),
      ),
    ),
    calls(1, () => 'F0'),
    times(n, (i) => onnx.initializer(`w${i}`, [1], [1])),
  ),
  refused: /calls of functions (make too many nodes|read too many bytes) for a file of this size/,
});
const parametersOfFunction = (n) => {
  const names = times(n, (i) => `a${i}`);
  const call = onnx.node('F', 'n', Array(n).fill('x'), ['y'], [], domain);
  return ofFunctions(
    [onnx.functionOf(domain, 'F', { inputs: names, outputs: ['b'], nodes: [['Sum', '', names, ['b']]], opset: 21 })],
    [call],
  );
};
const attributesOfFunction = (n) => {
  const names = times(n, (i) => `alpha${i}`);
  const nodes = names.map((name, i) => [
    'Elu',
    '',
    [i === 0 ? 'a' : `v${i}`],
    [i === n - 1 ? 'b' : `v${i + 1}`],
    [onnx.referenceAttribute('alpha', name, 1)],
  ]);
  const call = onnx.node(
    'F',
    'n',
    ['x'],
    ['y'],
    names.map((name) => onnx.floatAttribute(name, 2)),
    domain,
  );
  return ofFunctions([functionNamed('F', nodes, { attributes: names })], [call]);
};
const importsOfFunction = (n) =>
  ofFunctions(
    [functionNamed('F', twice, { imports: times(n, (i) => `domain${i}`) })],
    calls(1, () => 'F'),
  );

/** A graph within a graph, and so on: deeper than a model may be. */
function deepFile(n) {
  // From the inside out, so that it takes linear time: each level is a node with a graph.
  const parts = [];
  let length = 0;
  for (let i = 0; i < n; i++) {
    for (const field of [6, 5, 1]) {
      const head = Buffer.concat([onnx.varint(field * 8 + 2), onnx.varint(length)]);
      parts.push(head);
      length += head.length;
    }
  }
  const graph = Buffer.concat(parts.reverse());
  return {
    file: new Uint8Array(Buffer.concat([integer(1, 8), bytes(8, [bytes(1, ''), integer(2, 21)]), bytes(7, graph)])),
    refused: /./,
  };
}

/** Types of sequences of sequences. */
function deepType(n) {
  const parts = [];
  let length = 0;
  for (let i = 0; i < n; i++) {
    for (const field of [1, 4]) {
      const head = Buffer.concat([onnx.varint(field * 8 + 2), onnx.varint(length)]);
      parts.push(head);
      length += head.length;
    }
  }
  const input = bytes(11, [bytes(1, 'x'), bytes(2, Buffer.concat(parts.reverse()))]);
  return { file: new Uint8Array(onnx.model('g', [input])), isEither: true };
}

export default {
  'Ifs in a row that constants decide': [100, (n) => ifs(n, false)],
  'Ifs in a row': [100, (n) => ifs(n, true)],
  'captures of a branch': [500, captures],
  'outputs of an If': [500, outputsOfIf],
  'Loops in a row': [50, (n) => loops(n, 2)],
  'nodes of the body of a Loop': [300, longBody],
  'values that a Loop carries': [500, carried],
  'states of a Scan': [300, scanned],
  'nodes of each of nested Ifs': [4, (n) => nested(n, inIf)],
  'nodes of each of nested Loops': [4, (n) => nested(n, inLoop)],
  functions: [300, manyFunctions],
  'functions that nobody calls': [500, unusedFunctions],
  'calls of one function': [2000, functionCalledOften],
  'nodes of a function': [500, longFunction],
  'calls of functions by functions': [100, callsOfCalls],
  // The nodes that any file may ask for take half a second.
  ...(isDeep && { 'functions that call others twice': [500, (n) => exponential(n, 2)] }),
  'parameters of a function': [1000, parametersOfFunction],
  'attributes of a function': [300, attributesOfFunction],
  'imports of a function': [1000, importsOfFunction],
  'graphs that are too deep': [1250, deepFile],
  'types that are too deep': [1250, deepType],
};
