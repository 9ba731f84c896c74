// The first call of a runtime may be any call: every test here makes a new runtime.
import { expect, test } from '@jest/globals';
import { load, type Runtime } from 'broadloom';
import * as proto from '../../shared/onnx.js';
import { errorOf, expectUsable } from './helpers/runtime.js';

const firstCalls: [what: string, call: (ops: Runtime) => unknown][] = [
  ['operators()', (ops) => ops.operators()],
  ['memory()', (ops) => ops.memory()],
  ['a tensor of 5000 listed numbers', (ops) => ops.tensor('float32', Array(5000).fill(0.5), [5000])],
  ['a tensor of 5000 strings', (ops) => ops.tensor('string', Array(5000).fill('loom'), [5000])],
  ['a tensor of rank 255', (ops) => ops.empty('int8', Array(255).fill(1))],
  [
    'a model',
    (ops) => ops.loadModel(proto.model({ inputs: [proto.value('x', 'int8')], outputs: [proto.value('x', 'int8')] })),
  ],
  ['a constant of 5000 numbers', (ops) => ops.constant({ value_floats: Array(5000).fill(2) })],
  ['an Expand to a long shape', (ops) => ops.expand({ type: 'int8', dims: [], data: [1] }, Array(255).fill(1))],
];

test.each(firstCalls)('%s may be the first call of a runtime', async (_what, call) => {
  const reference = await load({});
  reference.empty('int8', [1]).dispose();
  const names = reference.operators();
  const ops = await load({});
  call(ops);
  expectUsable(ops);
  expect(ops.operators()).toEqual(names);
});

const firstRefusals: [what: string, call: (ops: Runtime) => unknown, code: string][] = [
  ['an unknown operator', (ops) => ops.run('Weave', []), 'UNKNOWN_OPERATOR'],
  ['data of a wrong length', (ops) => ops.tensor('float32', [1], [2]), 'INVALID_ARGUMENT'],
  ['a number out of range', (ops) => ops.tensor('int8', [128], [1]), 'INVALID_ARGUMENT'],
  ['a negative size', (ops) => ops.empty('int8', [-1]), 'INVALID_ARGUMENT'],
  ['a Constant without a value', (ops) => ops.run('Constant', []), 'INVALID_ARGUMENT'],
  ['an empty model file', (ops) => ops.loadModel(new Uint8Array(0)), 'INVALID_MODEL'],
  ['an empty tensor file', (ops) => ops.readTensor(new Uint8Array(0)), 'INVALID_MODEL'],
];

test.each(firstRefusals)('the first call of a runtime may be one that is refused: %s', async (_what, call, code) => {
  const ops = await load({});
  expect(errorOf(() => call(ops)).code).toBe(code);
  expectUsable(ops);
});
