// The rank limit of 255 axes, in every place that reads dims.
import { expect, test } from '@jest/globals';
import { load, type Runtime } from 'broadloom';
import * as proto from '../../shared/onnx.js';
import { expectRefusal } from './helpers/runtime.js';

const ops = await load({});
const ones = (rank: number): number[] => Array<number>(rank).fill(1);
const int8 = (rank: number) => ({ type: 'int8' as const, dims: ones(rank), data: [7] });
const shape = (rank: number) => ({ type: 'int64' as const, dims: [rank], data: ones(rank) });
const model = (rank: number) => ({
  inputs: [proto.value('x', 'int8', ones(rank))],
  outputs: [proto.value('x', 'int8')],
});
const sparse = (rank: number) => ({ values: { type: 'int8' as const, dims: [0], data: [] }, dims: ones(rank) });
const initializer = (rank: number) => proto.tensor('int8', ones(rank), [7], 'w');

const reads: [what: string, read: (rank: number, runtime: Runtime) => unknown][] = [
  ['dims of a tensor', (rank, o) => o.tensor('int8', [7], ones(rank)).dispose()],
  ['dims of an empty one', (rank, o) => o.empty('int8', ones(rank)).dispose()],
  ['an input', (rank, o) => o.shape(int8(rank)).dispose()],
  ['a listed shape of Expand', (rank, o) => o.expand(int8(0), ones(rank)).dispose()],
  ['a shape of Expand', (rank, o) => o.expand(int8(0), shape(rank)).dispose()],
  ['a shape of ConstantOfShape', (rank, o) => o.constantOfShape(ones(rank)).dispose()],
  ['a lazy shape', (rank, o) => o.scope(() => void o.constantOfShape(o.expand(shape(1), [rank])))],
  ['dims of a sparse value', (rank, o) => o.constant({ sparse_value: sparse(rank) }).dispose()],
  ['a tensor file', (rank, o) => o.readTensor(proto.tensor('int8', ones(rank), [7])).dispose()],
  ['an input of a model', (rank, o) => o.loadModel(proto.model(model(rank))).dispose()],
  [
    'an initializer',
    (rank, o) => o.loadModel(proto.model({ ...model(1), initializers: [initializer(rank)] })).dispose(),
  ],
];

test.each(reads)('%s can have 255 axes, and more are refused', (what, read) => {
  read(255, ops);
  const isFile = /file|model|initializer/.test(what);
  for (const rank of [256, 20_000]) {
    expectRefusal(ops, () => read(rank, ops), {
      code: isFile ? 'INVALID_MODEL' : 'INVALID_ARGUMENT',
      says: ['255'],
    });
  }
});

test('a rank of a million is refused in linear time and memory', () => {
  const { heapBytes } = ops.memory();
  expectRefusal(ops, () => ops.expand(int8(0), ones(10 ** 6)), { code: 'INVALID_ARGUMENT', says: ['1000000 axes'] });
  expect(ops.memory().heapBytes - heapBytes).toBeLessThan(2 ** 25);
});
