// The test cases that ONNX publishes (Debian: libonnx-testdata). All cases whose operators are supported run; there is no list of
// them. A missing folder is a failure, not a skip.
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { load } from 'broadloom';
import { difference, officialTolerance } from '../../shared/agreement.js';
import { dataSets, missingCounts, officialCases, outdatedCases } from '../../tools/examples.mjs';
import { wordsOf } from './helpers/reference.js';
import { counters, errorOf, expectSame, expectWords } from './helpers/runtime.js';

const ops = await load();
const cases = officialCases(ops);
const complete = cases.filter(({ missing }) => missing.length === 0);
const isTraining = ({ missing }: { missing: string[] }) => missing.join() === 'training';
const others = cases.filter((it) => it.missing.length > 0 && !isTraining(it));

test('the outdated official cases of bfloat16 have uint16 where their models say bfloat16', () => {
  const found = outdatedCases(ops);
  // None since ONNX 1.16.
  expect([0, 6]).toContain(found.length);
  for (const { name, file } of found) {
    const model = ops.loadModel(readFileSync(file));
    const [{ inputs, outputs }] = dataSets(name);
    const types = [...inputs, ...outputs].map((bytes) => ops.readTensor(bytes).type);
    expect([...model.inputs, ...model.outputs].map(({ type }) => type)).toContain('bfloat16');
    expect(types).toContain('uint16');
    model.dispose();
  }
});

test('at least 736 of the official cases run; the others need an unsupported operator or values other than tensors', () => {
  expect(cases.length).toBeGreaterThan(1000);
  expect(complete.length).toBeGreaterThanOrEqual(736);
  const counts = missingCounts(cases).map(([need, count]) => `${need} ${count}`);
  process.stdout.write(
    `${complete.length} of ${cases.length} official cases run; the others need ${counts.join(', ')}\n`,
  );
});

test.each(complete)('the official model $name gives the official outputs', ({ name, file }) => {
  const before = counters(ops);
  const model = ops.loadModel(readFileSync(file));
  const sets = dataSets(name);
  expect(sets.length).toBeGreaterThan(0);
  for (const { inputs, outputs } of sets) {
    ops.scope(() => {
      expect(inputs).toHaveLength(model.inputs.length);
      expect(outputs).toHaveLength(model.outputs.length);
      const results = model.run(
        Object.fromEntries(model.inputs.map((input, i) => [input.name, ops.readTensor(inputs[i])])),
      );
      for (const [i, output] of model.outputs.entries()) {
        const wanted = ops.readTensor(outputs[i]);
        expect(difference(results[output.name], wanted, officialTolerance(wanted, name))).toBeUndefined();
      }
    });
  }
  model.dispose();
  expect(counters(ops)).toEqual(before);
});

test('the official models that train can be opened, but not run', () => {
  const training = cases.filter(isTraining);
  expect(training).toHaveLength(6);
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
