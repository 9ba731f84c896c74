// Edge cases of arithmetic: the limits of integers, division by zero, ties, NaN, and long sums.
import { describe, expect, test } from '@jest/globals';
import { type DataType, load, type TensorLike } from 'broadloom';
import { generator } from './helpers/random.js';

const ops = await load();

const arrays = {
  int8: Int8Array,
  int16: Int16Array,
  int32: Int32Array,
  int64: BigInt64Array,
  uint8: Uint8Array,
  uint16: Uint16Array,
  uint32: Uint32Array,
  uint64: BigUint64Array,
  float16: Uint16Array,
  float32: Float32Array,
  float64: Float64Array,
};
type Type = keyof typeof arrays;
type Value = number | bigint;

function tensor(type: Type, values: readonly Value[], dims: readonly number[] = [values.length]): TensorLike {
  const list = type.endsWith('int64') ? values.map(BigInt) : values.map(Number);
  const data = (arrays[type] as unknown as { from(list: readonly Value[]): Int8Array }).from(list);
  return { type, dims, data } as TensorLike;
}

function valuesOf(
  name: string,
  inputs: readonly TensorLike[],
  attributes: Record<string, number | string> = {},
): Value[] {
  return ops.scope(() => [...(ops.run(name, inputs, attributes)[0].data as Iterable<Value>)]);
}

/** A repeated element, enough for several vectors and a tail. */
const often = (value: Value): Value[] => Array<Value>(37).fill(value);
const pairwise = (
  name: string,
  type: Type,
  a: Value,
  b: Value,
  attributes?: Record<string, number | string>,
): Value => {
  const all = valuesOf(name, [tensor(type, often(a)), tensor(type, often(b))], attributes);
  const broadcast = valuesOf(name, [tensor(type, often(a)), tensor(type, [b], [])], attributes);
  expect(broadcast).toEqual(all);
  expect(new Set(all).size).toBe(1);
  return all[0];
};

const bitsOf = (type: Type): bigint => BigInt(/\d+$/.exec(type)?.[0] ?? 0);
const isSigned = (type: Type): boolean => !type.startsWith('u');
const wrapped = (type: Type, value: bigint): bigint =>
  isSigned(type) ? BigInt.asIntN(Number(bitsOf(type)), value) : BigInt.asUintN(Number(bitsOf(type)), value);
const least = (type: Type): bigint => (isSigned(type) ? -(2n ** (bitsOf(type) - 1n)) : 0n);
const largest = (type: Type): bigint => 2n ** (isSigned(type) ? bitsOf(type) - 1n : bitsOf(type)) - 1n;

const integers = ['int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'uint64'] as const;
const signed = integers.filter(isSigned);

describe('integers', () => {
  test.each(integers)('of %s that are divided by zero are 0, and so is their rest', (type) => {
    for (const value of [least(type), 0n, 1n, 7n, largest(type)]) {
      expect(BigInt(pairwise('Div', type, value, 0))).toBe(0n);
      for (const fmod of [0, 1]) expect(BigInt(pairwise('Mod', type, value, 0, { fmod }))).toBe(0n);
    }
  });

  test.each(signed)('of %s: the least one divided by -1 is itself, and nothing is left', (type) => {
    expect(BigInt(pairwise('Div', type, least(type), -1))).toBe(least(type));
    for (const fmod of [0, 1]) expect(BigInt(pairwise('Mod', type, least(type), -1, { fmod }))).toBe(0n);
  });

  test.each(signed)(
    'of %s are divided towards zero; the rest has the sign of the divisor, with fmod of the dividend',
    (type) => {
      for (const [a, b, quotient, rest, remainder] of [
        [7, 3, 2, 1, 1],
        [-7, 3, -2, 2, -1],
        [7, -3, -2, -2, 1],
        [-7, -3, 2, -1, -1],
      ]) {
        expect(Number(pairwise('Div', type, a, b))).toBe(quotient);
        expect(Number(pairwise('Mod', type, a, b))).toBe(rest);
        expect(Number(pairwise('Mod', type, a, b, { fmod: 1 }))).toBe(remainder);
      }
    },
  );

  test.each(integers)('of %s wrap around', (type) => {
    const limits = [least(type), largest(type), 3n];
    for (const a of limits)
      for (const b of limits) {
        expect(BigInt(pairwise('Add', type, a, b))).toBe(wrapped(type, a + b));
        expect(BigInt(pairwise('Sub', type, a, b))).toBe(wrapped(type, a - b));
        expect(BigInt(pairwise('Mul', type, a, b))).toBe(wrapped(type, a * b));
      }
    if (!isSigned(type)) return;
    for (const name of ['Neg', 'Abs'])
      expect(valuesOf(name, [tensor(type, often(least(type)))]).map(BigInt)).toEqual(often(least(type)));
  });

  test.each(['int32', 'int64', 'uint32', 'uint64'] as const)(
    'of %s have sums and products that wrap around',
    (type) => {
      const values = tensor(type, [largest(type), 2]);
      expect(valuesOf('ReduceSum', [values], { keepdims: 0 }).map(BigInt)).toEqual([wrapped(type, largest(type) + 2n)]);
      expect(valuesOf('ReduceProd', [values], { keepdims: 0 }).map(BigInt)).toEqual([
        wrapped(type, largest(type) * 2n),
      ]);
      expect(valuesOf('CumSum', [values, tensor('int64', [0], [])]).map(BigInt)[1]).toBe(
        wrapped(type, largest(type) + 2n),
      );
    },
  );

  test.each(['uint8', 'uint16', 'uint32', 'uint64'] as const)(
    'of %s are 0 when all their bits are shifted out',
    (type) => {
      const width = bitsOf(type);
      for (const direction of ['LEFT', 'RIGHT']) {
        expect(BigInt(pairwise('BitShift', type, largest(type), 0, { direction }))).toBe(largest(type));
        for (const by of [width, width + 1n, largest(type)])
          expect(BigInt(pairwise('BitShift', type, largest(type), by, { direction }))).toBe(0n);
      }
      expect(BigInt(pairwise('BitShift', type, largest(type), width - 1n, { direction: 'LEFT' }))).toBe(
        2n ** (width - 1n),
      );
      expect(BigInt(pairwise('BitShift', type, largest(type), width - 1n, { direction: 'RIGHT' }))).toBe(1n);
    },
  );
});

describe('floats', () => {
  test.each(['float32', 'float64'] as const)('of %s are divided by zero as IEEE 754 has it', (type) => {
    expect(pairwise('Div', type, 1, 0)).toBe(Infinity);
    expect(pairwise('Div', type, -1, 0)).toBe(-Infinity);
    expect(pairwise('Div', type, 1, -0)).toBe(-Infinity);
    expect(pairwise('Div', type, 0, 0)).toBeNaN();
    expect(pairwise('Mod', type, 1, 0, { fmod: 1 })).toBeNaN();
  });

  test.each(['float32', 'float64'] as const)(
    'of %s are rounded to the even one of two that are equally near',
    (type) => {
      const values = [0.5, 1.5, 2.5, 3.5, -0.5, -1.5, -2.5, 2.25, 2.75, 2 ** 22 + 0.5, Infinity];
      expect(valuesOf('Round', [tensor(type, values)])).toEqual([0, 2, 2, 4, -0, -2, -2, 2, 3, 2 ** 22, Infinity]);
      expect(valuesOf('Round', [tensor(type, [Number.NaN])])[0]).toBeNaN();
    },
  );

  test('of float16 are rounded to the even one, too', () => {
    // 0.5, 1.5, 2.5, -0.5
    expect(valuesOf('Round', [tensor('float16', [0x3800, 0x3e00, 0x4100, 0xb800])])).toEqual([
      0, 0x4000, 0x4000, 0x8000,
    ]);
  });

  test.each(['float32', 'float64'] as const)('of %s: the larger and the smaller of NaN and a number is NaN', (type) => {
    for (const name of ['Max', 'Min'])
      for (const [a, b] of [
        [Number.NaN, 1],
        [1, Number.NaN],
        [Number.NaN, -Infinity],
        [Infinity, Number.NaN],
      ])
        expect(pairwise(name, type, a, b)).toBeNaN();
    expect(pairwise('Max', type, -0, 0)).toBe(0);
    expect(pairwise('Min', type, 0, -0)).toBe(-0);
  });

  test('clipped to bounds in the wrong order are the upper one', () => {
    for (const type of ['float32', 'float64', 'int32', 'int64', 'int8'] as const)
      expect(
        valuesOf('Clip', [tensor(type, [-9, 2, 9]), tensor(type, [3], []), tensor(type, [1], [])]).map(Number),
      ).toEqual([1, 1, 1]);
  });
});

describe('Pow', () => {
  const ofType: [base: Type, exponent: Type, x: Value[], y: Value[], z: Value[]][] = [
    ['float32', 'int64', [2, -2, 0.5], [10, 3, -1], [1024, -8, 2]],
    ['int32', 'float32', [2, 10, 9], [0.5, 1.5, 0.5], [1, 31, 3]],
    ['int64', 'int32', [3, -2, 10], [39, 63, 18], [4052555153018976267n, -(2n ** 63n), 10n ** 18n]],
    ['int32', 'int32', [3, 2, 0], [21, -1, 0], [3 ** 21 - 2 * 2 ** 32, 0, 1]],
    ['float64', 'uint8', [1.5, 2, -1], [2, 255, 3], [2.25, 2 ** 255, -1]],
    // 2, 3 and -1 to an odd exponent that float32 cannot represent
    ['float16', 'int32', [0x4000, 0x4200, 0xbc00], [3, 2, 2 ** 24 + 1], [0x4800, 0x4880, 0xbc00]],
    ['float16', 'float64', [0x4000, 0x4400], [0.5, 0.5], [0x3da8, 0x4000]],
  ];
  test.each(ofType)('of %s to the %s has the type of the base', (base, exponent, x, y, z) => {
    const [power] = ops.run('Pow', [tensor(base, x), tensor(exponent, y)]);
    expect(power.type).toBe(base satisfies DataType);
    expect([...(power.data as Iterable<Value>)]).toEqual(z.map((value) => (base === 'int64' ? BigInt(value) : value)));
    power.dispose();
  });

  test('of one number of bfloat16 is that of many', () => {
    const [power] = ops.run('Pow', [
      { type: 'bfloat16', dims: [40], data: new Uint16Array(40).fill(0x4040) },
      tensor('int64', often(2).concat([2, 2, 2])),
    ]);
    expect([...(power.data as Uint16Array)]).toEqual(Array(40).fill(0x4110)); // 9
    power.dispose();
  });
});

describe('the mean of a million numbers of float32', () => {
  const count = 1_000_000;
  const random = generator(7);
  const fraction = () => random() / 2 ** 32;
  const lists: [what: string, make: () => number][] = [
    ['which are all 0.1', () => 0.1],
    ['from 0 to 1', fraction],
    ['around a million', () => 1e6 + fraction()],
  ];

  test.each(lists)('%s has an error of less than a millionth of it', (_, make) => {
    const data = Float32Array.from({ length: count }, make);
    let sum = 0;
    for (const value of data) sum += value;
    const exact = sum / count;
    ops.scope(() => {
      const x = ops.tensor('float32', data, [1000, 1000]);
      const means = [
        ops.run('ReduceMean', [x], { keepdims: 0 })[0],
        ops.run('ReduceMean', [ops.reshape(x, [count, 1]), [0]], { keepdims: 0 })[0],
        ops.run('ReduceMean', [ops.transpose(x), [0, 1]], { keepdims: 0 })[0],
      ];
      for (const mean of means) expect(Math.abs((mean.data as Float32Array)[0] / exact - 1)).toBeLessThan(1e-6);
    });
  });
});

describe('conversions', () => {
  test.each(['int8', 'uint8', 'int16', 'uint16', 'bool'] as const)(
    'of %s to float64 are those of every element',
    (type) => {
      const data = Array.from({ length: 300 }, (_, i) => (type === 'bool' ? i % 2 : i % 100));
      const array = { bool: Uint8Array, int8: Int8Array, uint8: Uint8Array, int16: Int16Array, uint16: Uint16Array }[
        type
      ];
      const x = { type, dims: [300], data: array.from(data) } as TensorLike;
      ops.scope(() => {
        expect([...(ops.run('CastLike', [x, tensor('float64', [0])])[0].data as Float64Array)]).toEqual(data);
        expect([...(ops.run('Cast', [x], { to: 'float64' })[0].data as Float64Array)]).toEqual(data);
      });
    },
  );
});
