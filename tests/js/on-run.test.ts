// The option onRun: what is told of each run, and what it may not disturb.
import { expect, test } from '@jest/globals';
import { load, type Model, type RunEvent } from 'broadloom';
import { GraphBuilder } from '../../tools/models/graph-builder.mjs';
import { chain } from './helpers/chain.js';
import { errorOf } from './helpers/runtime.js';

async function watched(options = {}) {
  const events: RunEvent<Model>[] = [];
  const ops = await load({ ...options, onRun: (event) => events.push(event) });
  return { ops, events };
}

test('each run is told with its model, nodes, time and memory', async () => {
  const { ops, events } = await watched();
  const [three, five] = [ops.loadModel(chain(3)), ops.loadModel(chain(5))];
  const x = ops.tensor('float32', [-1, 2]);
  three.run({ x });
  five.run({ x }, { outputs: ['x'] });
  expect(events.map(({ model, nodes }) => [model === three, nodes])).toEqual([
    [true, 3],
    [false, 5],
  ]);
  for (const event of events) {
    expect(event.microseconds).toBeGreaterThan(0);
    expect(event.bytes).toBe(ops.memory().heapBytes);
    expect('error' in event).toBe(false);
  }
});

test('a bound model tells its runs, and operators tell none', async () => {
  const { ops, events } = await watched();
  const model = ops.loadModel(chain(2));
  const bound = model.bind({ x: ops.tensor('float32', [-1, 2]) });
  const first = events.length;
  bound.run();
  bound.run();
  ops.abs(ops.tensor('float32', [1]));
  expect(events).toHaveLength(first + 2);
  expect(events.at(-1)).toMatchObject({ nodes: 2 });
  expect(events.at(-1)?.model).toBe(model);
});

test('a run that fails is told with its error, which names the limit', async () => {
  const { ops, events } = await watched({ limits: { elements: 10 } });
  const g = new GraphBuilder(18);
  g.input('x', 'float32', [2]);
  g.output(g.op('Abs', [g.op('Expand', ['x', g.constant('int64', [2], [10, 2])])]), 'float32', [10, 2]);
  const model = ops.loadModel(g.model('limited'));
  const error = errorOf(() => model.run({ x: [1, 2] }));
  expect(events).toHaveLength(1);
  expect(events[0]?.error).toBe(error);
  expect(error.limit).toBe('elements');
});

test('the listener may use the runtime, and nothing of the results is lost', async () => {
  const ops = await load({
    onRun({ model }) {
      if (!model.warnings) throw new Error('a model has warnings');
      ops.add(ops.tensor('float32', [1, 2, 3]), 1);
      ops.memory();
    },
  });
  const [y] = Object.values(ops.loadModel(chain(1)).run({ x: [-1, 2] }));
  expect([...(y?.data ?? [])]).toEqual([1, 2]);
});

test('a value for onRun is refused unless it is a function', async () => {
  await expect(load({ onRun: true } as object)).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
    message: 'load: onRun is true, wanted a function',
  });
});
