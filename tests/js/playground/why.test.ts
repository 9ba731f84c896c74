// Why calls fail: the reason that is read off an error and its call, and the mends, which run.
import { describe, expect, test } from '@jest/globals';
import { load } from 'broadloom';
import type { CallDraft, Problem, TensorDraft } from '../../../web-demo/src/drafts.js';
import { operatorIndex, playOf } from '../../../web-demo/src/facts.js';
import type { Refused } from '../../../web-demo/src/runtime/build-tensor.js';
import { makeCall } from '../../../web-demo/src/runtime/call.js';
import { presetCalls } from '../../../web-demo/src/stage/presets.js';
import { whyTexts } from '../../../web-demo/src/texts/why.js';
import type { Reason } from '../../../web-demo/src/why/reason.js';
import { whyOf } from '../../../web-demo/src/why/why.js';

const ops = await load();

const floats = (...dims: number[]): TensorDraft => ({
  ...{ type: 'float32', dims: dims.join(', ') },
  values: { kind: 'text', text: Array.from({ length: dims.reduce((a, b) => a * b, 1) }, (_, i) => i + 1).join(', ') },
});
const integers = (list: readonly number[], ...dims: number[]): TensorDraft => ({
  ...{ type: 'int64', dims: (dims.length > 0 ? dims : [list.length]).join(', ') },
  values: { kind: 'text', text: list.join(', ') },
});
const call = (
  operator: string,
  inputs: CallDraft['inputs'],
  attributes: { readonly [name: string]: string } = {},
  opset = 25,
): CallDraft => ({
  ...{ operator, opset, inputs },
  attributes: Object.fromEntries(Object.entries(attributes).map(([name, text]) => [name, { kind: 'text', text }])),
});

function problemOf(draft: CallDraft): Problem | undefined {
  try {
    makeCall(ops, draft, () => {});
    return undefined;
  } catch (error) {
    return (error as Refused).problem;
  }
}

function reasonOf(draft: CallDraft): Reason {
  const reason = whyOf(draft, problemOf(draft) as Problem);
  if (reason === undefined) throw new Error(`no reason for: ${problemOf(draft)?.message}`);
  return reason;
}

const calls: readonly (readonly [draft: CallDraft, says: string, mends: readonly string[]])[] = [
  [call('Expand', [floats(3, 4), integers([2, 4])]), 'Axis 0: 3 and 2 differ', ['Use [1, 4]', 'Use [3, 4]']],
  [
    call('Reshape', [floats(7), integers([2, -1])]),
    '7 is not divisible by 2',
    ['Use [1, -1]', 'Use [7, -1]', 'Use [-1]'],
  ],
  [call('Reshape', [floats(2, 5), integers([3, 4])]), 'multiply to 12, but there are 10', ['Use [-1]']],
  [call('Reshape', [floats(3, 4), integers([3, 5])]), 'multiply to 15, but', ['Use [3, -1]', 'Use [-1]']],
  [call('Reshape', [floats(3, 4), integers([0, 5])]), 'multiply to 15, but', ['Use [0, -1]', 'Use [-1]']],
  [call('Add', [floats(2, 3), floats(4)]), 'Axis 1: 3 and 4 differ', ['Use B [1]', 'Use B [3]']],
  [
    call('Where', [{ ...floats(2), type: 'bool', values: { kind: 'text', text: '1, 0' } }, floats(3), floats(1)]),
    'Axis 0: 2 and 3',
    ['Use X [1]', 'Use X [2]'],
  ],
  [call('MatMul', [floats(2, 3), floats(4, 5)]), 'A has 3 columns, and B has 4 rows', ['Use B [3, 5]']],
  [call('MatMul', [floats(2, 3), floats(2, 3)]), 'A has 3 columns, and B has 2 rows', ['Transpose B', 'Use B [3, 3]']],
  [
    call('MatMul', [floats(4, 1, 3), floats(5, 3, 2)]),
    'Axis 0: 4 and 5 differ',
    ['Use B [1, 3, 2]', 'Use B [4, 3, 2]'],
  ],
  [call('Gemm', [floats(2, 3), floats(4, 3)]), 'A has 3 columns, and B has 4 rows', ['Use transB = 1', 'Use B [3, 3]']],
  [call('Gemm', [floats(3, 2), floats(3, 4)]), 'A has 2 columns, and B has 3 rows', ['Use transA = 1', 'Use B [2, 4]']],
  [
    call('Concat', [floats(2, 3), floats(4, 3)], { axis: '1' }),
    'The sizes of axis 0 differ',
    ['Use axis = 0', 'Use inputs 1 [2, 3]'],
  ],
  [call('Concat', [floats(2, 3), floats(6)], { axis: '0' }), 'The inputs have 2 and 1 axes', ['Use inputs 1 [2, 3]']],
  [
    call('Conv', [floats(1, 2, 3, 3), floats(2, 1, 2, 2)]),
    'X has 2 channels. W has 1, times group 1: 1',
    ['Use group = 2', 'Use W [2, 2, 2, 2]'],
  ],
  [call('Conv', [floats(1, 3, 3, 3), floats(2, 2, 2, 2)]), 'X has 3 channels', ['Use W [2, 3, 2, 2]']],
  [call('ConvTranspose', [floats(1, 2, 3, 3), floats(3, 1, 2, 2)]), 'W has 3 filters', ['Use W [2, 1, 2, 2]']],
  [call('Gather', [floats(3, 2), integers([0, 3])]), 'Index 3 is outside of axis 0, which has 3', ['Clamp to 2']],
  [
    call('GatherElements', [floats(2, 2), integers([0, 5, -7, 1], 2, 2)], { axis: '1' }),
    'Index 5 is outside of axis 1',
    ['Clamp to 1'],
  ],
  [call('GatherND', [floats(2, 3), integers([2, 4], 1, 2)]), 'is outside of axis', ['Clamp to 1']],
  [call('ScatterElements', [floats(3), integers([3]), floats(1)]), 'Index 3 is outside', ['Clamp to 2']],
  [
    call('Neg', [{ ...floats(2), type: 'uint8' }]),
    'X is uint8. The operator takes other types.',
    ['Use float32', 'Use int64'],
  ],
  [call('Not', [integers([0, 2])]), 'X is int64.', ['Use bool']],
  [call('Add', [floats(2), integers([1, 2])]), 'B is int64, and another input is float32', ['Use float32']],
  [call('TopK', [floats(3), integers([4])]), 'k is 4. It must be from 0 to 3.', ['Use k = 3']],
  [
    call(
      'HannWindow',
      [integers([0], 1)].map((one) => ({ ...one, dims: '' })),
    ),
    'size is 0. It must be 1 or more.',
    ['Use size = 1'],
  ],
  [call('Softmax', [floats(2, 3)], { axis: '2' }), 'axis is 2, but the tensor has 2 axes', ['Use axis = 1']],
  [call('ReduceSum', [floats(2, 3), integers([-3, 5])]), 'axes is', ['Use [-2, 1]']],
  [call('Transpose', [floats(2, 3, 4)], { perm: '1, 0' }), 'each axis from 0 to 2 once', ['Use [2, 1, 0]']],
  [call('Transpose', [floats(2, 3)], { perm: '0, 0' }), 'each axis from 0 to 1 once', ['Use [1, 0]']],
  [call('Squeeze', [floats(1, 3, 1), integers([0, 1])]), 'Axis 1 has size 3', ['Use [0]']],
  [call('Squeeze', [floats(1, 3), integers([1])]), 'Axis 1 has size 3', ['Leave out axes']],
  [call('Split', [floats(6), integers([2, 3])]), 'sum up to 5, and the axis has 6', ['Use [2, 4]']],
  [call('Split', [floats(2, 3), integers([2, 3])], { axis: '-1' }), 'sum up to 5', ['Use [2, 1]']],
  [call('Split', [floats(4)], { split: '3, 3' }, 2), 'sum up to 6', ['Use [3, 1]']],
  [call('RoiAlign', [floats(1, 1, 2, 2), floats(1, 4), integers([1])]), 'There is no image 1', ['Use [0]']],
  [call('Tile', [floats(2, 2), integers([3])]), 'has 2 axes, and repeats has 1', ['Use [1, 3]', 'Use [3, 1]']],
  [call('Tile', [floats(2), integers([3, 2])]), 'has 1 axis, and repeats has 2', ['Use [2]', 'Use [3]']],
  [call('Pad', [floats(3), integers([3, 0])], { mode: 'reflect' }), 'at most 2', ['Use [2, 0]', 'Use mode = edge']],
  [
    call('DepthToSpace', [floats(1, 3, 1, 1)], { blocksize: '2' }),
    'Axis 1 has size 3. It must be a multiple of 4.',
    ['Use input [1, 4, 1, 1]'],
  ],
  [
    call('SpaceToDepth', [floats(1, 1, 2, 3)], { blocksize: '2' }),
    'Axis 3 has size 3',
    ['Use input [1, 1, 2, 4]', 'Use input [1, 1, 2, 2]'],
  ],
  [
    call('GroupNormalization', [floats(1, 4, 1), floats(4), floats(4)], { num_groups: '3' }),
    '4 channels cannot make 3 groups',
    ['Use num_groups = 2', 'Use num_groups = 4'],
  ],
  [
    call('GRU', [floats(1, 1, 1), floats(1, 2, 1), floats(1, 3, 1)], { hidden_size: '1' }),
    'W must have the dims [1, 3, 1]',
    ['Use W [1, 3, 1]'],
  ],
];

describe('a refused call', () => {
  test.each(calls)('%j has a reason and mends', (draft, says, mends) => {
    const reason = reasonOf(draft);
    expect(reason.says(whyTexts.en)).toContain(says);
    expect(reason.mends.map(({ name }) => name(whyTexts.en))).toEqual(mends);
    for (const { name } of reason.mends) expect(name(whyTexts.zh)).not.toBe('');
    expect(reason.says(whyTexts.zh)).toMatch(/\p{Script=Han}/u);
  });

  test.each(calls)('%j runs when it is mended', (draft) => {
    for (const mend of reasonOf(draft).mends) expect(problemOf(mend.call)).toBeUndefined();
  });

  const refusedPresets = operatorIndex.flatMap(({ name }) =>
    presetCalls(name).filter((_, i) => playOf(name).presets?.[i]?.fails),
  );

  test.each(refusedPresets)('in a preset of $operator has mends that run, where it has a reason', (draft) => {
    const reason = whyOf(draft, problemOf(draft) as Problem);
    for (const mend of reason?.mends ?? []) expect(problemOf(mend.call)).toBeUndefined();
  });

  test('of most refused presets has a mend', () => {
    const mended = refusedPresets.filter((draft) => whyOf(draft, problemOf(draft) as Problem)?.mends.length);
    expect(mended.length).toBeGreaterThan(0.5 * refusedPresets.length);
  });
});

describe('the drawing', () => {
  test('of sizes lights those that differ', () => {
    const reason = reasonOf(call('Expand', [floats(3, 4), integers([5, 2, 4])]));
    expect(reason).toMatchObject({
      kind: 'axes',
      rows: [
        { label: 'input', dims: [3, 4], lit: [0] },
        { label: 'shape', dims: [5, 2, 4], lit: [1] },
      ],
    });
  });

  test('of an index has the ends of the axis', () => {
    expect(reasonOf(call('Gather', [floats(3), integers([7])]))).toMatchObject({
      kind: 'ruler',
      from: -3,
      to: 2,
      at: 7,
    });
  });

  test('is none for a text that cannot be read, and for an error that tells of no axis', () => {
    const draft = call('Expand', [floats(3, 4), integers([2, 4])]);
    expect(whyOf(draft, { place: 'call', message: 'x', finding: { what: 'noNumber' } as never })).toBeUndefined();
    expect(whyOf(draft, { place: 'call', message: 'Expand: out of memory' })).toBeUndefined();
  });
});
