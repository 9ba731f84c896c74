// The initial calls of the pages of operators.
import { describe, expect, test } from '@jest/globals';
import { load } from 'broadloom';
import { defaultDraft } from '../../../web-demo/src/default-draft.js';
import type { CallDraft } from '../../../web-demo/src/drafts.js';
import { newestOpset } from '../../../web-demo/src/facts.js';
import { buildCall } from '../../../web-demo/src/runtime/build-tensor.js';
import { callOf, fieldText, presetCall, presetOf, withField } from '../../../web-demo/src/stage/calls.js';
import { type Stage, stagedOperators, stageOf } from '../../../web-demo/src/stage/stages.js';
import { stageTexts } from '../../../web-demo/src/texts/stage.js';

const ops = await load();

/** The dims of the output. */
function run(call: CallDraft): readonly number[] {
  return ops.scope(() => {
    const { inputs, attributes } = buildCall(ops, call);
    return [...(ops.run(call.operator, inputs, attributes)[0]?.dims ?? [])];
  });
}

describe.each(stagedOperators)('%s', (operator) => {
  const stage = stageOf(operator) as Stage;
  const calls = Object.entries(stage.presets).map(
    ([name, texts]) => [name, presetCall(operator, stage, texts)] as const,
  );

  test('opens with its default call', () => {
    expect(calls[0]?.[1]).toEqual(defaultDraft(operator, newestOpset));
  });

  test.each(calls)('the preset %s is told apart, and only the one called refused is refused', (name, call) => {
    expect(presetOf(call, stage)).toBe(name);
    if (name === 'refused') expect(() => run(call)).toThrow(/cannot/);
    else expect(run(call)).toBeDefined();
  });

  test.each(['en', 'zh'] as const)('has words for its fields and presets in %s, and for nothing else', (language) => {
    const words = stageTexts[language].operators[operator];
    expect(Object.keys(words?.fields ?? {})).toEqual(stage.fields.map(({ id }) => id));
    expect(Object.keys(words?.presets ?? {})).toEqual(Object.keys(stage.presets));
  });
});

test('other dims get values that fit them', () => {
  const [dims, shape] = stageOf('Expand')?.fields ?? [];
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
