// Some frameworks wrap objects in proxies to watch them. Private members do not work through a proxy.
import { expect, test } from '@jest/globals';
import { load } from 'broadloom';
import * as mobx from 'mobx';
import { isProxy, isReactive, reactive, ref, shallowRef } from 'vue';
import { errorOf } from './helpers/runtime.js';

const ops = await load({});
const x = ops.tensor('float32', [1, 2], [2]);
const model = ops.loadModel(ops.nodeModel('Expand', [x, [3, 2]])['model.onnx']);

test('Vue leaves tensors, models and runtimes in its state as they are', () => {
  const state = reactive({ x, model, ops, list: [x], map: new Map([['x', x]]) });
  expect([state.x, state.model, state.ops, state.list[0], state.map.get('x')]).toEqual([x, model, ops, x, x]);
  for (const value of [
    state.x,
    state.model,
    state.ops,
    state.list[0],
    reactive(x),
    ref(x).value,
    shallowRef(x).value,
  ]) {
    expect([isProxy(value), isReactive(value)]).toEqual([false, false]);
  }
  expect([...state.ops.expand(state.x as typeof x, [2, 2]).data]).toEqual([1, 2, 1, 2]);
});

test('MobX leaves tensors, models and runtimes in its state as they are', () => {
  const state = mobx.observable({ x, model, ops, list: [x] });
  expect([state.x === x, state.model === model, state.ops === ops, state.list[0] === x]).toEqual([
    true,
    true,
    true,
    true,
  ]);
  const seen: number[][] = [];
  const stop = mobx.autorun(() => seen.push([...state.ops.expand(state.x, [1, 2]).data]));
  mobx.runInAction(() => {
    state.x = ops.tensor('float32', [3, 4], [2]);
  });
  stop();
  expect(seen).toEqual([
    [1, 2],
    [3, 4],
  ]);
});

const uses: [what: string, use: () => unknown][] = [
  ['a tensor as an input', () => ops.expand(new Proxy(x, {}), [2, 2])],
  ['a tensor as an attribute', () => ops.constant({ value: new Proxy(x, {}) })],
  ['data', () => new Proxy(x, {}).data],
  ['dims', () => new Proxy(x, {}).dims],
  ['type', () => new Proxy(x, {}).type],
  ['size', () => new Proxy(x, {}).size],
  ['strides', () => new Proxy(x, {}).strides],
  ['toArray', () => new Proxy(x, {}).toArray()],
  ['unpack', () => new Proxy(x, {}).unpack()],
  ['toMessage', () => new Proxy(x, {}).toMessage()],
  ['toJSON', () => JSON.stringify(new Proxy(x, {}))],
  ['dispose', () => new Proxy(x, {}).dispose()],
  ['a model', () => new Proxy(model, {}).run({})],
  ['nodes of a model', () => new Proxy(model, {}).nodes],
  ['dispose of a model', () => new Proxy(model, {}).dispose()],
  ['a runtime', () => new Proxy(ops, {}).expand(x, [2, 2])],
  ['memory of a runtime', () => new Proxy(ops, {}).memory()],
  ['scope of a runtime', () => new Proxy(ops, {}).scope(() => 1)],
];

test.each(uses)('%s through any other proxy is refused with what to do', (_what, use) => {
  const error = errorOf(use);
  expect(error.code).toBe('INVALID_ARGUMENT');
  expect(error.message).toMatch(/proxy or a copy of a (tensor|model|runtime).*markRaw/);
});

test('a proxy of a tensor can be printed', () => {
  expect(String(new Proxy(x, {}))).toContain('proxy');
});
