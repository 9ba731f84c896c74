// The examples on the cards, and the initial calls of forms.
import { expect, test } from '@jest/globals';
import { load, type Operator } from 'broadloom';
import { defaultDraft } from '../../../web-demo/src/default-draft.js';
import { exampleDraft } from '../../../web-demo/src/example-draft.js';
import {
  type Example,
  type ExampleTensor,
  examplesOf,
  newestOpset,
  operatorIndex,
  operatorOf,
  versionOf,
} from '../../../web-demo/src/facts.js';
import { buildCall } from '../../../web-demo/src/runtime/build-tensor.js';
import { runExample } from '../../../web-demo/src/runtime/call.js';
import { shownWords, tensorLines } from '../../../web-demo/src/values/shown.js';

const ops = await load();
const names = operatorIndex.map(({ name }) => name);
const examples = names.flatMap(examplesOf);

test.each(examples)('the example $operator $name gives on its card what ONNX expects', (example) => {
  const { agreement, actual } = runExample(ops, exampleDraft(example), example.outputs);
  const expected = example.outputs
    .map((one: ExampleTensor) => tensorLines(one.type, one.dims, shownWords(one)))
    .join('\n');
  expect(agreement).toBe(actual === expected ? 'equal' : 'close');
});

test('most examples equal the results that ONNX expects; all do for an operator without sums and functions', () => {
  const isEqual = (example: Example): boolean =>
    runExample(ops, exampleDraft(example), example.outputs).agreement === 'equal';
  expect(examples.filter(isEqual).length).toBeGreaterThan(0.8 * examples.length);
  for (const name of ['Add', 'Cast', 'Concat', 'Gather', 'Sqrt', 'TopK'])
    expect(examplesOf(name).filter((example) => !isEqual(example))).toEqual([]);
});

test('an example is close if only rounding differs, or else different; a refused one says why', () => {
  const [example] = examplesOf('Abs');
  const [output] = example.outputs;
  const agreementWith = (data: Example['outputs'][number]['data'], outputs = 1): string => {
    const wanted = Array.from({ length: outputs }, () => ({ ...output, data }));
    return runExample(ops, exampleDraft(example), wanted).agreement;
  };
  const moved = (by: number) => output.data.map((value) => Number(value) * (1 + by));
  expect([agreementWith(output.data), agreementWith(moved(2 ** -23)), agreementWith(moved(2 ** -20))]).toEqual([
    ...['equal', 'close', 'different'],
  ]);
  expect([agreementWith(output.data, 0), agreementWith(output.data, 2)]).toEqual(['different', 'different']);
  const refused = { ...exampleDraft(example), inputs: [] };
  expect(runExample(ops, refused, [])).toEqual({
    agreement: 'different',
    actual: expect.stringContaining('takes 1 input'),
  });
});

test.each(names)('%s has one to eight examples, or documented ones', (name) => {
  const { length } = examplesOf(name);
  expect(length).toBeGreaterThan(0);
  if (name !== 'Shape') expect(length).toBeLessThanOrEqual(8);
});

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

test('the form of a variadic operator begins with several inputs', () => {
  for (const name of ['Concat', 'Max', 'Min', 'Sum', 'Mean']) {
    expect(defaultDraft(name, newestOpset).inputs.length).toBeGreaterThan(1);
  }
});
