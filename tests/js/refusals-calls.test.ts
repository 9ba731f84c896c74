// Calls that operators refuse (semantics.md, sections 1 and 4 to 6), and edge cases that they accept.
import { expect, test } from '@jest/globals';
import { load, type Runtime } from 'broadloom';
import { wordsOf } from './helpers/reference.js';
import { expectRefusal, expectWords } from './helpers/runtime.js';

const ops = await load({});
const f32 = (dims: number[], ...data: number[]) => ({ type: 'float32' as const, dims, data });
const i64 = (dims: number[], ...data: number[]) => ({ type: 'int64' as const, dims, data });
const x = f32([3, 1], 1, 2, 3);

type Call = (runtime: Runtime) => unknown;
type Case = [what: string, operator: string, call: Call, ...says: string[]];

const refused: Case[] = [
  ['Expand without its shape', 'Expand', (o) => o.run('Expand', [x]), 'Expand-13: takes 2 inputs, got 1'],
  ['Expand with three inputs', 'Expand', (o) => o.run('Expand', [x, [1], [1]]), 'Expand-13: takes 2 inputs, got 3'],
  ['Expand whose input is left out', 'Expand', (o) => o.run('Expand', [null, [1]]), "input 0 ('input') is missing"],
  ['Expand whose shape is undefined', 'Expand', (o) => o.expand(x, undefined as never), "input 1 ('shape') is missing"],
  [
    'Expand with a shape of no axis',
    'Expand',
    (o) => o.expand(x, i64([], 3)),
    "Expand-13: input 'shape' has dims [], wanted one axis",
  ],
  [
    'Expand with a shape of two axes',
    'Expand',
    (o) => o.expand(x, i64([1, 2], 3, 1)),
    "input 'shape' has dims [1, 2], wanted one axis",
  ],
  [
    'Expand with -1 in the shape',
    'Expand',
    (o) => o.expand(x, [3, -1]),
    "input 'shape' holds [3, -1]: entry 1 is -1; sizes cannot be negative",
  ],
  ['Expand with -1 beside 0', 'Expand', (o) => o.expand(x, [0, -1]), 'entry 1 is -1'],
  [
    'Expand of 3 to 2',
    'Expand',
    (o) => o.expand(x, [2, 4]),
    'Expand-13: cannot broadcast [3, 1] to [2, 4]: axis 0 is 3, wanted 2',
  ],
  ['Expand of 0 to 2', 'Expand', (o) => o.expand(f32([0]), [2]), 'cannot broadcast [0] to [2]: axis 0 is 0, wanted 2'],
  [
    'Expand of 2 to 0',
    'Expand',
    (o) => o.expand(f32([2], 1, 2), [0]),
    'cannot broadcast [2] to [0]: axis 0 is 2, wanted 0',
  ],
  [
    'Expand to more than 2^53 elements',
    'Expand',
    (o) => o.expand(x, [2 ** 31, 3, 2 ** 31]),
    'too many elements',
    '2147483648',
  ],
  [
    'Expand to a size of 2^62',
    'Expand',
    (o) => o.expand(x, { type: 'int64', dims: [1], data: [2n ** 62n] }),
    'too many elements',
    '4611686018427387904',
  ],
  [
    'Expand to a listed size beyond 2^53',
    'Expand',
    (o) => o.expand(x, [2n ** 60n]),
    'dims [3, 1152921504606846976] have too many elements',
  ],
  ['Expand to a size that is not an integer', 'Expand', (o) => o.expand(x, [1.5]), 'entry 0 is 1.5'],
  ['Expand to a size that is NaN', 'Expand', (o) => o.expand(x, [Number.NaN]), 'entry 0 is NaN'],
  ['Expand to a size that is a string', 'Expand', (o) => o.expand(x, ['3'] as never), 'entry 0 is "3"'],
  ['Expand of a text', 'Expand', (o) => o.expand('7' as never, [1]), 'input 0 (\'input\') is "7", wanted a tensor'],
  ['Shape without an input', 'Shape', (o) => o.run('Shape', []), 'Shape-25: takes 1 input, got 0'],
  ['Shape with two inputs', 'Shape', (o) => o.run('Shape', [x, x]), 'Shape-25: takes 1 input, got 2'],
  ['Shape of nothing', 'Shape', (o) => o.shape(null as never), "input 0 ('data') is missing"],
  ['Identity with two inputs', 'Identity', (o) => o.run('Identity', [x, x]), 'Identity-25: takes 1 input, got 2'],
  [
    'Constant with an input',
    'Constant',
    (o) => o.run('Constant', [x], { value_int: 1 }),
    'Constant-25: takes 0 inputs, got 1',
  ],
  ['ConstantOfShape without an input', 'ConstantOfShape', (o) => o.run('ConstantOfShape', []), 'takes 1 input, got 0'],
  [
    'ConstantOfShape with two inputs',
    'ConstantOfShape',
    (o) => o.run('ConstantOfShape', [[1], [1]]),
    'takes 1 input, got 2',
  ],
  [
    'ConstantOfShape of a scalar shape',
    'ConstantOfShape',
    (o) => o.constantOfShape(i64([], 3)),
    "input 'input' has dims [], wanted one axis",
  ],
  [
    'ConstantOfShape of a shape with two axes',
    'ConstantOfShape',
    (o) => o.constantOfShape(i64([1, 1], 3)),
    'has dims [1, 1], wanted one axis',
  ],
  [
    'ConstantOfShape of a negative size',
    'ConstantOfShape',
    (o) => o.constantOfShape([2, -3]),
    'holds [2, -3]: entry 1 is -3',
  ],
  [
    'ConstantOfShape of a negative size beside 0',
    'ConstantOfShape',
    (o) => o.constantOfShape([-1, 0]),
    'holds [-1, 0]: entry 0 is -1',
  ],
  [
    'ConstantOfShape of too many elements',
    'ConstantOfShape',
    (o) => o.constantOfShape([2 ** 30, 2 ** 30]),
    'too many elements',
    '1073741824',
  ],
  [
    'ConstantOfShape with two elements',
    'ConstantOfShape',
    (o) => o.constantOfShape([1], { value: f32([2], 1, 2) }),
    "attribute 'value' has dims [2] and 2 elements, wanted one",
  ],
  [
    'ConstantOfShape with an empty value',
    'ConstantOfShape',
    (o) => o.constantOfShape([1], { value: f32([0]) }),
    "attribute 'value' has dims [0] and 0 elements, wanted one",
  ],
  [
    'a tensor of another length as input',
    'Shape',
    (o) => o.shape(f32([2], 1)),
    'Shape: data has 1 entry, but float32 of dims [2] has 2',
  ],
  ['a tensor with a negative size as input', 'Shape', (o) => o.shape(f32([-2])), 'axis 0 is -2'],
];

test.each(refused)('%s is refused with INVALID_ARGUMENT', (_what, operator, call, ...says) => {
  expectRefusal(ops, () => call(ops), { code: 'INVALID_ARGUMENT', operator, opset: 28, says });
});

const wrongTypes: Case[] = [
  [
    'Expand with an int32 shape',
    'Expand',
    (o) => o.run('Expand', [x, { type: 'int32', dims: [1], data: [3] }]),
    "Expand-13: input 'shape' cannot be int32",
    'int64',
  ],
  ['Expand with a float shape', 'Expand', (o) => o.run('Expand', [x, f32([1], 3)]), "input 'shape' cannot be float32"],
  [
    'ConstantOfShape with an int32 shape',
    'ConstantOfShape',
    (o) => o.run('ConstantOfShape', [{ type: 'int32', dims: [1], data: [3] }]),
    "ConstantOfShape-25: input 'input' cannot be int32",
  ],
  [
    'ConstantOfShape with a float shape',
    'ConstantOfShape',
    (o) => o.run('ConstantOfShape', [f32([1], 3)]),
    "input 'input' cannot be float32",
  ],
  [
    'ConstantOfShape of a string',
    'ConstantOfShape',
    (o) => o.constantOfShape([1], { value: { type: 'string', dims: [1], data: ['a'] } } as never),
    "output 'output' cannot be string",
    'no version of ConstantOfShape',
  ],
  [
    'ConstantOfShape of a complex number',
    'ConstantOfShape',
    (o) => o.constantOfShape([1], { value: { type: 'complex64', dims: [1], data: [1, 2] } } as never),
    'cannot be complex64',
  ],
  [
    'Expand of int4',
    'Expand',
    (o) => o.expand({ type: 'int4', dims: [1], data: [1] } as never, [2]),
    "Expand-13: input 'input' cannot be int4",
    'no version of Expand',
  ],
];

test.each(wrongTypes)('%s is refused with UNSUPPORTED_TYPE', (_what, operator, call, ...says) => {
  expectRefusal(ops, () => call(ops), { code: 'UNSUPPORTED_TYPE', operator, opset: 28, says });
});

test('an input of a type that ONNX does not have is refused with UNSUPPORTED_TYPE', () => {
  expectRefusal(ops, () => ops.shape({ type: 'int128', dims: [1], data: [1] } as never), {
    code: 'UNSUPPORTED_TYPE',
    operator: 'Shape',
    says: ['"int128" is not an ONNX element type'],
  });
});

test('an unknown operator is refused with UNKNOWN_OPERATOR', () => {
  expectRefusal(ops, () => ops.run('Weave', [x]), {
    code: 'UNKNOWN_OPERATOR',
    operator: 'Weave',
    says: ["no operator 'Weave'"],
  });
  expectRefusal(ops, () => ops.run('expand', [x]), {
    code: 'UNKNOWN_OPERATOR',
    operator: 'expand',
    says: ["'expand'"],
  });
  expectRefusal(ops, () => ops.run('', [x]), { code: 'UNKNOWN_OPERATOR', says: ["''"] });
});

test('an operator in an opset before its first version is refused with UNKNOWN_OPERATOR', () => {
  const says = (operator: string, opset: number, first: number) => ({
    code: 'UNKNOWN_OPERATOR' as const,
    operator,
    opset,
    says: [`not in opset ${opset}`, `${operator}-${first}`],
  });
  expectRefusal(ops, () => ops.expand(x, [3, 4], { opset: 7 }), says('Expand', 7, 8));
  expectRefusal(ops, () => ops.constantOfShape([3], {}, { opset: 8 }), says('ConstantOfShape', 8, 9));
});

test.each([0, -1, 1.5, Number.NaN, '13', null, 2 ** 53])('an opset of %p is refused with INVALID_ARGUMENT', (opset) => {
  expectRefusal(ops, () => ops.shape(x, {}, { opset: opset as number }), {
    code: 'INVALID_ARGUMENT',
    says: ['opset is', 'whole number'],
  });
});

test('opsets after the newest known one use its versions', () => {
  for (const opset of [26, 27, 28, 1000]) {
    ops.scope(() =>
      expectWords(
        ops.shape(x, { start: 1 }, { opset }),
        wordsOf({ type: 'int64', dims: [1], data: BigInt64Array.of(1n) }),
      ),
    );
  }
});

test('a disposed tensor is refused with DISPOSED wherever a tensor is accepted', () => {
  const gone = ops.tensor('int64', [1], [1]);
  gone.dispose();
  const uses: [operator: string | undefined, use: () => unknown][] = [
    ['Expand', () => ops.expand(gone, [1])],
    ['Expand', () => ops.expand(x, gone)],
    ['Shape', () => ops.shape(gone)],
    ['ConstantOfShape', () => ops.constantOfShape([1], { value: gone })],
    ['Constant', () => ops.constant({ value: gone })],
    ['Constant', () => ops.constant({ sparse_value: { values: gone, indices: gone, dims: [2] } })],
    [undefined, () => ops.writeTensor(gone)],
  ];
  for (const [operator, use] of uses) {
    expectRefusal(ops, use, {
      code: 'DISPOSED',
      says: ['int64 tensor of dims [1]'],
      ...(operator === undefined ? {} : { operator }),
    });
  }
});

test('0 broadcasts with 0 and with 1, both ways', () => {
  ops.scope(() => {
    expect(ops.expand(f32([0]), [0]).dims).toEqual([0]);
    expect(ops.expand(f32([0]), [1]).dims).toEqual([0]);
    expect(ops.expand(f32([1], 1), [0]).dims).toEqual([0]);
    expect(ops.expand(f32([2, 0]), [3, 1, 1]).dims).toEqual([3, 2, 0]);
    expect(ops.expand(f32([], 1), [0, 5]).dims).toEqual([0, 5]);
  });
});

test('the result of Expand may differ from the shape: a 1 keeps the size, and a lower rank keeps the axes', () => {
  ops.scope(() => {
    expect(ops.expand(x, [1, 4]).dims).toEqual([3, 4]);
    expect(ops.expand(f32([2, 3, 1], 1, 2, 3, 4, 5, 6), [4]).dims).toEqual([2, 3, 4]);
    expect(ops.expand(x, []).dims).toEqual([3, 1]);
  });
});

test('the shape of Expand and ConstantOfShape may be a tensor, numbers, bigints, BigInt64Array or Int32Array', () => {
  for (const shape of [i64([2], 3, 2), [3, 2], [3n, 2n], BigInt64Array.of(3n, 2n), Int32Array.of(3, 2)]) {
    ops.scope(() => {
      expect([...ops.expand(x, shape).data]).toEqual([1, 1, 2, 2, 3, 3]);
      expect([...ops.constantOfShape(shape).data]).toEqual([0, 0, 0, 0, 0, 0]);
    });
  }
});

test('the shape may itself be a lazy tensor or the result of Shape', () => {
  ops.scope(() => {
    const threes = ops.constantOfShape([2], { value: i64([1], 3) });
    expect([...ops.expand(x, threes).data]).toEqual([1, 1, 1, 2, 2, 2, 3, 3, 3]);
    expect(ops.constantOfShape(ops.shape(ops.expand(x, threes))).dims).toEqual([3, 3]);
  });
});

test('ConstantOfShape of an empty shape is a scalar, and a size 0 makes it empty', () => {
  ops.scope(() => {
    const scalar = ops.constantOfShape([]);
    expect([scalar.type, scalar.dims, [...scalar.data]]).toEqual(['float32', [], [0]]);
    const empty = ops.constantOfShape([3, 0, 2]);
    expect([empty.dims, empty.size, empty.data.length]).toEqual([[3, 0, 2], 0, 0]);
  });
});

test('Shape of a scalar is an empty int64 tensor', () => {
  ops.scope(() => {
    const dims = ops.shape(f32([], 1));
    expect([dims.type, dims.dims, dims.data]).toEqual(['int64', [0], new BigInt64Array(0)]);
  });
});

test('Shape of packed types counts elements, not bytes', () => {
  ops.scope(() => expect([...ops.shape(ops.empty('int2', [3, 5])).data]).toEqual([3n, 5n]));
});
