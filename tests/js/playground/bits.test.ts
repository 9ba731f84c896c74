// The bits of elements, as the playground draws them.
import { describe, expect, test } from '@jest/globals';
import { type DataType, load } from 'broadloom';
import { typeRow, typeRows } from '../../../web-demo/src/facts.js';
import { elementsOf } from '../../../web-demo/src/runtime/inspect.js';
import { bitFields, fillFields, packedByte } from '../../../web-demo/src/views/bit-fields.js';

const ops = await load();

const widths: { [type: string]: { [field: string]: number } } = {
  float32: { sign: 1, exponent: 8, mantissa: 23 },
  float16: { sign: 1, exponent: 5, mantissa: 10 },
  bfloat16: { sign: 1, exponent: 8, mantissa: 7 },
  float8e4m3fn: { sign: 1, exponent: 4, mantissa: 3 },
  float8e4m3fnuz: { sign: 1, exponent: 4, mantissa: 3 },
  float8e5m2: { sign: 1, exponent: 5, mantissa: 2 },
  float8e5m2fnuz: { sign: 1, exponent: 5, mantissa: 2 },
  float8e8m0: { exponent: 8 },
  float4e2m1: { sign: 1, exponent: 2, mantissa: 1 },
  int4: { complement: 4 },
  uint2: { unsigned: 2 },
  bool: { boolean: 8 },
};

describe.each(Object.entries(widths))('%s', (type, fields) => {
  test(`has the fields ${JSON.stringify(fields)}`, () => {
    const found = bitFields(typeRow(type as DataType)).map(({ name, width }) => [name, width]);
    expect(Object.fromEntries(found)).toEqual(fields);
  });
});

test.each(typeRows.map((row) => [row.name, row] as const))(
  'the fields of %s are all of its bits, or it has none',
  (_, row) => {
    const sum = bitFields(row).reduce((total, { width }) => total + width, 0);
    expect([0, row.bits]).toContain(sum);
  },
);

test('the bits of -2.5 in float16 are those of IEEE 754', () => {
  const { bits } = elementsOf(ops, ops.tensor('float16', [0, -2.5], [2]), 1, 1);
  expect(fillFields(typeRow('float16'), bits?.[0] as number).map(({ digits }) => digits)).toEqual([
    '1',
    '10000',
    '0100000000',
  ]);
});

test('the bit pattern of a negative float32 is a positive number', () => {
  const { bits } = elementsOf(ops, ops.tensor('float32', [-0], [1]), 0, 1);
  expect(bits).toEqual([2 ** 31]);
  expect(fillFields(typeRow('float32'), bits?.[0] as number)[0]).toMatchObject({ name: 'sign', digits: '1', value: 1 });
});

test('the first of two packed elements is in the low bits, and unused bits are padding', () => {
  const tensor = ops.tensor('int4', [1, -2, 5], [3]);
  const patterns = elementsOf(ops, tensor, 0, 3).bits as number[];
  const patternOf = (position: number): number => patterns[position] as number;
  expect(packedByte(4, 0, 3, patternOf)).toEqual({
    byte: 0,
    parts: [
      { position: 1, highestBit: 7, lowestBit: 4, digits: '1110' },
      { position: 0, highestBit: 3, lowestBit: 0, digits: '0001' },
    ],
  });
  expect(packedByte(4, 2, 3, patternOf)).toEqual({
    byte: 1,
    parts: [
      { position: undefined, highestBit: 7, lowestBit: 4, digits: '0000' },
      { position: 2, highestBit: 3, lowestBit: 0, digits: '0101' },
    ],
  });
});

test.each(['int4', 'uint2', 'float4e2m1', 'bfloat16', 'int8'] as const)(
  'a byte or word drawn of %s is the one in the data',
  (type) => {
    const tensor = ops.tensor(type, [1, 0, 1, 1, 0], [5]);
    const { bits } = typeRow(type);
    const patterns = elementsOf(ops, tensor, 0, 5).bits as number[];
    const words = Array.from(tensor.data as Uint8Array, (_, word) => {
      if (bits >= 8) return patterns[word] as number;
      const { parts } = packedByte(bits, (word * 8) / bits, 5, (position) => patterns[position] as number);
      return Number.parseInt(parts.map(({ digits }) => digits).join(''), 2);
    });
    expect(words).toEqual([...(tensor.data as Uint8Array)]);
  },
);
