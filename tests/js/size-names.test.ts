// Names of sizes are what a file claims: runs take sizes that differ, and simplify decides nothing by two names being equal.
import { expect, test } from '@jest/globals';
import { load, type SimplifyOptions } from 'broadloom';
import * as proto from '../../shared/onnx.js';
import { f32 } from './helpers/models.js';

const ops = await load({});
const { attribute, value } = proto;
const int64 = (name: string, ...data: number[]) => proto.tensor('int64', [data.length], data, name);
const counting = (dims: number[]) =>
  f32(dims, ...Array.from({ length: dims.reduce((a, b) => a * b, 1) }, (_, i) => i + 1));

interface Case {
  readonly nodes: readonly proto.NodeSpec[];
  /** The declared dims of inputs, and those of a run. */
  readonly a?: readonly [(string | number)[], number[]];
  readonly b?: readonly [(string | number)[], number[]];
  /** The type of y. */
  readonly type?: 'int64';
}

const branch = (op: string) =>
  proto.graph({ nodes: [{ op, inputs: ['a'], outputs: [op] }], outputs: [value(op, 'float32')] });
const shapes: proto.NodeSpec[] = [
  { op: 'Shape', inputs: ['a'], outputs: ['sa'] },
  { op: 'Shape', inputs: ['b'], outputs: ['sb'] },
];
const rows = {
  a: [
    ['N', 2],
    [4, 2],
  ],
  b: [
    ['N', 2],
    [2, 2],
  ],
} as const;
const both = (...nodes: proto.NodeSpec[]): Case => ({ nodes: [...shapes, ...nodes], ...(rows as object) });

/** Models that would become simpler, if the rows of a and b, or the axes of a square, were of one size. */
const cases: { readonly [what: string]: Case } = {
  'an Equal that a Where reads': {
    ...both(
      { op: 'Equal', inputs: ['sa', 'sb'], outputs: ['same'] },
      { op: 'Where', inputs: ['same', 'sa', 'sb'], outputs: ['y'] },
    ),
    type: 'int64',
  },
  'a condition of an If': both(
    { op: 'Gather', inputs: ['sa', 'zero'], outputs: ['na'] },
    { op: 'Gather', inputs: ['sb', 'zero'], outputs: ['nb'] },
    { op: 'Equal', inputs: ['na', 'nb'], outputs: ['same'] },
    {
      op: 'If',
      inputs: ['same'],
      outputs: ['y'],
      attributes: [attribute.graph('then_branch', branch('Neg')), attribute.graph('else_branch', branch('Abs'))],
    },
  ),
  'an Expand to the dims that its input seems to have': {
    ...both({ op: 'Expand', inputs: ['a', 'sb'], outputs: ['y'] }),
    a: [
      ['N', 2],
      [1, 2],
    ],
  },
  'a target of a Reshape': both(
    { op: 'Slice', inputs: ['sb', 'zero', 'one'], outputs: ['n'] },
    { op: 'Concat', inputs: ['n', 'open'], outputs: ['to'], attributes: [attribute.int('axis', 0)] },
    { op: 'Reshape', inputs: ['a', 'to'], outputs: ['y'] },
  ),
  'an end of a Slice': both(
    { op: 'Slice', inputs: ['sb', 'zero', 'one'], outputs: ['n'] },
    { op: 'Slice', inputs: ['a', 'zero', 'n', 'zero'], outputs: ['y'] },
  ),
  'repeats of a Tile': both(
    { op: 'Div', inputs: ['sa', 'sb'], outputs: ['times'] },
    { op: 'Tile', inputs: ['a', 'times'], outputs: ['y'] },
  ),
  'two lists of sizes': {
    ...both({ op: 'Concat', inputs: ['sa', 'sb'], outputs: ['y'], attributes: [attribute.int('axis', 0)] }),
    type: 'int64',
  },
  'a difference that a ConstantOfShape makes zeros of': both(
    { op: 'Sub', inputs: ['sa', 'sb'], outputs: ['more'] },
    { op: 'Slice', inputs: ['more', 'zero', 'one'], outputs: ['n'] },
    { op: 'ConstantOfShape', inputs: ['n'], outputs: ['y'] },
  ),
  'the axes of a square': {
    a: [
      ['N', 'N'],
      [2, 3],
    ],
    nodes: [
      { op: 'Transpose', inputs: ['a'], outputs: ['t'] },
      { op: 'Shape', inputs: ['t'], outputs: ['st'] },
      { op: 'Reshape', inputs: ['a', 'st'], outputs: ['y'] },
    ],
  },
};

const fileOf = ({ nodes, a = rows.a as never, b, type = 'float32' as never }: Case) =>
  proto.model({
    nodes,
    inputs: [value('a', 'float32', a[0]), ...(b === undefined ? [] : [value('b', 'float32', b[0])])],
    outputs: [value('y', type)],
    initializers: [int64('zero', 0), int64('one', 1), int64('open', -1)],
  });
const feedsOf = ({ a = rows.a as never, b }: Case) => ({
  a: counting(a[1]),
  ...(b === undefined ? {} : { b: counting(b[1]) }),
});

function run(file: Uint8Array, feeds: object, options = {}) {
  const model = ops.loadModel(file, options);
  const { y } = model.run(feeds as never);
  return { dims: y?.dims, data: y?.toArray(), warnings: model.warnings };
}

test.each(Object.entries(cases))('%s: sizes of one name may differ in a run', (_, one) => {
  const optimized = run(fileOf(one), feedsOf(one));
  expect(optimized).toEqual(run(fileOf(one), feedsOf(one), { optimize: false }));
  expect(optimized.warnings).toEqual([
    expect.stringMatching(
      /^sizes of inputs that the file calls 'N' differ in a run: it is \d in '[ab]', but \d elsewhere$/,
    ),
  ]);
});

test.each(Object.entries(cases))('%s: simplify decides nothing by names', (_, one) => {
  const file = fileOf(one);
  const { bytes, report } = ops.simplify(file);
  const [before, after] = [run(file, feedsOf(one)), run(bytes, feedsOf(one))];
  expect([after.dims, after.data]).toEqual([before.dims, before.data]);
  const trusting = ops.simplify(file, { trustNames: true }).report;
  expect(trusting.after.nodes).toBeLessThan(report.after.nodes);
  const declared = ops.loadModel(file).inputs;
  for (const { inputs } of [report, trusting]) expect(inputs).toEqual(declared);
});

test('a name has one warning, whichever plans, parts and bound models run', () => {
  const file = proto.model({
    nodes: [
      { op: 'Neg', inputs: ['a'], outputs: ['n'] },
      { op: 'Abs', inputs: ['n'], outputs: ['y'] },
    ],
    inputs: [value('a', 'float32', ['N', 'N']), value('b', 'float32', ['M', 'N'])],
    outputs: [value('y', 'float32')],
  });
  const model = ops.loadModel(file);
  const square = { a: counting([2, 2]), b: counting([3, 2]) };
  model.run(square);
  expect(model.warnings).toEqual([]);
  expect(model.warnings).toBe(model.warnings);
  for (const n of [3, 4, 3]) {
    model.run({ ...square, a: counting([2, n]) });
    model.run({ a: counting([n, 2]) }, { outputs: ['n'] });
    model.profile({ ...square, a: counting([1, n]) });
    model.bind({ ...square, a: counting([5, n]) }).dispose();
  }
  const warnings = ["sizes of inputs that the file calls 'N' differ in a run: it is 3 in 'a', but 2 elsewhere"];
  expect(model.warnings).toEqual(warnings);
  expect(Object.isFrozen(model.warnings)).toBe(true);
  model.dispose();
  expect(model.warnings).toEqual(warnings);
});

test('numbers that the file declares are still checked', () => {
  const model = ops.loadModel(fileOf(cases['an end of a Slice'] as Case));
  expect(() => model.run({ a: counting([4, 3]), b: counting([2, 2]) })).toThrow(
    "input 'a' has dims [4, 3], wanted [N, 2]",
  );
  expect(() => model.run({ a: counting([4, 2, 1]), b: counting([2, 2]) })).toThrow("input 'a' has dims [4, 2, 1]");
});

test('numbers in shapes are those of one input, unless names are trusted', () => {
  const file = fileOf(cases['two lists of sizes'] as Case);
  const dimsOf = (options: SimplifyOptions) => ops.simplify(file, options).report.inputs.map(({ dims }) => dims);
  expect(dimsOf({ shapes: { a: [4, null] } })).toEqual([
    [4, 2],
    ['N', 2],
  ]);
  expect(dimsOf({ shapes: { a: [4, null], b: [2, null] } })).toEqual([
    [4, 2],
    [2, 2],
  ]);
  expect(dimsOf({ dims: { N: 3 } })).toEqual([
    [3, 2],
    [3, 2],
  ]);
  expect(dimsOf({ shapes: { a: [4, null] }, trustNames: true })).toEqual([
    [4, 2],
    [4, 2],
  ]);
  expect(() => ops.simplify(file, { shapes: { a: [4, null], b: [2, null] }, trustNames: true })).toThrow(
    "size 2 for axis 0 of input 'b': 'N' is 4 elsewhere",
  );
  expect(() => ops.simplify(file, { trustNames: 'yes' as never })).toThrow(
    'simplify: trustNames is "yes", wanted true or false',
  );
});

test('names that a caller gives in shapes are one size', () => {
  const file = fileOf(cases['an Equal that a Where reads'] as Case);
  const given = ops.simplify(file, { shapes: { a: ['n', 2], b: ['n', 2] } }).report;
  expect(given.after.nodes).toBeLessThan(ops.simplify(file).report.after.nodes);
  expect(ops.simplify(file, { shapes: { a: ['N', 2] } }).report.after).toEqual(ops.simplify(file).report.after);
});

test('what is shown and written has the declared names', () => {
  const file = proto.model({
    nodes: [
      { op: 'Add', inputs: ['a', 'b'], outputs: ['c'] },
      { op: 'Identity', inputs: ['c'], outputs: ['d'] },
      { op: 'Neg', inputs: ['d'], outputs: ['y'] },
    ],
    inputs: [value('a', 'float32', ['batch', 'n']), value('b', 'float32', ['batch', 1])],
    outputs: [value('y', 'float32')],
  });
  const { bytes, report } = ops.simplify(file, { valueInfo: true });
  expect(report.outputs).toEqual([{ name: 'y', type: 'float32', dims: ['batch', 'n'] }]);
  const model = ops.loadModel(bytes);
  expect(model.nodes.flatMap(({ outputs }) => outputs.map(({ declared }) => declared?.dims))).toEqual([
    ['batch', 'n'],
    ['batch', 'n'],
  ]);
  expect(report.dynamic.map(({ name }) => name)).toEqual(['batch', 'n']);
  expect(model.run({ a: counting([3, 1]), b: counting([1, 1]) }).y?.dims).toEqual([3, 1]);
});
