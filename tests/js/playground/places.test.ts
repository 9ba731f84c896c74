// The places at which problems of calls are shown.
import { describe, expect, test } from '@jest/globals';
import { load, type OnnxError, type Tensor } from 'broadloom';
import type { AttributeDraft, CallDraft, TensorDraft } from '../../../web-demo/src/drafts.js';
import { placeInForm } from '../../../web-demo/src/places.js';
import { at, buildCall, type Refused } from '../../../web-demo/src/runtime/build-tensor.js';
import { placeOf } from '../../../web-demo/src/runtime/place-of.js';

const ops = await load();

const tensor = (type: TensorDraft['type'], dims: string, text: string): TensorDraft => ({
  ...{ type, dims, values: { kind: 'text', text } },
});

const call = (
  operator: string,
  inputs: CallDraft['inputs'],
  attributes: CallDraft['attributes'] = {},
  opset = 25,
): CallDraft => ({ operator, opset, inputs, attributes });

/** The problem of a call that the worker reports. */
function problemOf(draft: CallDraft): { readonly place: string; readonly message: string } {
  try {
    ops.scope(() => {
      const { inputs, attributes } = buildCall(ops, draft);
      const place = (error: OnnxError) => placeOf(error, draft, inputs as (Tensor | null)[]);
      at(place, () => ops.run(draft.operator, inputs, attributes, { opset: draft.opset }));
    });
  } catch (error) {
    return (error as Refused).problem;
  }
  throw new Error('it is not refused');
}

const sparse = (values: TensorDraft, indices: TensorDraft, dims: string): CallDraft =>
  call('Constant', [], { sparse_value: { kind: 'sparse', values, indices, dims } });
const two = tensor('float32', '2', '1, 2');
const text = (value: string): AttributeDraft => ({ kind: 'text', text: value });

describe('the place of a problem', () => {
  test.each([
    ['indices that do not ascend', sparse(two, tensor('int64', '2', '5, 1'), '2, 3'), 'indices:values'],
    ['an index outside', sparse(two, tensor('int64', '2', '1, 9'), '2, 3'), 'indices:values'],
    ['dims of indices', sparse(two, tensor('int64', '3', '1, 2, 3'), '2, 3'), 'indices:dims'],
    ['the type of indices', sparse(two, tensor('int32', '2', '1, 2'), '2, 3'), 'indices:type'],
    ['dims of values', sparse(tensor('float32', '2, 1', '1, 2'), tensor('int64', '2', '1, 2'), '2, 3'), 'values:dims'],
    ['dense dims', sparse(two, tensor('int64', '2', '1, 2'), '-1'), 'dims'],
  ])('of a sparse tensor is its part: %s', (_, draft, part) => {
    expect(problemOf(draft).place).toBe(`attribute:sparse_value:${part}`);
  });

  test('of a type that the output cannot have is the type of the attribute that gives it', () => {
    const value: AttributeDraft = { kind: 'tensor', tensor: tensor('bfloat16', '1', '1') };
    const draft = call('ConstantOfShape', [tensor('int64', '1', '3')], { value }, 9);
    expect(problemOf(draft)).toMatchObject({
      place: 'attribute:value:type',
      message: expect.stringContaining('ConstantOfShape-20 (opset 20) allows it'),
    });
  });

  test('of dims is the dims, and the message names no other operator', () => {
    for (const [dims, message] of [
      ['-2', 'dims [-2]: axis 0 is -2; sizes cannot be negative'],
      ['4294967296, 4294967296', 'dims [4294967296, 4294967296] have too many elements: more than 2^53 - 1'],
    ] as const) {
      expect(problemOf(call('Shape', [tensor('float32', dims, '')]))).toMatchObject({ place: 'input:0:dims', message });
    }
  });

  test('of a number that float32 cannot hold is its attribute', () => {
    expect(problemOf(call('Constant', [], { value_floats: text('1, 1e39') }))).toMatchObject({
      place: 'attribute:value_floats',
      message: expect.stringContaining('which float32 cannot hold'),
    });
  });

  test.each([
    ['Split', call('Split', [two, tensor('int64', '2', '2, 3')]), 'input:1:values'],
    ['Slice', call('Slice', [two, ...['0', '1', '0', '0'].map((one) => tensor('int64', '1', one))]), 'input:4:values'],
    [
      'GRU',
      call(
        'GRU',
        [two, two, two].map((one, i) => ({ ...one, dims: `1, ${i === 0 ? 1 : 2}, ${i === 0 ? 2 : 1}` })),
        {
          hidden_size: text('1'),
        },
      ),
      'input:1:dims',
    ],
    ['Transpose', call('Transpose', [two], { perm: text('-1') }), 'attribute:perm'],
  ])('of a name at the beginning of the message is that name: %s', (_, draft, place) => {
    expect(problemOf(draft).place).toBe(place);
  });

  test.each([
    ['a form that is there', call('Shape', [two]), 'input:0:dims', 'input:0:dims'],
    ['an input that is left out, which has no fields', call('Expand', [two, null]), 'input:1:values', 'input:1'],
    ['an input that the version does not have', call('Shape', [two, two]), 'input:1:dims', 'call'],
    ['an attribute of the version', call('Shape', [two]), 'attribute:start', 'attribute:start'],
    ['an attribute of another version', call('Shape', [two], {}, 1), 'attribute:start', 'attribute:start'],
    ['an attribute that no version has', call('Shape', [two]), 'attribute:axis', 'call'],
    ['the call', call('Shape', [two]), 'call', 'call'],
    ['an operator that is not known', call('Nope', [two]), 'input:0:dims', 'call'],
  ])('is seen: %s', (_, draft, place, seen) => {
    expect(placeInForm(draft, place)).toBe(seen);
  });
});
