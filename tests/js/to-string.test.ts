// Compares toString() with NumPy's output (tests/data/numpy.json, made by tests/data/print-with-numpy.py).
import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { expect, test } from '@jest/globals';
import { BoundModel, type DataType, load, Model, Resampler, Runtime } from 'broadloom';
import * as proto from '../../shared/onnx.js';
import { counters } from './helpers/runtime.js';

const ops = await load({});

interface Case {
  title: string;
  type: DataType;
  dims: number[];
  values: string[];
  text: string;
}

const cases = JSON.parse(readFileSync(new URL('../data/numpy.json', import.meta.url), 'utf8')) as Case[];

test.each(cases)('toString of $type $dims ($title) gives what NumPy prints', ({ type, dims, values, text }) => {
  ops.scope(() => {
    const list = type === 'string' ? values : values.map(Number);
    expect(ops.tensor(type, list as never, dims).toString()).toBe(text);
  });
});

test('packed and reduced-precision elements are shown as their values', () => {
  ops.scope(() => {
    const shown = (type: DataType, values: number[]): string =>
      ops.tensor(type, values as never, [values.length]).toString();
    expect(shown('int4', [-8, 7, 0])).toBe('int4 [3]\n[-8  7  0]');
    expect(shown('uint2', [3, 0, 1])).toBe('uint2 [3]\n[3 0 1]');
    expect(shown('bfloat16', [1, 0.1])).toBe('bfloat16 [2]\n[1.  0.1]');
    expect(shown('float8e5m2', [1, -2, Infinity])).toBe('float8e5m2 [3]\n[ 1. -2. inf]');
    expect(shown('float4e2m1', [0.5, 6])).toBe('float4e2m1 [2]\n[0.5 6. ]');
  });
});

test('64-bit integers are shown exactly', () => {
  ops.scope(() => {
    expect(ops.tensor('int64', [-(2n ** 63n), 1n], [2]).toString()).toBe(
      'int64 [2]\n[-9223372036854775808                    1]',
    );
    expect(ops.tensor('uint64', [2n ** 64n - 1n], []).toString()).toBe('uint64 []\n18446744073709551615');
  });
});

test('a lazy tensor is shown with all its elements', () => {
  ops.scope(() => {
    expect(ops.expand(ops.tensor('int8', [1, 2], [2, 1]), [2, 3]).toString()).toBe('int8 [2, 3]\n[[1 1 1]\n [2 2 2]]');
    expect(ops.constantOfShape([1500]).toString()).toBe('float32 [1500]\n[0. 0. 0. ... 0. 0. 0.]');
  });
});

test('a tensor of many small axes is cut after its beginning, and one of many axes of size 1 is shown whole', () => {
  ops.scope(() => {
    expect(ops.constantOfShape(Array(12).fill(2)).toString().match(/0\./g)).toHaveLength(2 ** 12);
    const many = ops.constantOfShape(Array(20).fill(2)).toString();
    expect(many.match(/0\./g)).toHaveLength(2 ** 12);
    expect(many).toContain('...');
    expect(ops.constantOfShape(Array(5).fill(7)).toString().match(/0\./g)).toHaveLength(6 ** 5);
    expect(ops.constantOfShape(Array(255).fill(1)).toString()).toContain(`${'['.repeat(255)}0.${']'.repeat(255)}`);
  });
});

test('a long string is cut after its beginning, and control characters are escaped as in Python', () => {
  ops.scope(() => {
    const long = ops.tensor('string', ['a'.repeat(10 ** 6)], [1]).toString();
    expect(long.length).toBeLessThan(1000);
    expect(long).toContain("a'...");
    const odd = ops.tensor('string', ['a\tb\n', '\u001b[31m', '\u202eabc', '\u{e0001}', 'é 中'], [5]).toString();
    for (const shown of [
      String.raw`'a\tb\n'`,
      String.raw`'\x1b[31m'`,
      String.raw`'\u202eabc'`,
      String.raw`'\U000e0001'`,
    ])
      expect(odd).toContain(shown);
    expect(odd).toContain("'é 中'");
  });
});

test('the prototype of tensors can be printed', () => {
  const { prototype } = Object.getPrototypeOf(ops.constantOfShape([])).constructor;
  expect(String(prototype)).toContain('Tensor');
  expect(() => inspect(prototype)).not.toThrow();
});

test('template strings and console.log show a tensor', () => {
  ops.scope(() => {
    const x = ops.tensor('int8', [1, 2], [2]);
    expect(`${x}`).toBe('int8 [2]\n[1 2]');
    expect(inspect(x)).toBe('int8 [2]\n[1 2]');
    expect(inspect({ x })).toContain('int8 [2]');
  });
});

test('showing a tensor leaves it as it is', () => {
  ops.scope(() => {
    const x = ops.tensor('int4', [1, 2, 3], [3]);
    const before = counters(ops);
    x.toString();
    expect([...x.data]).toEqual([0x21, 0x03]);
    expect(counters(ops)).toEqual(before);
  });
});

test('printing a lazy tensor that does not fit in memory says so and does not throw', () => {
  expect(String(ops.constantOfShape([10 ** 6, 10 ** 6]))).toBe('float32 [1000000, 1000000] (OUT_OF_MEMORY)');
});

test('a model tells its opset, and its inputs and outputs, before and after it was disposed of', () => {
  const long = 'a'.repeat(60);
  const model = ops.loadModel(
    proto.model({
      nodes: [{ op: 'Add', inputs: ['x', long], outputs: ['y'] }],
      inputs: [proto.value('x', 'float32', ['batch', 3]), proto.value(long, 'float32', [null, 3])],
      outputs: [proto.value('y', 'float32', ['batch', 3])],
    }),
  );
  const text = `x float32 [batch, 3], ${'a'.repeat(40)}... float32 [?, 3] -> y float32 [batch, 3]`;
  expect(String(model)).toBe(`Model (opset ${model.opset}): ${text}`);
  const bound = model.bind({ x: ops.empty('float32', [2, 3]), [long]: ops.empty('float32', [1, 3]) });
  expect(`${bound}`).toBe(`BoundModel: x float32 [2, 3], ${'a'.repeat(40)}... float32 [1, 3] -> y float32 [2, 3]`);
  bound.dispose();
  model.dispose();
  expect(String(model)).toContain(text);
  expect(String(bound)).toMatch(/^BoundModel/);
});

test('a model of many inputs tells the first four', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  const model = ops.loadModel(
    proto.model({
      nodes: [{ op: 'Sum', inputs: names, outputs: ['y'] }],
      inputs: names.map((name) => proto.value(name, 'float32', [])),
      outputs: [proto.value('y', 'float32', [])],
    }),
  );
  expect(String(model)).toMatch(
    /: a float32 \[\], b float32 \[\], c float32 \[\], d float32 \[\], 2 more -> y float32 \[\]$/,
  );
  model.dispose();
});

test('a runtime and a resampler tell what they have', async () => {
  const own = await load({ opset: 13 });
  own.tensor('float32', [1, 2]);
  expect(`${own}`).toMatch(/^Runtime \(opset 13\): 1 tensor, \d+ bytes$/);
  const resampler = own.resampler({ from: 48000, to: 16000 });
  expect(`${resampler}`).toBe('Resampler: 48000 to 16000 Hz');
});

test('a print of a prototype or a proxy does not fail', () => {
  for (const { prototype } of [Model, BoundModel, Runtime, Resampler])
    expect(String(prototype)).toMatch(/^\w+ \(its prototype, a proxy or a copy\)$/);
  expect(String(new Proxy(ops, {}))).toBe('Runtime (its prototype, a proxy or a copy)');
});
