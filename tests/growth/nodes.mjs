// Graphs of many nodes: chains, rows, fans; and each thing that one node can have many of.

import { GraphBuilder } from '../../tools/models/graph-builder.mjs';
import { chain, ofInput, ones, step, times } from './builders.mjs';

const wide = (n, each) => ofInput((g, x) => times(n, (i) => each(g, x, i)));
const joined = (n, each, operator = 'Sum', attributes = {}) =>
  ofInput((g, x) =>
    g.op(
      operator,
      times(n, (i) => each(g, x, i)),
      attributes,
    ),
  );

/** Adds of two values each, until one is left. */
function tree(graph, values) {
  let level = values;
  while (level.length > 1)
    level = times(Math.ceil(level.length / 2), (i) =>
      level[2 * i + 1] === undefined ? level[2 * i] : graph.op('Add', [level[2 * i], level[2 * i + 1]]),
    );
  return level[0];
}

function lastTwo(graph, x, n) {
  let [a, b] = [x, graph.op('Neg', [x])];
  for (let i = 0; i < n; i++) [a, b] = [b, graph.op('Add', [a, b])];
  return b;
}

function inReverse(n) {
  return ofInput((graph, x) => {
    const y = chain(n, step('Neg'), step('Exp'))(graph, x);
    graph.reorder((nodes) => nodes.reverse());
    return y;
  });
}

function readersOfOneConstant(n) {
  return ofInput((graph, x) => {
    const constant = graph.weight('w', [1], [3]);
    return chain(n, (g, y) => g.op('Mul', [y, constant]), step('Sin'))(graph, x);
  });
}

function manyInputs(n) {
  const graph = new GraphBuilder(21);
  const names = times(n, (i) => graph.input(`input_${i}`, 'float32', [1]));
  graph.output(graph.op('Sum', names), 'float32', [1]);
  return { file: new Uint8Array(graph.model('g')), feeds: Object.fromEntries(names.map((name) => [name, ones()])) };
}

function throughInputs(n) {
  const graph = new GraphBuilder(21);
  const names = times(n, (i) => graph.input(`input_${i}`, 'float32', [1]));
  for (const name of names) graph.output(name, 'float32', [1]);
  return { file: new Uint8Array(graph.model('g')), feeds: Object.fromEntries(names.map((name) => [name, ones()])) };
}

/** Inputs with defaults, which are not fed. */
function inputsWithDefaults(n) {
  return ofInput((graph, x) => {
    const names = times(n, (i) => {
      const name = graph.weight('w', [1], [i]);
      graph.input(name, 'float32', [1]);
      return name;
    });
    return graph.op('Sum', [x, ...names]);
  });
}

function dead(n) {
  return ofInput((graph, x) => {
    chain(n, step('Neg'), step('Exp'))(graph, x);
    return graph.op('Abs', [x]);
  });
}

export default {
  'nodes in a chain': [8000, (n) => ofInput(chain(n, step('Neg'), step('Abs'), step('Exp')))],
  'nodes in a chain that does not fuse': [500, (n) => ofInput(chain(n, step('Softmax'), step('Neg')), { dims: [2] })],
  'nodes side by side': [500, (n) => wide(n, (g, x, i) => g.op('Add', [x, g.number(i)]))],
  'values that one Sum takes': [500, (n) => joined(n, (g, x, i) => g.op('Mul', [x, g.number(i)]))],
  'values that one Concat takes': [
    500,
    (n) => joined(n, (g, x, i) => g.op('Mul', [x, g.number(i)]), 'Concat', { axis: 0 }),
  ],
  'readers of one constant': [500, readersOfOneConstant],
  'nodes in reverse order': [500, inReverse],
  'a tree of Adds': [
    500,
    (n) =>
      ofInput((g, x) =>
        tree(
          g,
          times(n, (i) => g.op('Mul', [x, g.number(i)])),
        ),
      ),
  ],
  'sums of the last two values': [300, (n) => ofInput((g, x) => lastTwo(g, x, n))],
  'sums of a value and itself': [300, (n) => ofInput(chain(n, (g, x) => g.op('Add', [x, x])))],
  'inputs of Concat': [3000, (n) => ofInput((g, x) => g.op('Concat', Array(n).fill(x), { axis: 0 }))],
  'inputs of Sum': [3000, (n) => ofInput((g, x) => g.op('Sum', Array(n).fill(x)))],
  'inputs of Max': [3000, (n) => ofInput((g, x) => g.op('Max', Array(n).fill(x)))],
  'inputs of Mean': [3000, (n) => ofInput((g, x) => g.op('Mean', Array(n).fill(x)))],
  'outputs of Split': [
    4000,
    (n) => ofInput((g, x) => g.op('Split', [x], { axis: 0, num_outputs: n }, n), { dims: [n] }),
  ],
  'outputs of Split that are joined again': [
    1000,
    (n) =>
      ofInput((g, x) => g.op('Concat', g.op('Split', [x], { axis: 0, num_outputs: n }, n), { axis: 0 }), { dims: [n] }),
  ],
  'parts of Split in chains': [
    300,
    (n) =>
      ofInput(
        (g, x) =>
          g.op(
            'Sum',
            g.op('Split', [x], { axis: 0, num_outputs: n }, n).map((y) => g.op('Tanh', [y])),
          ),
        {
          dims: [n],
        },
      ),
  ],
  'dead nodes': [1000, dead],
  'equal nodes': [1000, (n) => joined(n, (g, x) => g.op('Exp', [x]))],
  'equal chains': [300, (n) => joined(n, (g, x) => g.op('Sin', [g.op('Softmax', [x])]))],
  'equal constants': [500, (n) => joined(n, (g, x) => g.op('Mul', [x, g.constant('float32', [2], [1, 2])]))],
  'constants that differ': [500, (n) => joined(n, (g, x, i) => g.op('Mul', [x, g.constant('float32', [2], [1, i])]))],
  'graph outputs': [4000, (n) => wide(n, (g, x) => g.op('Neg', [x]))],
  'graph inputs': [4000, manyInputs],
  'graph inputs that are outputs': [1000, throughInputs],
  'graph inputs with defaults': [1000, inputsWithDefaults],
};
