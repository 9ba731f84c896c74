// States of bound models that grow, such as caches of keys and values: Concat writes behind what is there.
import { expect, test } from '@jest/globals';
import { type AnyTensor, load, type Model } from 'broadloom';
import * as proto from '../../shared/onnx.js';
import { announceSeed, cases, generator, seed } from './helpers/random.js';
import { errorOf } from './helpers/runtime.js';

announceSeed('bound-states.test.ts');
const ops = await load({});
const random = generator(seed);
const upTo = (most: number) => 1 + (random() % most);

type Feeds = Record<string, AnyTensor>;
type Type = 'float32' | 'float64' | 'int32' | 'uint8' | 'float16';

interface Node {
  readonly op: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes?: readonly Uint8Array[];
}

const concat = (inputs: string[], output: string, axis: number): Node => ({
  op: 'Concat',
  inputs,
  outputs: [output],
  attributes: [proto.attribute.int('axis', axis)],
});

const columns = 1024;
const vector = ops.tensor('float32', new Float32Array(columns), [1, columns]);

/** A model of these nodes. A product with large weights makes runs longer than plans, so that dims that come once have one. */
function modelOf(type: Type, inputs: readonly string[], outputs: readonly string[], nodes: readonly Node[]): Model {
  const value = (name: string) => proto.value(name, type, undefined);
  return ops.loadModel(
    proto.model({
      nodes: [...nodes, { op: 'MatMul', inputs: ['v', 'w'], outputs: ['product'] }],
      initializers: [proto.tensor('float32', [columns, columns], new Float32Array(columns * columns), 'w')],
      inputs: [...inputs.map(value), proto.value('v', 'float32', [1, columns])],
      outputs: [...outputs.map(value), proto.value('product', 'float32', [1, columns])],
      opset: 17,
    }),
  );
}

function randomTensor(type: Type, dims: readonly number[]): AnyTensor {
  const numbers = Array.from({ length: dims.reduce((product, size) => product * size, 1) }, () => random() % 100);
  return ops.tensor(type, numbers, dims) as AnyTensor;
}

const bytesOf = ({ data }: AnyTensor) => {
  const { buffer, byteOffset, byteLength } = data as Uint8Array;
  return Buffer.from(buffer, byteOffset, byteLength).toString('hex');
};

/** Runs a bound model beside runs that are fed with what the run before made: outputs are the same, also after `reset`. */
function compare(
  model: Model,
  first: Feeds,
  states: Record<string, string>,
  feedsOfRun: (run: number) => Feeds,
  runs: number,
): void {
  const bound = model.bind({ ...feedsOfRun(0), ...first, v: vector }, { states });
  for (let turn = 0; turn < 2; turn++) {
    let given = first;
    for (let run = 0; run < runs; run++) {
      const feeds = feedsOfRun(run);
      const wanted: Feeds = model.run({ ...feeds, ...given, v: vector });
      bound.run(feeds);
      for (const [name, tensor] of Object.entries(bound.outputs))
        expect([run, name, bytesOf(tensor)]).toEqual([run, name, bytesOf(wanted[name] as AnyTensor)]);
      given = Object.fromEntries(Object.entries(states).map(([input, output]) => [input, wanted[output] as AnyTensor]));
    }
    bound.reset();
  }
  bound.dispose();
  model.dispose();
}

const sumOf = (x: string, y: string): Node => ({
  op: 'ReduceSum',
  inputs: [x],
  outputs: [y],
  attributes: [proto.attribute.int('keepdims', 0)],
});

test('caches of an attention have the elements of runs that copy them', () => {
  const nodes = [
    concat(['keys', 'k'], 'nextKeys', 2),
    concat(['values', 'k'], 'nextValues', -2),
    {
      op: 'Transpose',
      inputs: ['nextKeys'],
      outputs: ['turned'],
      attributes: [proto.attribute.ints('perm', [0, 1, 3, 2])],
    },
    { op: 'MatMul', inputs: ['q', 'turned'], outputs: ['scores'] },
    { op: 'Softmax', inputs: ['scores'], outputs: ['weights'] },
    { op: 'MatMul', inputs: ['weights', 'nextValues'], outputs: ['y'] },
  ];
  for (const length of [0, 5]) {
    const model = modelOf('float32', ['keys', 'values', 'k', 'q'], ['nextKeys', 'nextValues', 'y'], nodes);
    const cache = () => randomTensor('float32', [1, 3, length, 8]);
    const rows = Array.from({ length: 40 }, () => ({
      k: randomTensor('float32', [1, 3, 1, 8]),
      q: randomTensor('float32', [1, 3, 1, 8]),
    }));
    const states = { keys: 'nextKeys', values: 'nextValues' };
    compare(model, { keys: cache(), values: cache() }, states, (run) => rows[run] as Feeds, rows.length);
  }
});

test('states of random dims grow on any axis by any number of rows, whatever else reads them', () => {
  for (let count = cases(80); count > 0; count--) {
    const type = (['float32', 'float64', 'int32', 'uint8', 'float16'] as const)[random() % 5] as Type;
    const dims = Array.from({ length: upTo(4) }, () => upTo(3));
    const axis = random() % dims.length;
    const withRows = (rows: number) => dims.map((size, i) => (i === axis ? rows : size));
    // ReduceSum does not take bytes.
    const total = type === 'uint8' ? [] : [sumOf('next', 'total'), sumOf('before', 'part')];
    const nodes = [
      { op: 'Identity', inputs: ['state'], outputs: ['before'] },
      concat(['state', 'x'], 'next', axis - (random() % 2) * dims.length),
      concat(['state', 'x', 'state'], 'other', axis),
      concat(['next', 'x'], 'more', axis),
      ...total,
    ];
    const outputs = total.length === 0 ? ['next'] : ['next', 'total', 'part'];
    const model = modelOf(type, ['state', 'x'], outputs, nodes);
    const rows = Array.from({ length: 24 }, () => ({ x: randomTensor(type, withRows(random() % 4)) }));
    compare(
      model,
      { state: randomTensor(type, withRows(random() % 3)) },
      { state: 'next' },
      (run) => rows[run] as Feeds,
      24,
    );
  }
});

test('two states that come of one keep their own elements', () => {
  const nodes = [
    concat(['a', 'x'], 'nextA', 1),
    concat(['a', 'y'], 'nextB', 1),
    { op: 'Identity', inputs: ['b'], outputs: ['nextC'] },
    sumOf('nextA', 'sumA'),
    sumOf('nextB', 'sumB'),
    sumOf('c', 'sumC'),
  ];
  const outputs = ['nextA', 'nextB', 'nextC', 'sumA', 'sumB', 'sumC'];
  const model = modelOf('float32', ['a', 'b', 'c', 'x', 'y'], outputs, nodes);
  const make = () => randomTensor('float32', [2, 2]);
  const rows = Array.from({ length: 30 }, () => ({
    x: randomTensor('float32', [2, 1]),
    y: randomTensor('float32', [2, 1]),
  }));
  const states = { a: 'nextA', b: 'nextB', c: 'nextC' };
  compare(model, { a: make(), b: make(), c: make() }, states, (run) => rows[run] as Feeds, rows.length);
});

test('a state that was another one before keeps its elements when both grow', () => {
  const nodes = [
    concat(['a', 'x'], 'nextA', 1),
    { op: 'Identity', inputs: ['a'], outputs: ['nextB'] },
    concat(['b', 'y'], 'longB', 1),
    sumOf('nextA', 'sumA'),
    sumOf('longB', 'sumB'),
  ];
  const model = modelOf('float32', ['a', 'b', 'x', 'y'], ['nextA', 'nextB', 'sumA', 'sumB'], nodes);
  const make = (length: number) => randomTensor('float32', [2, length]);
  const rows = Array.from({ length: 30 }, () => ({ x: make(1), y: make(1) }));
  compare(model, { a: make(2), b: make(2) }, { a: 'nextA', b: 'nextB' }, (run) => rows[run] as Feeds, rows.length);
});

test('two states that grow, and change their places, keep their own elements', () => {
  const nodes = [
    concat(['a', 'x'], 'longA', 1),
    concat(['b', 'x'], 'longB', 1),
    sumOf('a', 'sumA'),
    sumOf('b', 'sumB'),
  ];
  const model = modelOf('float32', ['a', 'b', 'x'], ['longA', 'longB', 'sumA', 'sumB'], nodes);
  const first = { a: randomTensor('float32', [2, 1]), b: randomTensor('float32', [2, 1]) };
  const rows = Array.from({ length: 30 }, () => ({ x: randomTensor('float32', [2, 1]) }));
  compare(model, first, { a: 'longB', b: 'longA' }, (run) => rows[run] as Feeds, rows.length);
});

/** A cache that grows by what is fed, its sum as the output. */
const growing = () =>
  modelOf('float32', ['cache', 'x'], ['next', 'sum'], [concat(['cache', 'x'], 'next', 1), sumOf('next', 'sum')]);
const ones = (rows: number) => ops.tensor('float32', new Float32Array(2 * rows).fill(1), [2, rows]);

test('new rows are written behind the others: most runs take no memory for the state', () => {
  const model = growing();
  const x = ones(1);
  const cache = ones(100);
  const bound = model.bind({ cache, x, v: vector }, { states: { cache: 'next' } });
  bound.run();
  const used = Array.from({ length: 40 }, () => {
    bound.run();
    return ops.memory().bytesInUse;
  });
  expect(new Set(used.slice(0, 8)).size).toBe(1);
  expect(bound.outputs.sum?.data).toEqual(Float32Array.of(2 * (100 + 41)));
  bound.dispose();
  model.dispose();
});

test('a run that fails leaves a state that grows as it was', () => {
  const model = growing();
  const bound = model.bind({ cache: ones(3), x: ones(1), v: vector }, { states: { cache: 'next' } });
  for (let run = 1; run < 40; run++) {
    const wrong = ops.tensor('float32', new Float32Array(6), [3, 2]);
    expect(errorOf(() => bound.run({ x: wrong })).operator).toBe('Concat');
    bound.run();
    expect(bound.outputs.sum?.data).toEqual(Float32Array.of(2 * (3 + run)));
  }
  bound.dispose();
  model.dispose();
});

test('a run reads feeds in place of inputs, once', () => {
  const model = growing();
  const bound = model.bind({ cache: ones(3), x: ones(1), v: vector }, { states: { cache: 'next' } });
  const sum = () => bound.outputs.sum?.data[0];
  bound.run({ x: [[5], [6]] });
  expect(sum()).toBe(6 + 11);
  bound.run({ x: ones(4) });
  expect(sum()).toBe(6 + 11 + 8);
  bound.run();
  expect(sum()).toBe(6 + 11 + 8 + 2);
  expect(Object.keys(bound.inputs)).toEqual(['x', 'v']);
  bound.dispose();
  model.dispose();
});

test('feeds that a bound run does not take are refused by name, before anything changes', () => {
  const model = growing();
  const bound = model.bind({ cache: ones(3), x: ones(1), v: vector }, { states: { cache: 'next' } });
  const messageOf = (feeds: object) => errorOf(() => bound.run(feeds as never)).message;
  expect(messageOf({ cache: ones(1) })).toBe("run: input 'cache' is a state");
  expect(messageOf({ y: ones(1) })).toMatch(/^no input 'y'/);
  expect(messageOf({ x: 'text' })).toMatch(/^input 'x'/);
  expect(messageOf([])).toBe('feeds are Array, wanted an object of tensors by name');
  expect(messageOf({ v: ops.tensor('float32', [1]) })).toMatch(/^input 'v' has dims \[1\], wanted/);
  bound.run();
  expect(bound.outputs.sum?.data).toEqual(Float32Array.of(8));
  bound.dispose();
  expect(errorOf(() => bound.run({ x: ones(1) })).code).toBe('DISPOSED');
  model.dispose();
});
