// Model.bind: a model with its own tensors, whose runs make no object.
import { expect, test } from '@jest/globals';
import { load, type Tensor } from 'broadloom';
import * as proto from '../../shared/onnx.js';
import { errorOf } from './helpers/runtime.js';

const ops = await load({});

/** next = state + x, and y = next * 2. */
function counter(dims: (number | string | null)[] = [2]) {
  return ops.loadModel(
    proto.model({
      nodes: [
        { op: 'Add', inputs: ['state', 'x'], outputs: ['next'] },
        { op: 'Add', inputs: ['next', 'next'], outputs: ['y'] },
      ],
      inputs: [proto.value('x', 'float32', dims), proto.value('state', 'float32', dims)],
      outputs: [proto.value('next', 'float32', dims), proto.value('y', 'float32', dims)],
    }),
  );
}

const elements = (tensor: unknown) => Array.from((tensor as Tensor<'float32'>).toArray());
const feeds = () => ({ x: ops.tensor('float32', [1, 2]), state: ops.tensor('float32', [10, 20]) });
const states = { state: 'next' };

test('a bound model reads its inputs and writes its outputs in place', () => {
  const model = counter();
  const given = feeds();
  const bound = model.bind(given);
  expect(Object.keys(bound.inputs)).toEqual(['x', 'state']);
  expect(Object.keys(bound.outputs)).toEqual(['next', 'y']);
  expect(elements(bound.outputs.y)).toEqual([22, 44]);
  const { data } = bound.outputs.y as { data: Float32Array };
  bound.inputs.x.data.set([5, 6]);
  bound.run();
  expect(Array.from(data)).toEqual([30, 52]);
  expect(elements(given.x)).toEqual([1, 2]);
  bound.dispose();
  model.dispose();
});

test('a state is the output of the run before, until it is reset', () => {
  const model = counter();
  const bound = model.bind(feeds(), { states });
  expect(Object.keys(bound.inputs)).toEqual(['x']);
  expect(Object.keys(bound.outputs)).toEqual(['y']);
  const runs = () => {
    bound.run();
    return elements(bound.outputs.y);
  };
  expect([runs(), runs(), runs()]).toEqual([
    [22, 44],
    [24, 48],
    [26, 52],
  ]);
  bound.reset();
  expect(runs()).toEqual([22, 44]);
  bound.dispose();
  model.dispose();
});

test('a tensor that was made of an output keeps its elements in later runs', () => {
  const model = counter();
  const bound = model.bind(feeds(), { states });
  bound.run();
  const kept = ops.identity(bound.outputs.y as never);
  bound.run();
  expect(elements(kept)).toEqual([22, 44]);
  expect(elements(bound.outputs.y)).toEqual([24, 48]);
  bound.dispose();
  model.dispose();
});

test('dispose frees all that a bound model holds, and leaves the model', () => {
  const model = counter();
  const given = feeds();
  model.bind(given, { states }).dispose(); // plans of the model stay
  const before = ops.memory();
  const bound = model.bind(given, { states });
  bound.run();
  bound.dispose();
  bound.dispose();
  expect(ops.memory()).toEqual(before);
  expect(elements(model.run(given).y)).toEqual([22, 44]);
  expect(errorOf(() => bound.run())).toMatchObject({ code: 'DISPOSED', message: 'this bound model was disposed of' });
  expect(errorOf(() => bound.reset()).code).toBe('DISPOSED');
  model.dispose();
});

test('a bound model does not run once its model or one of its tensors was disposed of', () => {
  const model = counter();
  const bound = model.bind(feeds(), { states });
  const other = model.bind(feeds(), { states });
  other.inputs.x.dispose();
  expect(errorOf(() => other.run()).code).toBe('DISPOSED');
  model.dispose();
  expect(errorOf(() => bound.run()).code).toBe('DISPOSED');
  bound.dispose();
  other.dispose();
});

test('states that the model does not have, or that change, are refused by name', () => {
  const model = counter([null]);
  const messageOf = (options: object) => errorOf(() => model.bind(feeds(), options as never)).message;
  expect(messageOf({ states: { stat: 'next' } })).toBe("bind: states: no feed 'stat'");
  expect(messageOf({ states: { state: 'nxt' } })).toBe("bind: states: no output 'nxt'");
  expect(messageOf({ states: { state: 1 } })).toBe("bind: states has 1 for 'state', wanted the name of an output");
  expect(messageOf({ states: { state: 'y', x: 'y' } })).toBe("bind: states has the output 'y' twice");
  expect(messageOf({ states: ['next'] })).toMatch(/^bind: states is .*, wanted outputs by inputs$/);
  expect(messageOf({ state: {} })).toBe("bind: no option 'state': did you mean 'states'?");
  const x = ops.tensor('float32', [1, 2]);
  expect(errorOf(() => model.bind({ x })).message).toBe("input 'state' is missing, wanted float32 [?]");
  model.dispose();
});

test('a state that the input does not take is refused', () => {
  const model = ops.loadModel(
    proto.model({
      nodes: [
        { op: 'Concat', inputs: ['state', 'state'], outputs: ['next'], attributes: [proto.attribute.int('axis', 0)] },
      ],
      inputs: [proto.value('state', 'float32', [2])],
      outputs: [proto.value('next', 'float32', [4])],
    }),
  );
  expect(errorOf(() => model.bind({ state: ops.tensor('float32', [1, 2]) }, { states })).message).toBe(
    "bind: output 'next' is a state: input 'state' has dims [4], wanted [2]",
  );
  model.dispose();
});

test('an error leaves states as they were', () => {
  // Gather fails where its index is outside of the data.
  const model = ops.loadModel(
    proto.model({
      nodes: [
        { op: 'Gather', inputs: ['state', 'i'], outputs: ['y'] },
        { op: 'Neg', inputs: ['state'], outputs: ['next'] },
      ],
      inputs: [proto.value('state', 'float32', [2]), proto.value('i', 'int64', [])],
      outputs: [proto.value('y', 'float32', []), proto.value('next', 'float32', [2])],
    }),
  );
  const bound = model.bind({ state: ops.tensor('float32', [1, 2]), i: ops.tensor('int64', 0n) }, { states });
  const index = bound.inputs.i.data;
  bound.run();
  index[0] = 7n;
  expect(errorOf(() => bound.run())).toMatchObject({ code: 'INVALID_ARGUMENT', operator: 'Gather' });
  index[0] = 1n;
  bound.run();
  expect(elements(bound.outputs.y)).toEqual([-2]);
  bound.dispose();
  model.dispose();
});

test('runs make nothing that JavaScript would have to collect', () => {
  const model = counter();
  const bound = model.bind(feeds(), { states });
  const data = bound.inputs.x.data;
  const runs = (count: number) => {
    for (let i = 0; i < count; i++) {
      data[0] = i;
      bound.run();
    }
  };
  runs(20_000);
  // A collection may come in between, so the least of several counts: one object a run would be 160 kB.
  const grown = Array.from({ length: 5 }, () => {
    const before = process.memoryUsage().heapUsed;
    runs(10_000);
    return Math.abs(process.memoryUsage().heapUsed - before);
  });
  expect(Math.min(...grown)).toBeLessThan(40_000);
  bound.dispose();
  model.dispose();
});

test('memory() has the block of a model that ran, until the model is disposed of', async () => {
  const own = await load({});
  const x = own.tensor('float32', new Float32Array(4096), [64, 64]);
  const chain = own.loadModel(
    proto.model({
      nodes: [
        { op: 'Softmax', inputs: ['x'], outputs: ['a'] },
        { op: 'Softmax', inputs: ['a'], outputs: ['b'] },
        { op: 'Softmax', inputs: ['b'], outputs: ['c'] },
        { op: 'Softmax', inputs: ['c'], outputs: ['y'] },
      ],
      inputs: [proto.value('x', 'float32', [64, 64])],
      outputs: [proto.value('y', 'float32', [64, 64])],
    }),
  );
  expect(own.memory().planBytes).toBe(0);
  chain.run({ x }).y?.dispose();
  const { planBytes, bytesInUse } = own.memory();
  // Two of the three values between the nodes are there at a time.
  expect(planBytes).toBeGreaterThanOrEqual(2 * 16384);
  expect(planBytes).toBeLessThan(3 * 16384);
  expect(bytesInUse).toBeGreaterThanOrEqual(planBytes);
  chain.dispose();
  expect(own.memory().planBytes).toBe(0);
});

test('strings are refused', () => {
  const model = ops.loadModel(
    proto.model({
      nodes: [{ op: 'Identity', inputs: ['x'], outputs: ['y'] }],
      inputs: [proto.value('x', 'string', [1])],
      outputs: [proto.value('y', 'string', [1])],
    }),
  );
  expect(errorOf(() => model.bind({ x: ops.tensor('string', ['a']) }))).toMatchObject({
    code: 'UNSUPPORTED_TYPE',
    message: "bind: 'x' has strings",
  });
  model.dispose();
});

test('inputs have the names that feeds had when they were read', () => {
  const model = counter();
  const given = feeds() as Record<string, unknown>;
  const { state } = given;
  Object.defineProperty(given, 'state', {
    enumerable: true,
    get: () => {
      delete given.x;
      return state;
    },
  });
  const bound = model.bind(given as ReturnType<typeof feeds>);
  expect(Object.keys(bound.inputs)).toEqual(['x', 'state']);
  expect(elements(bound.inputs.x)).toEqual([1, 2]);
});
