// The test cases that ONNX publishes (tests/data/README.md). All cases whose operators are supported run; there is no list of them.
// The simplified model of each case gives the same bits.
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { load } from 'broadloom';
import { difference, officialTolerance } from '../../shared/agreement.js';
import { dataSets, missingCounts, officialCases } from '../../tools/models/examples.mjs';
import { wordsOf } from './helpers/reference.js';
import { counters, errorOf, expectSame, expectWords } from './helpers/runtime.js';

const ops = await load();
const cases = officialCases(ops);
const complete = cases.filter(({ missing }) => missing.length === 0);
const isTraining = ({ missing }: { missing: string[] }) => missing.join() === 'training';
const others = cases.filter((it) => it.missing.length > 0 && !isTraining(it));

test('at least 2083 of the official cases run; the others need an unsupported operator or values other than tensors', () => {
  expect(cases).toHaveLength(2359);
  expect(complete.length).toBeGreaterThanOrEqual(2083);
  const counts = missingCounts(cases).map(([need, count]) => `${need} ${count}`);
  process.stdout.write(
    `${complete.length} of ${cases.length} official cases run; the others need ${counts.join(', ')}\n`,
  );
});

test.each(complete)(
  'the official model $name gives the official outputs, and the simplified one the same bits',
  (one) => {
    const { name, file } = one;
    const before = counters(ops);
    const bytes = readFileSync(file);
    const model = ops.loadModel(bytes);
    const simplified = ops.loadModel(ops.simplify(bytes).bytes);
    const sets = dataSets(name);
    expect(sets.length).toBeGreaterThan(0);
    for (const { inputs, outputs } of sets) {
      ops.scope(() => {
        expect(inputs).toHaveLength(model.inputs.length);
        expect(outputs).toHaveLength(model.outputs.length);
        const feeds = Object.fromEntries(model.inputs.map((input, i) => [input.name, ops.readTensor(inputs[i])]));
        const results = model.run(feeds);
        const again = simplified.run(feeds);
        for (const [i, output] of model.outputs.entries()) {
          const wanted = ops.readTensor(outputs[i]);
          expect(difference(results[output.name], wanted, officialTolerance(wanted, name))).toBeUndefined();
          expectWords(again[output.name], wordsOf(results[output.name]));
        }
      });
    }
    model.dispose();
    simplified.dispose();
    expect(counters(ops)).toEqual(before);
  },
);

test('the official models that train can be opened, but not run', () => {
  const training = cases.filter(isTraining);
  expect(training).toHaveLength(10);
  for (const { name, file } of training) {
    ops.scope(() => {
      const model = ops.loadModel(readFileSync(file));
      const [{ inputs }] = dataSets(name);
      const feeds = Object.fromEntries(model.inputs.map((input, i) => [input.name, ops.readTensor(inputs[i])]));
      expect(() => model.run(feeds)).toThrow(/training is not supported/);
    });
  }
});

test('every other official model opens with allowUnsupported, and is refused without it', () => {
  const before = counters(ops);
  for (const { name, file, missing } of others) {
    const bytes = readFileSync(file);
    ops.loadModel(bytes, { allowUnsupported: true }).dispose();
    const { code, message } = errorOf(() => ops.loadModel(bytes).dispose());
    // Messages name an operator of the default domain by its name alone, and others by name and domain.
    const named = missing.map((need) => `no operator '${need.slice(need.lastIndexOf('.') + 1)}'`);
    const says = code === 'UNKNOWN_OPERATOR' ? named : ['not a tensor: a', 'is a sequence;', 'is an optional;'];
    expect([name, message, says.some((text) => message.includes(text))]).toEqual([name, message, true]);
  }
  expect(counters(ops)).toEqual(before);
});

test.each(complete)('the official tensors of $name survive readTensor, writeTensor, readTensor', ({ name }) => {
  for (const { inputs, outputs } of dataSets(name)) {
    for (const file of [...inputs, ...outputs]) {
      ops.scope(() => {
        const tensor = ops.readTensor(file);
        const written = ops.writeTensor(tensor);
        expectWords(ops.readTensor(written), wordsOf(tensor));
        expectSame(ops.writeTensor(ops.readTensor(written)), written);
      });
    }
  }
});
