// The stages of the pages of operators: the fields of their calls, and their presets.
import { describe, expect, test } from '@jest/globals';
import { load, type Operator } from 'broadloom';
import { operatorWords } from '../../../tools/operators/words.mjs';
import { defaultDraft } from '../../../web-demo/src/default-draft.js';
import type { CallDraft } from '../../../web-demo/src/drafts.js';
import {
  addOperator,
  foreignIndex,
  newestOpset,
  operatorIndex,
  operatorOf,
  playOf,
} from '../../../web-demo/src/facts.js';
import { callToLink, linkToCall } from '../../../web-demo/src/link.js';
import { buildCall } from '../../../web-demo/src/runtime/build-tensor.js';
import { makeCall } from '../../../web-demo/src/runtime/call.js';
import { callOf, fieldText, firstCall, withField } from '../../../web-demo/src/stage/calls.js';
import { rangeOf } from '../../../web-demo/src/stage/curve-call.js';
import { foldedFields } from '../../../web-demo/src/stage/folded-fields.js';
import { presetCalls, presetOf } from '../../../web-demo/src/stage/presets.js';
import { stagedOperators, stageOf } from '../../../web-demo/src/stage/stages.js';
import { stageTexts } from '../../../web-demo/src/texts/stage.js';

const ops = await load();
const names = operatorIndex.map(({ name }) => name);

/** The dims of the output. */
function run(call: CallDraft): readonly number[] {
  return ops.scope(() => {
    const { inputs, attributes } = buildCall(ops, call);
    return [...(ops.run(call.operator, inputs, attributes, { opset: call.opset })[0]?.dims ?? [])];
  });
}

const presets = names.flatMap((name) =>
  presetCalls(name).map((call, i) => [`${name}, ${operatorWords[name]?.en.presets?.[i]?.name}`, call, i] as const),
);

describe('presets', () => {
  test.each(presets)('%s runs, or is refused on purpose, and is told apart by its link', (_, call, i) => {
    const fails = playOf(call.operator).presets?.[i]?.fails ?? false;
    if (fails) expect(() => run(call)).toThrow();
    else expect(run(call)).toBeDefined();
    const read = linkToCall(callToLink(call) as string) as CallDraft;
    expect(presetOf(read)).toBe(i);
  });

  test.each(names)('%s has as many words in each language as presets, and its neighbours are operators', (name) => {
    const words = operatorWords[name];
    const count = playOf(name).presets?.length ?? 0;
    expect([words?.en.presets?.length ?? 0, words?.zh.presets?.length ?? 0]).toEqual([count, count]);
    const known = [...names, ...foreignIndex.map((row) => row.name)];
    expect(known).toEqual(expect.arrayContaining([...(playOf(name).see ?? [])]));
    expect(playOf(name).see ?? []).not.toContain(name);
  });

  test('a range is the first input, with a type and attributes of its own', () => {
    const facts = operatorOf('Elu') as Operator;
    const preset = { from: -2, to: 2, type: 'float16', attributes: { alpha: 3 } } as const;
    const play = { ...playOf('Elu'), presets: [{ first: true }, preset] as const };
    addOperator({ ...play, operator: { ...facts, name: 'EluAgain' }, examples: [] });
    const [first, second] = presetCalls('EluAgain');
    expect(first).toBe(firstCall('EluAgain'));
    expect(second && rangeOf(second)).toEqual({ type: 'float16', from: -2, to: 2 });
    expect(second?.attributes).toEqual({ alpha: { kind: 'text', text: '3' } });
    expect(presetOf(second as CallDraft)).toBe(1);
  });

  test('a call that was edited is none of them', () => {
    const [dims] = stageOf('Expand') ?? [];
    if (dims === undefined) throw new Error('no field');
    expect(presetOf(firstCall('Expand'))).toBe(0);
    expect(presetOf(withField(firstCall('Expand'), dims, '3, 5'))).toBe(-1);
  });
});

describe.each(stagedOperators)('%s', (operator) => {
  test('opens with its default call', () => {
    expect(firstCall(operator)).toEqual(defaultDraft(operator, newestOpset));
  });

  test.each(['en', 'zh'] as const)('has words for its fields in %s, and for nothing else', (language) => {
    const ids = stageOf(operator)?.map(({ id }) => id);
    expect(Object.keys(stageTexts[language].operators[operator] ?? {})).toEqual(ids);
  });
});

describe('fields', () => {
  const namesOf = (call: CallDraft, isHeld = false) => {
    const { shown, more } = foldedFields(
      call,
      makeCall(ops, call, () => {}),
      isHeld,
    );
    const attributes = (fields: typeof shown) => fields.flatMap((field) => ('name' in field ? [field.name] : []));
    return { shown: attributes(shown), more: attributes(more) };
  };

  test('attributes that would change the result have a field at once, the others are folded', () => {
    expect(namesOf(firstCall('Reshape'))).toEqual({ shown: [], more: ['allowzero'] });
    const { shown, more } = namesOf(firstCall('Conv'));
    expect(shown).toEqual(expect.arrayContaining(['dilations', 'pads', 'strides']));
    expect(more).toEqual(['group', 'kernel_shape']);
    expect(namesOf(firstCall('Softmax'))).toEqual({ shown: ['axis'], more: [] });
  });

  test('an attribute that is given has a field, which stays when it is emptied; none moves while somebody is in it', () => {
    const first = firstCall('Reshape');
    const given = { ...first, attributes: { allowzero: { kind: 'text', text: '1' } } } as const;
    expect(namesOf(firstCall('Abs')).shown).toEqual([]); // of another operator, so that nothing is remembered
    expect(namesOf(given, true).more).toEqual(['allowzero']);
    expect(namesOf(given).shown).toEqual(['allowzero']);
    expect(namesOf(first).shown).toEqual(['allowzero']);
  });
});

test('other dims get values that fit them', () => {
  const [dims, shape] = stageOf('Expand') ?? [];
  if (dims === undefined || shape === undefined) throw new Error('no fields');
  const call = withField(withField(defaultDraft('Expand', newestOpset), dims, '5, 1'), shape, '2, 5, 3');
  expect(run(call)).toEqual([2, 5, 3]);
  expect(fieldText(call, dims)).toBe('5, 1');
  const bools: CallDraft = {
    ...call,
    inputs: [{ type: 'bool', dims: '1', values: { kind: 'text', text: 'True' } }, call.inputs[1] ?? null],
  };
  expect(run(withField(bools, dims, '5, 1'))).toEqual([2, 5, 3]);
});

test('a page shows the edited call if it is of its operator, or else its default call', () => {
  const call = defaultDraft('Shape', newestOpset);
  expect(callOf({ route: { page: 'operator', operator: 'Shape' }, call })).toBe(call);
  const route = { page: 'operator', operator: 'Expand' } as const;
  expect(callOf({ route, call })).toEqual(defaultDraft('Expand', newestOpset));
  expect(callOf({ route, call })).toBe(callOf({ route, call }));
  expect(callOf({ route: { page: 'models' }, call })).toBeUndefined();
});
