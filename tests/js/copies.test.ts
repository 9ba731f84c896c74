// Tensors that are cloned, compared, spread or sent as messages.
import { deepStrictEqual, notDeepStrictEqual } from 'node:assert';
import { expect, test } from '@jest/globals';
import { load } from 'broadloom';
import { errorOf, expectRefusal, expectWords, sampleTensor, sampleWords } from './helpers/runtime.js';
import { types } from './helpers/types.js';

const ops = await load({});
const scoped = (title: string, work: () => void): void => test(title, () => ops.scope(work));

scoped('cloning a tensor fails instead of losing its elements', () => {
  expect(() => structuredClone(sampleTensor(ops, 'int8'))).toThrow(
    expect.objectContaining({ name: 'DataCloneError', message: expect.stringContaining('toMessage') }),
  );
});

test.each(types)('a $name tensor comes back from its message, cloned and transferred', ({ name, array }) => {
  ops.scope(() => {
    const message = sampleTensor(ops, name).toMessage();
    expect([message.type, message.dims]).toEqual([name, [2, 3]]);
    const transfer = array === undefined ? [] : [(message.data as Uint8Array<ArrayBuffer>).buffer];
    expectWords(ops.fromMessage(structuredClone(message, { transfer })), sampleWords(name));
  });
});

test.each(types)('a $name tensor comes back from its JSON', ({ name }) => {
  ops.scope(() => {
    const tensor = sampleTensor(ops, name);
    const again = ops.fromMessage(JSON.parse(JSON.stringify(tensor)));
    // JSON does not keep the bits of NaNs.
    expect(String(again)).toBe(String(tensor));
    expect([again.type, again.dims, again.toJSON()]).toEqual([name, [2, 3], tensor.toJSON()]);
  });
});

scoped('JSON has numbers where it can, and strings where it cannot', () => {
  const text = (tensor: unknown) => JSON.stringify(tensor);
  expect(text(ops.tensor('float32', [1.5, -0, Number.NaN, -Infinity], [4]))).toBe(
    '{"type":"float32","dims":[4],"data":[1.5,"-0","NaN","-Infinity"]}',
  );
  expect(text(ops.tensor('int64', [7n, -(2n ** 60n)], [2]))).toBe(
    '{"type":"int64","dims":[2],"data":[7,"-1152921504606846976"]}',
  );
  expect(text(ops.tensor('string', ['-0', '7'], [2]))).toBe('{"type":"string","dims":[2],"data":["-0","7"]}');
  expect(ops.fromMessage({ type: 'string', dims: [2], data: ['-0', '7'] }).data).toEqual(['-0', '7']);
  const again = ops.fromMessage<'float32'>({ type: 'float32', dims: [3], data: ['-0', 'NaN', 'Infinity'] });
  expect([...again.data].map(String)).toEqual(['0', 'NaN', 'Infinity']);
  expect(Object.is(again.data[0], -0)).toBe(true);
});

scoped('a string that JSON would not have written is refused', () => {
  expectRefusal(ops, () => ops.fromMessage({ type: 'int8', dims: [1], data: ['0x10'] }), {
    code: 'INVALID_ARGUMENT',
    says: ['element 0 is "0x10"'],
  });
});

scoped('deep comparison finds any two tensors different, and a tensor equal to itself', () => {
  const [one, other] = [ops.tensor('float32', [1], [1]), ops.tensor('float32', [2], [1])];
  notDeepStrictEqual(one, other);
  expect(one).not.toEqual(other);
  expect({ one }).not.toStrictEqual({ one: other });
  expect(one).not.toEqual(ops.tensor('float32', [1], [1]));
  deepStrictEqual(one, one);
  expect({ one }).toEqual({ one });
});

scoped('an object spread from a tensor is not a tensor, and a copy with its prototype is refused with advice', () => {
  const x = ops.tensor('float32', [1], [1]);
  expectRefusal(ops, () => ops.expand({ ...x } as never, [1]), {
    code: 'INVALID_ARGUMENT',
    says: ["input 0 ('input') is Object"],
  });
  const copy = Object.assign(Object.create(Object.getPrototypeOf(x)), x);
  expectRefusal(ops, () => copy.data, { code: 'INVALID_ARGUMENT', says: ['a proxy or a copy of a tensor'] });
  expectRefusal(ops, () => ops.expand(copy, [1]), {
    code: 'INVALID_ARGUMENT',
    says: ['a proxy or a copy of a tensor'],
  });
});

test('JSON and messages of a tensor that was disposed of are refused', () => {
  const gone = ops.tensor('int8', [1], [1]);
  gone.dispose();
  for (const use of [() => gone.toMessage(), () => JSON.stringify(gone)]) expect(errorOf(use).code).toBe('DISPOSED');
  const { toMessage } = gone;
  expect(errorOf(() => toMessage()).message).toContain('without the tensor');
});

test('no two tensors have the same id, even in two runtimes', async () => {
  const other = await load({});
  const ids = [ops, other, ops].map((runtime) => runtime.empty('int8', []).id);
  expect(new Set(ids).size).toBe(3);
});
