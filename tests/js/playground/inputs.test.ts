// Changes that forms make to the inputs and attributes of calls.
import { expect, test } from '@jest/globals';
import { load, type OperatorVersion } from 'broadloom';
import { emptyAttribute, namedType, numbersText } from '../../../web-demo/src/attributes.js';
import { defaultDraft } from '../../../web-demo/src/default-draft.js';
import type { CallDraft } from '../../../web-demo/src/drafts.js';
import { newestOpset, operatorIndex, operatorOf, versionOf } from '../../../web-demo/src/facts.js';
import {
  firstInput,
  inputRows,
  isVariadic,
  parameterName,
  withInput,
  withOneMore,
  withoutOne,
} from '../../../web-demo/src/inputs.js';
import { placeInForm } from '../../../web-demo/src/places.js';
import { buildCall } from '../../../web-demo/src/runtime/build-tensor.js';
import { attributesOf } from '../../../web-demo/src/take/source.js';
import { tensor } from '../helpers/drafts.js';

const ops = await load();

function versionFor({ operator, opset }: CallDraft): OperatorVersion {
  const known = operatorOf(operator);
  const version = known && versionOf(known, opset);
  if (version === undefined) throw new Error(`no version of ${operator}`);
  return version;
}

/** The dims of the first output. */
function run({ operator, inputs, attributes, opset }: CallDraft): readonly number[] | undefined {
  return ops.scope(() => {
    const built = buildCall(ops, { operator, inputs, attributes, opset });
    return ops.run(operator, built.inputs, built.attributes, { opset })[0]?.dims;
  });
}

const concat: CallDraft = {
  ...{ operator: 'Concat', opset: newestOpset },
  inputs: [tensor('int8', '2', '1 2'), tensor('int8', '1', '3')],
  attributes: { axis: { kind: 'text', text: '0' } },
};

test('a variadic input has a numbered form for each given tensor, and at least one', () => {
  const version = versionFor(concat);
  expect(isVariadic(version)).toBe(true);
  expect(inputRows(version, concat)).toHaveLength(2);
  expect(inputRows(version, { ...concat, inputs: [] })).toHaveLength(1);
  expect(parameterName(version.inputs, 1)).toBe('inputs 1');
  expect(parameterName(versionFor(defaultDraft('Slice', newestOpset)).inputs, 1)).toBe('starts');
  expect(placeInForm(concat, 'input:1:values')).toBe('input:1:values');
  expect(placeInForm(concat, 'input:2:values')).toBe('call');
});

test('an added variadic input equals the one before it, and any can be removed', () => {
  const version = versionFor(concat);
  const three = withOneMore(concat, version);
  expect(three.inputs).toEqual([...concat.inputs, concat.inputs[1]]);
  expect(run(three)).toEqual([4]);
  expect(withoutOne(three, 0).inputs).toEqual([concat.inputs[1], concat.inputs[1]]);
  const floats = withInput(concat, version, 1, tensor('float32', '1', '3'));
  expect(floats.inputs.map((input) => input?.type)).toEqual(['float32', 'float32']);
});

test('optional inputs can be added and removed; omitted ones at the end are dropped', () => {
  const call: CallDraft = {
    ...{ operator: 'Slice', opset: newestOpset, attributes: {} },
    inputs: [tensor('float32', '4, 4', { kind: 'range', start: 0, step: 1 }), tensor('int64', '1', '1')],
  };
  const version = versionFor(call);
  const sliced = withInput(call, version, 2, tensor('int64', '1', '3'));
  expect(run(sliced)).toEqual([2, 4]);
  const steps = withInput(sliced, version, 4, tensor('int64', '1', '2'));
  expect(steps.inputs.map((input) => input !== null)).toEqual([true, true, true, false, true]);
  expect(run(steps)).toEqual([1, 4]);
  expect(withInput(steps, version, 4, null)).toEqual(sliced);
  // A required input keeps its position.
  expect(withInput(sliced, version, 2, null).inputs).toHaveLength(3);
});

test('the initial text of an optional input fits the present inputs', () => {
  for (const { name } of operatorIndex) {
    const call = defaultDraft(name, newestOpset);
    const version = versionFor(call);
    for (const [i, { option, type }] of version.inputs.entries()) {
      if (option !== 'Optional') continue;
      const draft = firstInput(call, version, i);
      expect(version.typeConstraints[type] ?? [type]).toContain(draft.type);
      const given = withInput(call, version, i, draft);
      // Inputs of the same constraint keep their type.
      for (const [j, input] of call.inputs.entries()) {
        if (input && j !== i) expect(given.inputs[j]?.type).toBe(input.type);
      }
    }
  }
  const pad = withInput(defaultDraft('Pad', newestOpset), versionFor(defaultDraft('Pad', newestOpset)), 2, null);
  expect(firstInput(pad, versionFor(pad), 2)).toMatchObject({ dims: '', type: pad.inputs[0]?.type });
});

test('an attribute begins with its default, the first of its words, or an element type', () => {
  const rows = ops.operators().flatMap(({ versions }) => versions.at(-1)?.attributes ?? []);
  for (const row of rows.filter((row) => row.default !== undefined)) {
    expect(emptyAttribute(row)).toEqual({ kind: 'text', text: String(row.default) });
  }
  const find = (name: string) => rows.find((row) => row.name === name) as (typeof rows)[number];
  expect(emptyAttribute(find('reduction'))).toEqual({ kind: 'text', text: 'none' });
  expect(emptyAttribute(find('to'))).toEqual({ kind: 'text', text: 'float32' });
  expect(emptyAttribute(find('value')).kind).toBe('tensor');
});

test('an element type in an attribute is given by its name or by its number', () => {
  expect(namedType('float16')?.id).toBe(10);
  expect(namedType(' 10 ')?.name).toBe('float16');
  expect(namedType('half')).toBeUndefined();
  const to = { name: 'to', type: 'INT', required: true, isDataType: true } as const;
  expect(numbersText(to, 'int64')).toBe('7');
  expect(numbersText(to, '7')).toBe('7');
  expect(numbersText({ name: 'axis', type: 'INT', required: false }, '7')).toBe('7');
  const cast = (text: string): CallDraft => ({
    ...{ operator: 'Cast', opset: newestOpset, inputs: [tensor('float32', '1', '2.5')] },
    attributes: { to: { kind: 'text', text } },
  });
  for (const text of ['int64', '7']) {
    expect(run(cast(text))).toEqual([1]);
    expect(attributesOf(cast(text))).toEqual([['to', { kind: 'INT', value: 7n }]]);
  }
});
