// The pure parts of the playground's benchmark: its cases, its clock, and the text of results.
import { expect, test } from '@jest/globals';
import { load, type Tensor } from 'broadloom';
import { caseTypes, makeCase, patterns, sizes } from '../../../web-demo/src/benchmark/cases.js';
import { broadloom, callOf, loops } from '../../../web-demo/src/benchmark/contenders.js';
import { clockStep, effortFor } from '../../../web-demo/src/benchmark/effort.js';
import { measureNetwork } from '../../../web-demo/src/benchmark/network-contenders.js';
import { networkNames, networkOf, randomNumbers } from '../../../web-demo/src/benchmark/networks.js';
import { firstDifference, numberText, shareText, sizeText, speedOf } from '../../../web-demo/src/benchmark/results.js';

const ops = await load({});

for (const type of caseTypes) {
  for (const pattern of patterns) {
    test(`${pattern.name}, ${type}: the loops give the bytes of Broadloom, as many as the case tells`, async () => {
      const item = makeCase(pattern, sizes[0] as number, type);
      const call = callOf(ops, item);
      const expected = await broadloom(ops, call).bytes();
      call.tensor.dispose();
      expect(expected.length).toBe(item.bytes);
      expect(firstDifference(expected, await loops(item).bytes())).toBeUndefined();
    });
  }
}

test('outputs have the requested size, or a few elements more', () => {
  for (const size of sizes) {
    for (const pattern of patterns) {
      for (const type of caseTypes) {
        const { bytes } = makeCase(pattern, size, type);
        expect(bytes).toBeGreaterThanOrEqual(size);
        expect(bytes).toBeLessThan(size * 1.01);
      }
    }
  }
});

for (const name of networkNames) {
  test(`the network "${name}" runs, and its numbers are finite and differ`, () => {
    const { model: file, dims, operations } = networkOf(name);
    expect(operations).toBeGreaterThan(1e7);
    const model = ops.loadModel(file);
    const x = ops.tensor('float32', randomNumbers(dims, 0), dims);
    const { y } = model.run({ x }) as { y: Tensor<'float32'> };
    const values = [...y.toArray()];
    for (const one of [x, y, model]) one.dispose();
    expect(values.every(Number.isFinite)).toBe(true);
    expect(new Set(values).size).toBeGreaterThan(values.length / 4);
  });
}

test('a time is measured alone where onnxruntime-web fails, and where its result differs', async () => {
  const none = { time: () => 0, values: async () => new Float32Array(256 * 768), dispose: async () => {} };
  const fail = () => Promise.reject(new Error('no memory'));
  const failed = await measureNetwork(ops, 'product', 0.1, fail);
  const differing = await measureNetwork(ops, 'product', 0.1, async () => none);
  expect(failed.onnxruntime).toEqual({ failure: 'no memory' });
  expect(differing.onnxruntime).toEqual({ difference: 1 });
  for (const { time, operations } of [failed, differing]) {
    expect(time).toBeGreaterThan(0);
    expect(operations).toBe(2 * 256 * 768 * 768);
  }
});

test('contenders free all their tensors', () => {
  expect(ops.memory().liveTensors).toBe(0);
});

test('a difference is reported by its first byte, and so is a result that is too short', () => {
  expect(firstDifference(Uint8Array.of(1, 2, 3), Uint8Array.of(1, 2, 3))).toBeUndefined();
  expect(firstDifference(Uint8Array.of(1, 2, 3), Uint8Array.of(1, 9, 9))).toBe(1);
  expect(firstDifference(Uint8Array.of(1, 2, 3), Uint8Array.of(1, 2))).toBe(2);
  expect(firstDifference(Uint8Array.of(), Uint8Array.of(1))).toBe(0);
});

test('the step of a clock is the least difference between two of its times', () => {
  let calls = 0;
  const coarse = (): number => Math.floor(calls++ / 7) * 0.5;
  expect(clockStep(coarse)).toBe(0.5);
});

test('a sample is at least ten ticks long, and never shorter than two milliseconds', () => {
  expect(effortFor(0.005).sample).toBe(2e6);
  expect(effortFor(1).sample).toBe(1e7);
});

test('speeds are computed from timed results', () => {
  const item = makeCase(patterns[0] as (typeof patterns)[number], 4096, 'float32');
  const row = { item, results: { broadloom: { time: 1024, ratio: 0.5 }, loops: { differsAt: 3 } } };
  expect(speedOf(row, 'broadloom')).toBe(4);
  expect(speedOf(row, 'loops')).toBeUndefined();
  expect(speedOf(row, 'onnxruntime')).toBeUndefined();
});

test('numbers have about three digits', () => {
  expect([0.123, 1.234, 12.34, 123.4].map(numberText)).toEqual(['0.12', '1.23', '12.3', '123']);
  expect([0.004, 0.0987, 0.1, 0.64].map(shareText)).toEqual(['0.4', '9.9', '10', '64']);
  expect([4096, 2 ** 20, 2 ** 24].map(sizeText)).toEqual(['4 KiB', '1 MiB', '16 MiB']);
});
