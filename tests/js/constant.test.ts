// The forms of Constant, and its refusals (semantics.md, section 3).
import { expect, test } from '@jest/globals';
import { load, type SparseTensorLike, type TensorLike } from 'broadloom';
import * as proto from '../../shared/onnx.js';
import { type Words, wordsOf } from './helpers/reference.js';
import { expectRefusal, expectWords, sampleTensor, sampleWords } from './helpers/runtime.js';
import { types } from './helpers/types.js';

const ops = await load({});
const f32 = (dims: number[], ...data: number[]): TensorLike<'float32'> => ({ type: 'float32', dims, data });
const i64 = (dims: number[], ...data: number[]): TensorLike<'int64'> => ({ type: 'int64', dims, data });
const constant = (attributes: object, options?: { opset: number }) => ops.constant(attributes as never, options);

test('value_floats and value_ints may be typed arrays and may be empty', () => {
  ops.scope(() => {
    expectWords(
      ops.run('Constant', [], { value_floats: Float32Array.of(0.1, -0) })[0],
      wordsOf({ type: 'float32', dims: [2], data: Float32Array.of(0.1, -0) }),
    );
    expectWords(
      ops.run('Constant', [], { value_ints: BigInt64Array.of(-(2n ** 63n)) })[0],
      wordsOf({ type: 'int64', dims: [1], data: BigInt64Array.of(-(2n ** 63n)) }),
    );
    for (const [name, type] of [
      ['value_floats', 'float32'],
      ['value_ints', 'int64'],
      ['value_strings', 'string'],
    ]) {
      const empty = constant({ [name]: [] });
      expect([empty.type, empty.dims, empty.size, empty.data.length]).toEqual([type, [0], 0, 0]);
    }
  });
});

test('value_float keeps -0, infinities and NaN', () => {
  ops.scope(() => {
    for (const value of [-0, Infinity, -Infinity, Number.NaN, 1e-45])
      expect(ops.constant({ value_float: value }).data).toEqual(Float32Array.of(value));
  });
});

test('value_int and value_float may be integers as numbers or bigints', () => {
  ops.scope(() => {
    expect(ops.constant({ value_float: 3 }).data).toEqual(Float32Array.of(3));
    expect(ops.constant({ value_int: 3 }).data).toEqual(BigInt64Array.of(3n));
    expect(ops.constant({ value_int: 3n }).data).toEqual(BigInt64Array.of(3n));
    expect(ops.constant({ value_ints: [1, 2n] }).data).toEqual(BigInt64Array.of(1n, 2n));
  });
});

test.each([
  [
    'two of them',
    { value_int: 1, value_float: 2 },
    ["takes exactly one value attribute, got 'value_int' and 'value_float'"],
  ],
  [
    'a value and a sparse value',
    { value: f32([], 1), sparse_value: { values: f32([0]), dims: [1] } },
    ['exactly one', "'value'", "'sparse_value'"],
  ],
  ['none', {}, ['takes exactly one value attribute, got none']],
  ['only attributes of its producer', { __origin: 1 }, ['got none']],
])('Constant with %s is refused', (_what, attributes, says) => {
  expectRefusal(ops, () => constant(attributes), {
    code: 'INVALID_ARGUMENT',
    operator: 'Constant',
    opset: 28,
    says: ['Constant-25: ', ...says],
  });
});

test('a float that overflows float32 is refused', () => {
  expectRefusal(ops, () => constant({ value_float: 1e39 }), {
    code: 'INVALID_ARGUMENT',
    operator: 'Constant',
    says: ["attribute 'value_float'", '1e+39', 'float32'],
  });
});

// Sparse values, as calls and as files.
const twoByThree: [what: string, indices: TensorLike<'int64'>][] = [
  ['linear', i64([2], 1, 5)],
  ['coordinate', i64([2, 2], 0, 1, 1, 2)],
];

test.each(twoByThree)(
  'a sparse value with %s indices puts its values in place and zeros elsewhere, for all types',
  (_what, indices) => {
    for (const { name } of types) {
      ops.scope(() => {
        const [, , a, b] = sampleWords(name).words;
        const pair: Words = { type: name, dims: [2], words: [a, b] };
        const zero = name === 'string' ? '' : '0'.repeat(a.length);
        // Constant reads the two elements from the sample only after they were checked separately.
        const values = ops.tensor(name, sliceOf(name), [2]);
        expectWords(values, pair);
        expectWords(ops.constant({ sparse_value: { values, indices, dims: [2, 3] } } as never), {
          type: name,
          dims: [2, 3],
          words: [zero, a, zero, zero, zero, b],
        });
      });
    }
  },
);

function sliceOf(name: (typeof types)[number]['name']): never {
  const row = types.find((candidate) => candidate.name === name) as (typeof types)[number];
  if (row.bits === 2) return Uint8Array.of((row.sample as Uint8Array)[0] >> 4) as never;
  if (row.bits === 4) return (row.sample as Uint8Array).slice(1, 2) as never;
  const entries = name.startsWith('complex') ? 2 : 1;
  return row.sample.slice(2 * entries, 4 * entries) as never;
}

const badSparse: [what: string, sparse: SparseTensorLike, ...says: string[]][] = [
  [
    'an index twice',
    { values: f32([2], 1, 2), indices: i64([2], 1, 1), dims: [3] },
    'index 1 is [1]; indices must be strictly ascending',
  ],
];

test.each(badSparse)('a sparse value with %s is refused in a call', (_what, sparse, ...says) => {
  expectRefusal(ops, () => constant({ sparse_value: sparse }), {
    code: 'INVALID_ARGUMENT',
    operator: 'Constant',
    opset: 28,
    says: ['sparse tensor', ...says],
  });
});

test.each(badSparse)(
  'a sparse value with %s is refused in a model and as a sparse initializer',
  (_what, { values, indices, dims }, ...says) => {
    const file = (tensor: TensorLike, name?: string) =>
      proto.tensor(tensor.type, tensor.dims as number[], tensor.data as number[], name);
    const message = (name?: string) =>
      proto.sparseTensor(file(values, name), indices == null ? undefined : file(indices), dims as number[]);
    const node = { op: 'Constant', outputs: ['y'], attributes: [proto.attribute.sparse('sparse_value', message())] };
    expectRefusal(ops, () => ops.loadModel(proto.model({ nodes: [node], outputs: [proto.value('y', 'float32')] })), {
      code: 'INVALID_MODEL',
      operator: 'Constant',
      opset: 25,
      node: '#0',
      says,
    });
    expectRefusal(
      ops,
      () => ops.loadModel(proto.model({ sparseInitializers: [message('y')], outputs: [proto.value('y', 'float32')] })),
      { code: 'INVALID_MODEL', says },
    );
  },
);

test('a value keeps its own dims, of any rank and of size zero', () => {
  ops.scope(() => {
    expect(ops.constant({ value: f32([2, 0, 3]) }).dims).toEqual([2, 0, 3]);
    expectWords(ops.constant({ value: sampleTensor(ops, 'int4') }), sampleWords('int4'));
  });
});
