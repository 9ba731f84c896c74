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
  ['Expand whose input is left out', 'Expand', (o) => o.run('Expand', [null, [1]]), "input 0 ('input') is missing"],
  ['Expand whose shape is undefined', 'Expand', (o) => o.expand(x, undefined as never), "input 1 ('shape') is missing"],
  [
    'Expand of 3 to 2',
    'Expand',
    (o) => o.expand(x, [2, 4]),
    'Expand-13: cannot broadcast [3, 1] to [2, 4]: axis 0 is 3, wanted 2',
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
  ['Shape of nothing', 'Shape', (o) => o.shape(null as never), "input 0 ('data') is missing"],
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

test('the shape of Expand and ConstantOfShape may be a tensor, numbers, bigints, BigInt64Array or Int32Array', () => {
  for (const shape of [i64([2], 3, 2), [3, 2], [3n, 2n], BigInt64Array.of(3n, 2n), Int32Array.of(3, 2)]) {
    ops.scope(() => {
      expect([...ops.expand(x, shape).data]).toEqual([1, 1, 2, 2, 3, 3]);
      expect([...ops.constantOfShape(shape).data]).toEqual([0, 0, 0, 0, 0, 0]);
    });
  }
});
