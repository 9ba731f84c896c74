// Scopes, collections, and calls that fail.
import { Wrong } from './machine.mjs';
import { countOf } from './values.mjs';

class Thrown extends Error {}

/** Steps within a scope, which may return some of its tensors, throw, or have scopes within. */
export const scopeOf = (steps) =>
  function scope(machine, depth = 0) {
    const { random, ops } = machine;
    const outer = machine.live;
    const before = new Set(outer);
    const isThrown = random.oneIn(4);
    let kept = [];
    try {
      ops.scope(() => {
        for (let count = random.between(1, 6); count > 0; count--) {
          if (depth < 2 && random.oneIn(8)) scope(machine, depth + 1);
          else machine.choose(steps)[1](machine);
        }
        if (isThrown) throw new Thrown('as it should be');
        const made = machine.live.filter((entry) => !before.has(entry));
        kept = random.shuffled(made).slice(0, random.below(3));
        const tensors = kept.map(({ tensor }) => tensor);
        return random.oneIn(2) ? tensors : new Map([['in', { a: new Set(tensors) }]]);
      });
    } catch (error) {
      if (!(error instanceof Thrown)) throw error;
    }
    const gone = machine.live.filter((entry) => !before.has(entry) && !kept.includes(entry));
    machine.live = machine.live.filter((entry) => !gone.includes(entry));
    for (const { tensor } of gone) {
      const error = machine.refuses('DISPOSED', () => tensor.data);
      if (!error.message.includes('scope ended')) throw new Wrong(error.message);
    }
  };

const refusals = [
  [['INVALID_ARGUMENT'], ({ ops }) => ops.expand(ops.empty('float32', [2, 3]), [4, 3])],
  [['INVALID_ARGUMENT'], ({ ops }, x) => ops.reshape(x, [countOf(x.dims) + 1])],
  [['INVALID_ARGUMENT'], ({ ops }, x) => ops.run('Transpose', [x], { perm: [0, 0] })],
  [['INVALID_ARGUMENT'], ({ ops }, x) => ops.run('Identity', [x, x])],
  [['INVALID_ARGUMENT'], ({ ops }, x) => ops.run('Identity', [x], { other: 1 })],
  [
    ['INVALID_ARGUMENT', 'UNSUPPORTED_TYPE'],
    ({ ops }, x) => ops.run('Concat', [x, ops.tensor('uint32', [1], [1])], { axis: 99 }),
  ],
  [['UNKNOWN_OPERATOR'], ({ ops }, x) => ops.run('NoSuchOperator', [x])],
  [
    ['INVALID_MODEL'],
    ({ ops, random }) => ops.loadModel(Uint8Array.from({ length: random.between(1, 60) }, () => 255 - random.below(3))),
  ],
  [['INVALID_MODEL'], ({ ops }, x) => ops.readTensor(ops.writeTensor(x).subarray(1))],
  [['INVALID_ARGUMENT'], ({ ops }) => ops.tensor('float32', [1, 2, 3], [2])],
  [['INVALID_ARGUMENT'], ({ ops }) => ops.tensor('int8', [1000], [1])],
  [['OUT_OF_MEMORY', 'INVALID_ARGUMENT'], ({ ops }) => ops.empty('float64', [2 ** 40])],
  [['OUT_OF_MEMORY'], ({ ops }) => ops.constantOfShape([2 ** 33]).data],
  [['INVALID_ARGUMENT'], ({ ops }) => ops.fromImage({ data: new Uint8Array(5), width: 2, height: 1 })],
  [['INVALID_ARGUMENT'], ({ ops }) => ops.resampler({ from: 1, to: 1000 })],
];

/** A call that fails leaves what there was. */
function refused(machine) {
  const { random, ops } = machine;
  const found = machine.pickSmall(({ dims, type }) => dims.length >= 2 && type === 'float32');
  const x = found?.tensor ?? ops.empty('float32', [2, 3]);
  const { liveTensors } = ops.memory();
  const [codes, call] = random.from(refusals);
  machine.refuses(codes, () => ops.scope(() => void call(machine, x)));
  if (found === undefined) x.dispose();
  else machine.check(found);
  if (ops.memory().liveTensors > liveTensors) throw new Wrong('a call that failed left tensors');
}

/** Fills the memory. All that lived before is whole. */
function exhaust(machine) {
  const { random, ops } = machine;
  const size = 2 ** random.between(14, 23);
  machine.refuses('OUT_OF_MEMORY', () =>
    ops.scope(() => {
      for (;;) {
        if (random.oneIn(3)) ops.constantOfShape([size]).data;
        else ops.empty('uint8', [size]);
      }
    }),
  );
  machine.checkAll();
}

export const lifeSteps = [
  [12, 'refused', refused],
  [0.02, 'exhaust', exhaust],
  [0.3, 'collect', (machine) => machine.collect()],
  [0.3, 'check all', (machine) => machine.checkAll()],
];
