// Small graphs that `simplify` makes smaller. Each has one pattern of an exporter.
import { float, GraphBuilder } from '../../tools/models/graph-builder.mjs';

const numbers = (count, step = 0.37) => Array.from({ length: count }, (_, i) => Math.fround(Math.sin(i * step + 1)));
const weights = (g, ...dims) => g.weight('w', dims, numbers(dims.reduce((product, dim) => product * dim, 1)));
const zeros = (g, ...dims) => g.op('ConstantOfShape', [g.sizes(dims)]);

/** The scan output of a Loop without iterations: empty, with unknown dims. */
function nothing(g) {
  const body = g.inner();
  body.input('j', 'int64', []);
  body.input('goes_on', 'bool', []);
  body.output(body.op('Identity', ['goes_on']), 'bool', []);
  body.output(body.op('Neg', [body.constant('float32', [3], [1, 2, 3])]), 'float32', undefined);
  return g.op('Loop', [g.int(0), g.constant('bool', [], [1])], { body });
}

/**
 * By name: the dims of x, a function that makes y from x, and the operators that are left after exact passes. `fused` has those
 * with fuseInexact, if they differ. `opset` is 13 by default; `inputs` is the number of inputs of the last node; `options` are other
 * options of `simplify`.
 */
export const pairs = {
  ...Object.fromEntries(
    ['ReduceMean', 'ReduceSum', 'ReduceMax', 'ReduceL2', 'ReduceLogSumExp'].map((operator) => [
      `${operator}, then the axes again`,
      { dims: ['n', 3, 'w'], make: (g) => g.unsqueeze(g.reduce(operator, 'x', [1, 2], 0), 1, 2), left: [operator] },
    ]),
  ),
  'ReduceMean of version 18, then the last axis again': {
    ...{ dims: ['n', 3, 4], opset: 18, left: ['ReduceMean'] },
    make: (g) => g.unsqueeze(g.reduce('ReduceMean', 'x', [-1], 0), -1),
  },
  'a reduction of one axis, then another one': {
    ...{ dims: [2, 3, 4], left: ['ReduceMean', 'Unsqueeze'] },
    make: (g) => g.unsqueeze(g.reduce('ReduceMean', 'x', [1], 0), 0),
  },
  'a reduction that is read twice': {
    ...{ dims: [2, 3, 4], left: ['ReduceMax', 'Unsqueeze', 'ReduceSum', 'Mul'] },
    make: (g) => {
      const most = g.reduce('ReduceMax', 'x', [1], 0);
      return g.op('Mul', [g.unsqueeze(most, 1), g.reduce('ReduceSum', most, [0], 1)]);
    },
  },
  'Concats of Concats': {
    ...{ dims: ['n', 3], left: ['Neg', 'Exp', 'Concat'] },
    make: (g) => {
      const [a, b] = [g.op('Neg', ['x']), g.op('Exp', ['x'])];
      const one = g.op('Concat', [a, b], { axis: 1 });
      const other = g.op('Concat', [b, 'x'], { axis: 1 });
      return g.op('Concat', [a, g.op('Concat', [one, other], { axis: 1 }), b], { axis: 1 });
    },
  },
  'Concats along other axes': {
    ...{ dims: ['n', 3], left: ['Concat', 'Concat'] },
    make: (g) =>
      g.op('Concat', [g.op('Concat', ['x', 'x'], { axis: 0 }), g.op('Concat', ['x', 'x'], { axis: 0 })], { axis: 1 }),
  },
  'Relu of Relu, and Round of Round': {
    ...{ dims: ['n', 3], left: ['Relu', 'Round'] },
    make: (g) => g.op('Round', [g.op('Round', [g.op('Relu', [g.op('Relu', ['x'])])])]),
  },
  'a Split into one': { dims: ['n', 4], left: ['Neg'], make: (g) => g.op('Split', [g.op('Neg', ['x'])], { axis: 1 }) },
  'the first power, whose NaNs have other bits': {
    ...{ dims: ['n', 4], left: ['Neg', 'Pow'], fused: ['Neg'] },
    make: (g) => g.op('Pow', [g.op('Neg', ['x']), g.number(1)]),
  },
  'the first power of integers beyond 2^53, which the oracle rounds': {
    ...{ dims: ['n', 4], left: ['Mul', 'Cast', 'Pow', 'Cast'] },
    make: (g) => {
      const large = g.op('Mul', ['x', g.number(2 ** 60)]);
      return g.op('Cast', [g.op('Pow', [g.op('Cast', [large], { to: 7 }), g.number(1)])], { to: 1 });
    },
  },
  'a product with ones of every element': {
    ...{ dims: [2, 3], left: ['Neg'] },
    make: (g) => g.op('Mul', [g.op('Neg', ['x']), g.constant('float32', [2, 3], [1, 1, 1, 1, 1, 1])]),
  },
  'Where of a Not, with floats': {
    ...{ dims: ['n', 3], left: ['Less', 'Not', 'Neg', 'Where'], fused: ['Less', 'Neg', 'Where'] },
    make: (g) => g.op('Where', [g.op('Not', [g.op('Less', ['x', g.number(0)])]), 'x', g.op('Neg', ['x'])]),
  },
  'Where of a Not, with integers': {
    ...{ dims: ['n', 3], left: ['Less', 'Where', 'Cast'] },
    make: (g) => {
      const inputs = [g.op('Not', [g.op('Less', ['x', g.number(0)])]), g.int(3), g.int(5)];
      return g.op('Cast', [g.op('Where', inputs)], { to: 1 });
    },
  },
  'a Reshape that copies what the one before copied': {
    ...{ dims: ['n', 6], left: ['Neg', 'Reshape'] },
    make: (g) => g.op('Reshape', [g.op('Reshape', [g.op('Neg', ['x']), g.ints([0, 3, 2])]), g.ints([0, -1, 1])]),
  },
  'a Reshape that copies what the one before made': {
    ...{ dims: ['n', 6], left: ['Neg', 'Reshape', 'Reshape'] },
    make: (g) => g.op('Reshape', [g.op('Reshape', [g.op('Neg', ['x']), g.ints([3, -1, 2])]), g.ints([0, -1])]),
  },
  ...Object.fromEntries(
    [
      ['LSTM', 4, 2],
      ['GRU', 3, 1],
      ['RNN', 1, 1],
    ].map(([operator, gates, states]) => [
      `${operator} that begins with zeros`,
      {
        ...{ dims: [5, 'n', 3], left: [operator], inputs: 3 },
        make: (g) => {
          const state = zeros(g, 1, g.size('x', 1), 2);
          const inputs = ['x', weights(g, 1, 2 * gates, 3), weights(g, 1, 2 * gates, 2), '', ''];
          return g.op(operator, [...inputs, ...Array(states).fill(state)], { hidden_size: 2 }, ['y']);
        },
      },
    ]),
  ),
  'an LSTM that begins with ones': {
    ...{ dims: [5, 2, 3], left: ['LSTM'], inputs: 5 },
    make: (g) => {
      const state = g.op('ConstantOfShape', [g.ints([1, 2, 2])], { value: { type: 'float32', dims: [1], data: [1] } });
      return g.op('LSTM', ['x', weights(g, 1, 8, 3), weights(g, 1, 8, 2), '', '', state, state], { hidden_size: 2 }, [
        'y',
      ]);
    },
  },
  'zeros around what a Conv gets': {
    ...{ dims: ['n', 2, 'h', 7], left: ['Pad', 'Conv'], fused: ['Conv'] },
    make: (g) =>
      g.op('Conv', [g.op('Pad', ['x', g.ints([0, 0, 1, 2, 0, 0, 0, 1])]), weights(g, 4, 2, 3, 3)], {
        pads: [1, 0, 2, 0],
        strides: [2, 1],
      }),
  },
  'zeros around what a Conv of one axis gets': {
    ...{ dims: [2, 2, 9], left: ['Pad', 'Conv'], fused: ['Conv'] },
    make: (g) => g.op('Conv', [g.op('Pad', ['x', g.ints([0, 0, 2, 0, 0, 1]), g.number(0)]), weights(g, 4, 2, 3)]),
  },
  ...Object.fromEntries(
    [
      ['ones around what a Conv gets', (g) => ['x', g.ints([0, 0, 1, 1, 0, 0, 1, 1]), g.number(1)], {}],
      ['channels of zeros that a Conv gets', (g) => ['x', g.ints([0, 1, 0, 0, 0, 0, 0, 0])], {}],
      ['what a Conv gets without its border', (g) => ['x', g.ints([0, 0, -1, 0, 0, 0, 0, 1])], {}],
      ['a mirror around what a Conv gets', (g) => ['x', g.ints([0, 0, 1, 1, 0, 0, 1, 1])], { mode: 'reflect' }],
    ].map(([name, inputs, attributes]) => [
      name,
      {
        ...{ dims: [1, name.startsWith('channels') ? 1 : 2, 6, 6], left: ['Pad', 'Conv'], fused: ['Pad', 'Conv'] },
        make: (g) => g.op('Conv', [g.op('Pad', inputs(g), attributes), weights(g, 4, 2, 3, 3)]),
      },
    ]),
  ),
  'one channel that factors make two of, for a Conv': {
    ...{ dims: [1, 1, 5, 5], left: ['Mul', 'Conv'], fused: ['Mul', 'Conv'] },
    make: (g) => g.op('Conv', [g.op('Mul', ['x', g.constant('float32', [2, 1, 1], [0.5, 3])]), weights(g, 4, 2, 3, 3)]),
  },
  'factors of the channels that a Conv gets': {
    ...{ dims: ['n', 2, 5, 5], left: ['Mul', 'Conv'], fused: ['Conv'] },
    make: (g) =>
      g.op('Conv', [g.op('Mul', [g.constant('float32', [2, 1, 1], [0.5, 3]), 'x']), weights(g, 4, 2, 3, 3)], {
        pads: [1, 1, 1, 1],
      }),
  },
  'factors for weights that a node has to make, since they are too large for the file': {
    ...{ dims: [1, 8, 5, 5], left: ['Expand', 'Conv', 'Mul'], options: { maxGrowth: 0 } },
    make: (g) => {
      const product = g.op('Conv', ['x', g.op('Expand', [g.number(0.5), g.ints([8, 8, 3, 3])])]);
      return g.op('Mul', [product, weights(g, 8, 1, 1)]);
    },
  },
  'a Conv whose factors it took, and one more that it was like': {
    ...{ dims: [1, 2, 5, 5], left: ['Conv', 'Mul', 'Add'], fused: ['Conv', 'Conv', 'Add'] },
    make: (g) => {
      const w = weights(g, 4, 2, 3, 3);
      const scaled = g.op('Mul', [g.op('Conv', ['x', w]), g.number(3)]);
      return g.op('Add', [scaled, g.op('Conv', ['x', w])]);
    },
  },
  'a Loop of Loops that join nothing': {
    ...{ dims: ['n', 3], left: ['Loop', 'Cast'] },
    make: (g) => {
      const body = g.inner();
      body.input('i', 'int64', []);
      body.input('condition', 'bool', []);
      body.output(body.op('Identity', ['condition']), 'bool', []);
      body.output(body.op('Shape', [nothing(body)]), 'int64', undefined);
      return g.op('Cast', [g.op('Loop', [g.int(2), g.constant('bool', [], [1])], { body })], { to: 1 });
    },
  },
  'a Loop that joins nothing': {
    ...{ dims: ['n', 3], left: ['Loop', 'Concat'] },
    make: (g) => g.op('Concat', ['x', nothing(g)], { axis: 0 }),
  },
  'a factor of all that a Conv with groups gets': {
    ...{ dims: ['n', 2, 5, 5], left: ['Mul', 'Conv'], fused: ['Mul', 'Conv'] },
    make: (g) => g.op('Conv', [g.op('Mul', ['x', g.number(0.3)]), weights(g, 4, 1, 3, 3)], { group: 2 }),
  },
  'a Gemm of transposed matrices': {
    ...{ dims: [3, 4], left: ['Transpose', 'Gemm'], fused: ['Gemm'] },
    make: (g) =>
      g.op('Gemm', [g.op('Transpose', ['x'], { perm: [1, 0] }), weights(g, 5, 3), weights(g, 5)], {
        alpha: float(0.5),
        transB: 1,
      }),
  },
  'a Gemm that transposes what was transposed': {
    ...{ dims: [4, 3], left: ['Gemm'] },
    make: (g) => g.op('Gemm', [weights(g, 5, 3), g.op('Transpose', [g.op('Transpose', ['x'])])], { transB: 1 }),
  },
  'the logarithm of a Softmax': {
    ...{ dims: ['n', 4], left: ['Softmax', 'Log'], fused: ['LogSoftmax'] },
    make: (g) => g.op('Log', [g.op('Softmax', ['x'], { axis: 1 })]),
  },
  'a sum with zeros': {
    ...{ dims: ['n', 4], left: ['Neg', 'Add'], fused: ['Neg'] },
    make: (g) => g.op('Add', [g.op('Neg', ['x']), g.number(0)]),
  },
};

/** The file of a pair. */
export function fileOf({ dims, make, opset = 13 }) {
  const g = new GraphBuilder(opset);
  g.input('x', 'float32', dims);
  const made = make(g);
  g.output(made === 'y' ? made : g.op('Identity', [made], {}, ['y']), 'float32', undefined);
  return g.model('pair');
}
