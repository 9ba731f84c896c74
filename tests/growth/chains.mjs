// Chains that passes of simplification shorten, and constants that they compute.
import { chain, ofInput, step, times } from './builders.mjs';

const dims = [2, 3];
const of = (n, ...steps) => ofInput(chain(n, ...steps), { dims });
const open = (n, ...steps) => ofInput(chain(n, ...steps), { dims, declared: ['N', 'M'] });

const transpose = step('Transpose', { perm: [1, 0] });
const reshape = (to) => (g, x) => g.op('Reshape', [x, g.ints(to)]);
const cast = (to) => step('Cast', { to });
const slice = (g, x) => g.op('Slice', [x, g.ints([0]), g.ints([2 ** 40]), g.ints([0])]);
const halves = (g, x) => g.op('Concat', g.op('Split', [x], { axis: 0, num_outputs: 2 }, 2), { axis: 0 });
const pad = (g, x) => g.op('Pad', [x, g.ints([0, 0, 0, 0])]);
const padAndCut = [
  (g, x) => g.op('Pad', [x, g.ints([0, 1, 0, 1])]),
  (g, x) => g.op('Slice', [x, g.ints([1]), g.ints([4]), g.ints([1])]),
];
const sizes = (g, x) => g.op('Reshape', [x, g.sizes([g.size(x, 0), g.size(x, 1)])]);
const where = (g, x) => g.op('Where', [g.op('Equal', [x, x]), x, g.op('Neg', [x])]);

/** A chain of constants alone, whose end the input meets. */
const constants = (n, ...steps) =>
  ofInput((g, x) => g.op('Add', [x, chain(n, ...steps)(g, g.constant('float32', dims, [1, 2, 3, 4, 5, 6]))]), { dims });

const sum = (n, each) =>
  ofInput(
    (g, x) =>
      g.op(
        'Sum',
        times(n, (i) => g.op('Mul', [x, each(g, i)])),
      ),
    { dims: [1] },
  );

export default {
  'Transposes in a chain': [300, (n) => of(n, transpose)],
  'Transposes between other nodes': [300, (n) => of(n, transpose, step('Neg'))],
  'Transposes that are read twice': [200, (n) => of(n, transpose, (g, x) => g.op('Add', [x, g.op('Abs', [x])]))],
  'Reshapes in a chain': [300, (n) => of(n, reshape([3, 2]), reshape([2, 3]))],
  'Reshapes between other nodes': [300, (n) => of(n, reshape([3, 2]), step('Exp'), reshape([2, 3]))],
  'Reshapes of open sizes': [200, (n) => open(n, reshape([-1]), reshape([2, -1]))],
  'Reshapes to sizes that nodes compute': [60, (n) => of(n, sizes)],
  'Reshapes to sizes that nodes compute of open sizes': [60, (n) => open(n, sizes, step('Neg'))],
  'Casts in a chain': [300, (n) => of(n, cast(11), cast(1))],
  'Casts to and from integers': [300, (n) => of(n, cast(6), cast(1))],
  'Slices in a chain': [200, (n) => of(n, slice)],
  'Slices in a chain of open sizes': [200, (n) => open(n, slice)],
  'Splits that Concats join': [200, (n) => of(n, halves)],
  'Pads of nothing': [200, (n) => of(n, pad)],
  'Pads that Slices cut off': [200, (n) => of(n, ...padAndCut)],
  'Identities in a chain': [1000, (n) => of(n, step('Identity'))],
  'Identities side by side': [500, (n) => ofInput((g, x) => times(n, () => g.op('Identity', [x])))],
  'Dropouts in a chain': [500, (n) => of(n, step('Dropout'))],
  'Squeezes and Unsqueezes': [
    300,
    (n) =>
      of(
        n,
        (g, x) => g.unsqueeze(x, 0),
        (g, x) => g.squeeze(x, 0),
      ),
  ],
  'Unsqueezes until the rank is used up': [
    100,
    (n) => of(n, ...times(100, () => (g, x) => g.unsqueeze(x, 0)), reshape(dims)),
  ],
  'Flattens in a chain': [300, (n) => of(n, step('Flatten'))],
  'Expands in a chain': [300, (n) => of(n, (g, x) => g.op('Expand', [x, g.ints(dims)]))],
  'Gathers of sizes': [100, (n) => open(n, (g, x) => g.op('Mul', [x, g.op('Cast', [g.size(x, 0)], { to: 1 })]))],
  'Wheres of equal values': [200, (n) => of(n, where)],
  'Concats of Concats': [
    150,
    (n) =>
      ofInput(
        chain(n, (g, x, i) => g.op('Concat', i % 16 === 15 ? [x] : [x, g.constant('float32', [1], [i])], { axis: 0 })),
      ),
  ],
  'products of matrices': [
    200,
    (n) => of(n, (g, x) => g.op('MatMul', [x, g.constant('float32', [3, 3], [1, 0, 0, 0, 1, 0, 0, 0, 1])])),
  ],
  'reductions in a chain': [
    200,
    (n) =>
      of(
        n,
        (g, x) => g.op('ReduceSum', [x, g.ints([1])]),
        (g, x) => g.op('Expand', [x, g.ints(dims)]),
      ),
  ],
  'Ands and Nots': [
    300,
    (n) =>
      ofInput((g, x) =>
        g.op(
          'Cast',
          [chain(n, step('Not'), (b, y) => b.op('And', [y, b.op('Not', [y])]))(g, g.op('Cast', [x], { to: 9 }))],
          { to: 1 },
        ),
      ),
  ],
  'sums with 0 and products with 1': [
    300,
    (n) =>
      of(
        n,
        (g, x) => g.op('Add', [x, g.number(0)]),
        (g, x) => g.op('Mul', [x, g.number(1)]),
      ),
  ],
  'sums with constants': [300, (n) => of(n, (g, x, i) => g.op('Add', [x, g.number(i)]))],
  'constants in a chain': [500, (n) => constants(n, step('Neg'), step('Exp'))],
  'constants that views are made of': [300, (n) => constants(n, reshape([3, 2]), transpose)],
  'constants side by side': [300, (n) => sum(n, (g, i) => g.op('Add', [g.number(i), g.number(1)]))],
  'constants of ranges': [
    300,
    (n) =>
      sum(n, (g, i) =>
        g.op('ReduceMax', [g.op('Range', [g.number(0), g.number(8 + (i % 5)), g.number(1)])], { keepdims: 0 }),
      ),
  ],
};
