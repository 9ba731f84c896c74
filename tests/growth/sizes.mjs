// Sizes: names, expressions that grow, ranks; and what they cost in shapes that nodes compute.
import { GraphBuilder } from '../../tools/models/graph-builder.mjs';
import { chain, ofInput, ones, times } from './builders.mjs';

/** Inputs with a size each, which has a name of its own. */
function named(n, build, name = (i) => `N${i}`) {
  const graph = new GraphBuilder(21);
  const names = times(n, (i) => graph.input(`x${i}`, 'float32', [name(i)]));
  for (const y of [build(graph, names)].flat()) graph.output(y, 'float32', undefined);
  return { file: new Uint8Array(graph.model('g')), feeds: Object.fromEntries(names.map((x) => [x, ones()])) };
}

const filled = (graph, shape) => graph.op('ConstantOfShape', [shape]);
const sizeOf = (graph, x) => graph.op('Shape', [x]);
const reduce = (graph, operator, values) => values.reduce((a, b) => graph.op(operator, [a, b]));
const sizesOf = (graph, inputs) => inputs.map((x) => sizeOf(graph, x));

/** x joined with itself again and again would double; joined with one element, its size is N + 1, N + 2, ... */
const grow = (g, x) => g.op('Concat', [x, g.constant('float32', [1], [1])], { axis: 0 });

const ranks = (n, build) => ofInput((g, x) => chain(n, build)(g, x), { dims: Array(200).fill(1) });

function declaredSizes(n, rank) {
  const graph = new GraphBuilder(21);
  const names = times(n, (i) =>
    graph.input(
      `x${i}`,
      'float32',
      times(rank, (k) => `N${i}_${k}`),
    ),
  );
  graph.output(graph.op('Sum', names), 'float32', undefined);
  return {
    file: new Uint8Array(graph.model('g')),
    feeds: Object.fromEntries(names.map((x) => [x, ones('float32', Array(rank).fill(1))])),
  };
}

/** Dims of an input that are too many. */
function tooManyDims(n) {
  const graph = new GraphBuilder(21);
  graph.output(
    graph.op('Neg', [
      graph.input(
        'x',
        'float32',
        times(n, (i) => `N${i}`),
      ),
    ]),
    'float32',
    undefined,
  );
  return { file: new Uint8Array(graph.model('g')), refused: /255/ };
}

const openChain = (n, ...steps) => ofInput(chain(n, ...steps), { dims: [2], declared: ['N'] });
const shapeChain = (n, ...steps) =>
  ofInput((g, x) => filled(g, chain(n, ...steps)(g, sizeOf(g, x))), { dims: [2], declared: ['N'] });

export default {
  'names of sizes': [500, (n) => named(n, (g, inputs) => inputs.map((x) => g.op('Neg', [x])))],
  'names of sizes that one Sum makes equal': [300, (n) => named(n, (g, inputs) => g.op('Sum', inputs))],
  'names of sizes that one Concat adds': [300, (n) => named(n, (g, inputs) => g.op('Concat', inputs, { axis: 0 }))],
  'names of sizes that Concats add, one after the other': [
    200,
    (n) => named(n, (g, inputs) => inputs.reduce((a, b) => g.op('Concat', [a, b], { axis: 0 }))),
  ],
  'values of one name of a size': [
    500,
    (n) =>
      named(
        n,
        (g, inputs) => g.op('Sum', inputs),
        () => 'N',
      ),
  ],
  'the length of names of sizes': [
    2 ** 12,
    (n) =>
      named(
        20,
        (g, inputs) => g.op('Concat', inputs, { axis: 0 }),
        (i) => `${i}`.padEnd(n, 'x'),
      ),
  ],
  'sums of sizes': [200, (n) => named(n, (g, inputs) => filled(g, reduce(g, 'Add', sizesOf(g, inputs))))],
  'products of sizes': [200, (n) => named(n, (g, inputs) => filled(g, reduce(g, 'Mul', sizesOf(g, inputs))))],
  'maxima of sizes': [200, (n) => named(n, (g, inputs) => filled(g, reduce(g, 'Max', sizesOf(g, inputs))))],
  'quotients of sizes': [200, (n) => named(n, (g, inputs) => filled(g, reduce(g, 'Div', sizesOf(g, inputs))))],
  'sums and products of sizes': [
    200,
    (n) =>
      named(n, (g, inputs) =>
        filled(
          g,
          sizesOf(g, inputs).reduce((a, b, i) => g.op(i % 2 ? 'Add' : 'Mul', [a, b])),
        ),
      ),
  ],
  'a size that grows in each node': [200, (n) => openChain(n, grow)],
  'a size that is halved and grows': [
    200,
    (n) =>
      shapeChain(
        n,
        (g, s) => g.op('Div', [s, g.ints([2])]),
        (g, s) => g.op('Add', [s, g.ints([3])]),
      ),
  ],
  'a size that is squared': [200, (n) => shapeChain(n, (g, s) => g.op('Mod', [g.op('Mul', [s, s]), g.ints([7])]))],
  'Reshapes of a size that is squared': [
    100,
    (n) =>
      openChain(
        n,
        (g, x) => g.op('Reshape', [x, g.op('Concat', [g.op('Shape', [x]), g.ints([1, -1])], { axis: 0 })]),
        (g, x) => g.op('Reshape', [x, g.ints([-1])]),
      ),
  ],
  'Tiles of Slices': [
    100,
    (n) =>
      openChain(
        n,
        (g, x) => g.op('Tile', [x, g.op('Shape', [x])]),
        (g, x) => g.slice(x, [0], [2], [0]),
      ),
  ],
  'sizes of convolutions and pools': [
    100,
    (n) =>
      ofInput(
        chain(n, (g, x) => g.op('MaxPool', [x], { kernel_shape: [3, 3], strides: [2, 2], pads: [1, 1, 1, 1] })),
        { dims: [1, 1, 5, 5], declared: [1, 1, 'H', 'W'] },
      ),
  ],
  'a rank of 200 in each node': [
    30,
    (n) => ranks(n, (g, x) => g.op('Transpose', [x], { perm: times(200, (i) => 199 - i) })),
  ],
  'names of sizes of each of 200 axes': [10, (n) => declaredSizes(n, 200)],
  'more axes than a tensor can have': [1000, tooManyDims],
  'elements of a shape': [
    2000,
    (n) =>
      ofInput(
        (g, x) => {
          const shape = g.op('Concat', Array(n).fill(g.op('Shape', [x])), { axis: 0 });
          return g.op('Add', [x, g.op('Cast', [g.op('ReduceSum', [shape])], { to: 1 })]);
        },
        { declared: ['N'] },
      ),
  ],
};
