// Profiles of runs, and models that run node by node.
import { expect, test } from '@jest/globals';
import { load } from 'broadloom';
import * as proto from '../../shared/onnx.js';
import { f32 } from './helpers/models.js';
import { errorOf, expectRefusal } from './helpers/runtime.js';

const ops = await load({});

// Neg and Add are fused. The Transpose is a view of their result, and the Identity is a view of the Transpose's.
const chain = proto.model({
  nodes: [
    { op: 'Neg', inputs: ['x'], outputs: ['a'], name: 'negative' },
    { op: 'Add', inputs: ['a', 'x'], outputs: ['b'], name: 'sum' },
    { op: 'Transpose', inputs: ['b'], outputs: ['c'] },
  ],
  inputs: [proto.value('x', 'float32', [null, null])],
  outputs: [proto.value('c', 'float32')],
});
const feeds = { x: f32([2, 3], 1, 2, 3, 4, 5, 6) };

test('a profile has a row for each node, in the order of nodes', () => {
  using model = ops.loadModel(chain);
  const rows = model.profile(feeds);
  expect(rows.map(({ operator }) => operator)).toEqual(model.nodes.map(({ operator }) => operator));
  expect(rows.map(({ node }) => node)).toEqual(['negative', 'sum', '#2']);
  expect(rows.map(({ calls }) => calls)).toEqual([1, 1, 1]);
  for (const { microseconds } of rows) expect(microseconds).toBeGreaterThanOrEqual(0);
});

test('a fused node names the node that computes it, and takes no memory', () => {
  using model = ops.loadModel(chain);
  const [negative, sum, transpose] = model.profile(feeds);
  expect(negative).toMatchObject({ fusedInto: 'sum', bytes: 0 });
  expect(sum).toMatchObject({ bytes: 24 });
  expect(sum).not.toHaveProperty('fusedInto');
  expect(transpose).toMatchObject({ bytes: 0 });
});

test('nodes of attention name the product that computes them, and scores take no memory', () => {
  const attention = proto.model({
    nodes: [
      { op: 'MatMul', inputs: ['q', 'k'], outputs: ['s'], name: 'scores' },
      { op: 'Add', inputs: ['s', 'm'], outputs: ['a'], name: 'masked' },
      { op: 'Softmax', inputs: ['a'], outputs: ['w'], name: 'weights' },
      { op: 'MatMul', inputs: ['w', 'v'], outputs: ['y'], name: 'attended' },
    ],
    inputs: ['q', 'k', 'm', 'v'].map((name) => proto.value(name, 'float32', [null, null])),
    outputs: [proto.value('y', 'float32')],
  });
  const matrix = (rows: number, columns: number) =>
    f32([rows, columns], ...Array.from({ length: rows * columns }, (_, i) => Math.sin(i)));
  using model = ops.loadModel(attention);
  const rows = model.profile({ q: matrix(32, 4), k: matrix(4, 20), m: matrix(32, 20), v: matrix(20, 6) });
  for (const row of rows.slice(0, 3)) expect(row).toMatchObject({ fusedInto: 'attended', bytes: 0, calls: 1 });
  expect(rows[3]).toMatchObject({ bytes: 32 * 6 * 4 });
  expect(rows[3]).not.toHaveProperty('fusedInto');
});

test('without optimisation every node stands alone', () => {
  using model = ops.loadModel(chain, { optimize: false });
  const rows = model.profile(feeds);
  expect(rows.map(({ bytes }) => bytes)).toEqual([24, 24, 0]);
  for (const row of rows) expect(row).not.toHaveProperty('fusedInto');
});

test('without optimisation results have the same bits', () => {
  const results = [true, false, undefined].map((optimize) => {
    using model = ops.loadModel(chain, { optimize });
    return [...(model.run(feeds).c?.data ?? [])];
  });
  expect(results[1]).toEqual(results[0]);
  expect(results[2]).toEqual(results[0]);
});

test('a branch that is not taken has no calls, and the time of a node excludes its graphs', () => {
  const branch = (op: string, output: string) =>
    proto.graph({
      nodes: [{ op, inputs: ['x'], outputs: [output], name: op }],
      outputs: [proto.value(output, 'float32')],
    });
  using model = ops.loadModel(
    proto.model({
      nodes: [
        {
          op: 'If',
          inputs: ['c'],
          outputs: ['y'],
          name: 'choice',
          attributes: [
            proto.attribute.graph('then_branch', branch('Abs', 't')),
            proto.attribute.graph('else_branch', branch('Neg', 'e')),
          ],
        },
      ],
      inputs: [proto.value('c', 'bool', []), proto.value('x', 'float32', [2])],
      outputs: [proto.value('y', 'float32')],
    }),
  );
  const rows = model.profile({ c: { type: 'bool', dims: [], data: [true] }, x: f32([2], 1, -2) });
  expect(rows.map(({ node, calls }) => [node, calls]).sort()).toEqual([
    ['Abs', 1],
    ['Neg', 0],
    ['choice', 1],
  ]);
});

test('a profile leaves nothing behind', () => {
  using model = ops.loadModel(chain);
  model.profile(feeds);
  const before = ops.memory();
  model.profile(feeds);
  expect(ops.memory()).toEqual(before);
});

test('a profile refuses the same feeds as a run', () => {
  using model = ops.loadModel(chain);
  expectRefusal(ops, () => model.profile({}), { code: 'INVALID_ARGUMENT', says: ["input 'x' is missing"] });
  expectRefusal(ops, () => model.profile(7 as never), { code: 'INVALID_ARGUMENT', says: ['feeds are 7'] });
});

test('profile of a disposed model is refused', () => {
  const model = ops.loadModel(chain);
  model.dispose();
  expect(errorOf(() => model.profile(feeds)).code).toBe('DISPOSED');
});

test.each([[1], ['no'], [null]])('optimize: %p is refused', (optimize) => {
  expectRefusal(ops, () => ops.loadModel(chain, { optimize: optimize as never }), {
    code: 'INVALID_ARGUMENT',
    says: ['optimize is', 'wanted true or false'],
  });
});
