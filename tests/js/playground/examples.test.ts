// The examples on the cards, and the calls that forms begin with.
import { expect, test } from '@jest/globals';
import { load, type Operator } from 'broadloom';
import { defaultDraft } from '../../../web-demo/src/default-draft.js';
import { exampleDraft } from '../../../web-demo/src/example-draft.js';
import { examplesOf, newestOpset, operatorIndex, operatorOf, versionOf } from '../../../web-demo/src/facts.js';
import { buildCall } from '../../../web-demo/src/runtime/build-tensor.js';
import { runExample } from '../../../web-demo/src/runtime/call.js';

const ops = await load();
const names = operatorIndex.map(({ name }) => name);
const examples = names.flatMap(examplesOf);

test.each(examples)('the example $operator $name gives on its card what ONNX expects', (example) => {
  const { equal, actual } = runExample(ops, exampleDraft(example), example.expected);
  expect(actual).toBe(example.expected);
  expect(equal).toBe(true);
});

test('an example that gives something else is not equal, and one that is refused says why', () => {
  const [example] = examplesOf('Abs');
  expect(runExample(ops, exampleDraft(example), 'another').equal).toBe(false);
  const refused = { ...exampleDraft(example), inputs: [] };
  expect(runExample(ops, refused, '')).toEqual({ equal: false, actual: expect.stringContaining('takes 1 input') });
});

// The tests that Debian packs end with opset 17; CenterCropPad came with 18.
test.each(names.filter((name) => name !== 'CenterCropPad'))(
  '%s has one to eight examples, or documented ones',
  (name) => {
    const { length } = examplesOf(name);
    expect(length).toBeGreaterThan(0);
    if (name !== 'Shape') expect(length).toBeLessThanOrEqual(8);
  },
);

test('the examples of an operator are a small download', () => {
  for (const name of names) expect(JSON.stringify(examplesOf(name)).length).toBeLessThan(25_000);
});

test.each(names)('the form of %s begins with a call that runs', (name) => {
  const { operator, inputs, attributes, opset } = defaultDraft(name, newestOpset);
  ops.scope(() => {
    const built = buildCall(ops, { operator, inputs, attributes, opset });
    expect(ops.run(operator, built.inputs, built.attributes, { opset }).length).toBeGreaterThan(0);
  });
});

test('the form of any version has its inputs, and the attributes that it needs', () => {
  for (const name of names) {
    for (const { sinceVersion, inputs, attributes } of (operatorOf(name) as Operator).versions) {
      const draft = defaultDraft(name, sinceVersion);
      expect(versionOf(operatorOf(name) as Operator, draft.opset)?.sinceVersion).toBe(sinceVersion);
      const needed = attributes.filter(({ required }) => required).map((row) => row.name);
      expect(Object.keys(draft.attributes)).toEqual(expect.arrayContaining(needed));
      expect(draft.inputs.length).toBeGreaterThanOrEqual(inputs.filter(({ option }) => option === 'Single').length);
    }
  }
});

test('of what takes any number of inputs, the form begins with several', () => {
  for (const name of ['Concat', 'Max', 'Min', 'Sum', 'Mean']) {
    expect(defaultDraft(name, newestOpset).inputs.length).toBeGreaterThan(1);
  }
});
