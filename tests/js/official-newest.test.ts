// ONNX's node tests of the newest opset. All cases whose operators are supported run; there is no list of them. The simplified
// model of each case gives the same bits.
import { expect, test } from '@jest/globals';
import { load, type Model, type Tensor } from 'broadloom';
import { needsOf } from '../../tools/model-reader.mjs';
import { difference, modelOf, newestCases, tensorsOf } from './helpers/newest.js';
import { wordsOf } from './helpers/reference.js';
import { counters, errorOf, expectWords } from './helpers/runtime.js';

const ops = await load();
const present = new Set(['If', 'Loop', 'Scan', ...ops.operators().map(({ name }) => name)]);
const trains = /^test_(batchnorm_.*_training_mode|training_dropout(_default)?(_mask)?)$/;
const cases = newestCases();
const runs = new Set(cases.filter((name) => needsOf(modelOf(name)).every((need) => present.has(need))));
const results = [...runs].filter((name) => !trains.test(name));

const feedsOf = (model: Model, inputs: Buffer[]): Record<string, Tensor> =>
  Object.fromEntries(model.inputs.slice(0, inputs.length).map(({ name }, i) => [name, ops.readTensor(inputs[i])]));

test('at least 1291 of the 1831 newest official cases run', () => {
  expect(cases).toHaveLength(1831);
  expect(results.length).toBeGreaterThanOrEqual(1291);
});

test.each(results)('the newest official model %s gives its outputs, and the simplified one the same bits', (name) => {
  const before = counters(ops);
  const bytes = modelOf(name);
  const model = ops.loadModel(bytes);
  const simplified = ops.loadModel(ops.simplify(bytes).bytes);
  const outputs = tensorsOf(name, 'output');
  expect(outputs.length).toBeGreaterThan(0);
  for (const [set, inputs] of tensorsOf(name, 'input').entries()) {
    ops.scope(() => {
      const feeds = feedsOf(model, inputs);
      const found = model.run(feeds);
      const again = simplified.run(feeds);
      for (const [i, output] of model.outputs.entries()) {
        expect(difference(ops, found[output.name], ops.readTensor(outputs[set][i]), name)).toBeUndefined();
        expectWords(again[output.name], wordsOf(found[output.name]));
      }
    });
  }
  model.dispose();
  simplified.dispose();
  expect(counters(ops)).toEqual(before);
});

test('every other of the newest official models opens with allowUnsupported, and is refused without it', () => {
  for (const name of cases.filter((one) => !runs.has(one))) {
    ops.loadModel(modelOf(name), { allowUnsupported: true }).dispose();
    expect([name, errorOf(() => ops.loadModel(modelOf(name)))]).toEqual([name, expect.anything()]);
  }
});
