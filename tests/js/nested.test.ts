// Lists within lists, single elements, and iteration.
import { expect, test } from '@jest/globals';
import { load } from 'broadloom';
import { expectRefusal } from './helpers/runtime.js';

const ops = await load({});

test('lists within lists give the dims of a tensor, and come back as they were', () => {
  const lists = [[[1, 2, 3]], [[4, 5, 6]]];
  const x = ops.tensor('float32', lists);
  expect(x.dims).toEqual([2, 1, 3]);
  expect(x.toNested()).toEqual(lists);
  expect(ops.tensor('string', [['a'], ['b']]).toNested()).toEqual([['a'], ['b']]);
  expect(ops.tensor('bool', [[true, false]]).toNested()).toEqual([[true, false]]);
  expect(ops.tensor('int64', [[2n ** 62n, 1]]).toNested()).toEqual([[2n ** 62n, 1n]]);
  expect(ops.tensor('int4', [[-8, 7, 1]]).toNested()).toEqual([[-8, 7, 1]]);
  expect(ops.tensor('float16', [[0.5]]).toNested()).toEqual([[0.5]]);
  const complex = [
    [
      [1, 2],
      [3, 4],
    ],
  ];
  expect(ops.tensor('complex64', complex).dims).toEqual([1, 2]);
  expect(ops.tensor('complex64', complex).toNested()).toEqual(complex);
  expect(ops.tensor('complex128', ops.tensor('complex128', [1, 2]).item()).dims).toEqual([]);
  expect(ops.tensor('complex64', []).dims).toEqual([0]);
});

test('empty lists are axes of size 0', () => {
  expect(ops.tensor('float32', []).dims).toEqual([0]);
  expect(ops.tensor('float32', [[], []]).dims).toEqual([2, 0]);
  expect(ops.tensor('float32', [[], []]).toNested()).toEqual([[], []]);
});

test('one value is a scalar, and a typed array has one axis', () => {
  expect(ops.tensor('float32', 5).dims).toEqual([]);
  expect(ops.tensor('float32', 5).toNested()).toBe(5);
  expect(ops.tensor('float32', Float32Array.of(1, 2)).dims).toEqual([2]);
  expect(ops.tensor('complex64', Float32Array.of(1, 2)).dims).toEqual([1]);
});

test.each([
  ['shorter than the first', [[1, 2], [3]], 'data[1] is Array, wanted 2 entries as data[0] has'],
  ['empty beside one that is not', [[1], []], 'data[1] is Array, wanted 1 entry'],
  ['a value beside lists', [[1, 2], 3], 'data[1] is 3, wanted 2 entries as data[0] has'],
  ['a list beside values', [1, [2]], 'data[1] is'],
  ['deeper than the first', [[[1]], [[[2]]]], 'data[1][0][0] is'],
])('a list that is %s is refused', (_title, lists, says) => {
  expectRefusal(ops, () => ops.tensor('float32', lists as never), { code: 'INVALID_ARGUMENT', says: [says] });
});

test('a list within itself, odd parts of complex numbers, and packed bytes without dims are refused', () => {
  const circle: unknown[] = [];
  circle.push(circle);
  expectRefusal(ops, () => ops.tensor('float32', circle as never), { code: 'INVALID_ARGUMENT', says: ['255 levels'] });
  expectRefusal(ops, () => ops.tensor('complex64', [1, 2, 3]), { code: 'INVALID_ARGUMENT', says: ['list of two'] });
  expectRefusal(ops, () => ops.tensor('int4', Uint8Array.of(1)), { code: 'INVALID_ARGUMENT', says: ['packed bytes'] });
});

test('typed arrays in a list hold values: bits in the type’s own array are refused', () => {
  expect(ops.tensor('float32', [Float32Array.of(1, 2), Float64Array.of(3, 4)] as never).toNested()).toEqual([
    [1, 2],
    [3, 4],
  ]);
  for (const [type, array] of [
    ['float16', Uint16Array.of(0x3c00)],
    ['float8e5m2', Uint8Array.of(0x3c)],
    ['int4', Uint8Array.of(0x21)],
  ] as const)
    expectRefusal(ops, () => ops.tensor(type, [array] as never), {
      code: 'INVALID_ARGUMENT',
      says: ['data[0] is', 'of bits: unpack() gives values'],
    });
});

test('a DataView is not a list of elements', () => {
  const view = new DataView(new ArrayBuffer(4));
  expectRefusal(ops, () => ops.tensor('float32', view as never), { code: 'INVALID_ARGUMENT', says: ['DataView'] });
});

test('item gives the only element', () => {
  expect(ops.tensor('float32', [[7]]).item()).toBe(7);
  expect(ops.tensor('int64', 7n).item()).toBe(7n);
  expect(ops.tensor('bool', true).item()).toBe(true);
  expect(ops.tensor('string', 'a').item()).toBe('a');
  expect(ops.tensor('complex128', [1, 2]).item()).toEqual([1, 2]);
  const two = ops.tensor('float32', [1, 2]);
  expectRefusal(ops, () => two.item(), { code: 'INVALID_ARGUMENT', says: ['float32 [2] has 2 elements, wanted one'] });
  expectRefusal(ops, () => ops.scope(() => ops.tensor('float32', []).item()), {
    code: 'INVALID_ARGUMENT',
    says: ['0 elements'],
  });
});

test('a tensor is iterated along its first axis', () => {
  for (const [type, lists] of [
    [
      'float32',
      [
        [1, 2],
        [3, 4],
        [5, 6],
      ],
    ],
    [
      'int4',
      [
        [-8, 1, 2],
        [3, 4, 7],
      ],
    ],
    ['string', [['a'], ['bc']]],
    ['float32', [1, 2]],
  ] as const) {
    const x = ops.tensor(type, lists as never);
    expect(Array.from(x, (item) => [item.type, item.toNested()])).toEqual(lists.map((item) => [type, item]));
  }
  expect(Array.from(ops.tensor('float32', 5))).toEqual([5]);
});

test('a tensor is not a number, and in a text it is itself', () => {
  const x = ops.tensor('float32', [1, 2]) as unknown as number;
  for (const compute of [() => x * 2, () => Math.max(x), () => x > 1, () => Float32Array.from([x])]) {
    expectRefusal(ops, compute, {
      code: 'INVALID_ARGUMENT',
      says: ['a tensor is not a number: item() and data give its elements'],
    });
  }
  expect(`${x}`).toBe(x.toString());
  expect(x + ('!' as unknown as number)).toBe(`${x}!`);
});

test('items of views, and of tensors whose data is exposed, are their own', () => {
  const x = ops.tensor('float32', [
    [1, 2],
    [3, 4],
  ]);
  x.data[0] = 9;
  const [first] = x;
  x.data[0] = 8;
  expect(first?.toNested()).toEqual([9, 2]);
  const [row] = ops.expand(ops.tensor('float32', [1, 2]), [3, 2]);
  expect(row?.toNested()).toEqual([1, 2]);
  const columns = Array.from(
    ops.transpose(
      ops.tensor('int8', [
        [1, 2],
        [3, 4],
      ]),
    ),
    (item) => item.toNested(),
  );
  expect(columns).toEqual([
    [1, 3],
    [2, 4],
  ]);
});

test('a tensor that is disposed of while it is iterated tells so', () => {
  const x = ops.tensor('float32', [1, 2]);
  const items = x[Symbol.iterator]();
  items.next();
  x.dispose();
  expectRefusal(ops, () => items.next(), { code: 'DISPOSED', says: ['disposed of'] });
});

test('iterating a tensor that was disposed of is an error', () => {
  const x = ops.tensor('float32', []);
  x.dispose();
  expectRefusal(ops, () => Array.from(x), { code: 'DISPOSED', says: ['disposed of'] });
});

test('comparing test runners find a tensor equal to itself, and to no other', () => {
  const x = ops.tensor('float32', [[[1, 2]], [[3, 4]]]);
  expect(x).toEqual(x);
  expect(x).not.toEqual(ops.tensor('float32', x.toNested()));
  expect([...x][0]).not.toEqual([...x][1]);
});
