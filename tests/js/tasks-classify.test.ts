// classify of broadloom/tasks, beside a softmax in plain JavaScript. No package with models has a classifier of images: the
// scores are made by hand.
import { afterAll, expect, test } from '@jest/globals';
import { load, OnnxError } from 'broadloom';
import { classify } from 'broadloom/tasks';
import { announceSeed, generator, seed } from './helpers/random.js';
import { counters, expectRefusal } from './helpers/runtime.js';

const ops = await load();
const before = counters(ops);
announceSeed('tasks-classify');

afterAll(() => expect(counters(ops)).toEqual(before));

const float32 = (dims: number[], data: number[]) => ({ type: 'float32', dims, data }) as const;

test('softmax makes probabilities of scores, and the best class comes first', () => {
  const random = generator(seed);
  for (let round = 0; round < 50; round++) {
    const count = 1 + (random() % 40);
    const scores = Float32Array.from({ length: count }, () => (random() % 2000) / 100 - 10);
    const sum = scores.reduce((total, score) => total + Math.exp(score), 0);
    const wanted = [...scores]
      .map((score, index) => ({ index, score: Math.exp(score) / sum }))
      .sort((a, b) => b.score - a.score || a.index - b.index)
      .slice(0, 5);
    const got = classify(ops, { type: 'float32', dims: [1, count], data: scores });
    expect(got.map(({ index }) => index)).toEqual(wanted.map(({ index }) => index));
    for (const [i, { label, index, score }] of got.entries()) {
      expect(label).toBe(String(index));
      expect(score).toBeCloseTo(wanted[i]?.score as number, 6);
    }
  }
});

test('labels are a list, or an object by number', () => {
  const scores = float32([3], [0, 2, 1]);
  const told = (labels: string[] | { [index: number]: string }) =>
    classify(ops, scores, { labels, top: 2 }).map(({ label }) => label);
  expect(told(['cat', 'dog', 'owl'])).toEqual(['dog', 'owl']);
  expect(told({ 1: 'dog' })).toEqual(['dog', '2']);
  expect(told({})).toEqual(['1', '2']);
});

test('probabilities stay as they are, and sigmoid looks at each class alone', () => {
  const scores = float32([1, 3], [0.5, 0.25, 0.25]);
  expect(classify(ops, scores, { activation: 'none' })).toEqual([
    { label: '0', index: 0, score: 0.5 },
    { label: '1', index: 1, score: 0.25 },
    { label: '2', index: 2, score: 0.25 },
  ]);
  const [first] = classify(ops, float32([2], [0, -1]), { activation: 'sigmoid' });
  expect(first).toEqual({ label: '0', index: 0, score: 0.5 });
});

test('float16, bfloat16 and float64, tensors of the runtime, and axes of size 1 are taken', () => {
  for (const type of ['float16', 'bfloat16', 'float64', 'float32'] as const) {
    const scores = ops.tensor(type, [0, 4, 1], [1, 3, 1, 1]);
    expect(classify(ops, scores, { top: 1 })).toMatchObject([{ index: 1 }]);
    scores.dispose();
  }
});

test('batch picks an item', () => {
  const scores = float32([2, 2], [1, 0, 0, 1]);
  expect([0, 1].map((batch) => classify(ops, scores, { batch, top: 1 })[0]?.index)).toEqual([0, 1]);
  const alone = float32([1, 2], [1, 0]);
  expect(classify(ops, alone, { batch: 0 })).toEqual(classify(ops, alone));
});

test('an output without classes has no best one', () => {
  expect(classify(ops, float32([1, 0], []))).toEqual([]);
  expect(classify(ops, float32([0], []))).toEqual([]);
});

test('the opset of the runtime does not change the result', async () => {
  const old = await load({ opset: 8 });
  const scores = float32([2, 3], [1, 3, 2, 0, 0, 1]);
  expect(classify(old, scores, { batch: 1 })).toEqual(classify(ops, scores, { batch: 1 }));
});

test('faults are errors of the runtime, with the values, and leave nothing in memory', () => {
  const scores = float32([2, 3], [1, 3, 2, 0, 0, 1]);
  const alone = float32([1, 2], [1, 0]);
  const refused = (work: () => unknown, ...says: string[]) =>
    expectRefusal(ops, work, { code: 'INVALID_ARGUMENT', says: ['classify: ', ...says] });
  refused(() => classify(ops, scores), 'a batch of 2 items', '0 to 1');
  refused(() => classify(ops, scores, { batch: 2 }), 'batch is 2', 'at most 1');
  refused(() => classify(ops, float32([], [1])), 'dims []', '[batch, classes]');
  refused(() => classify(ops, float32([1, 2, 2], [1, 2, 3, 4])), 'dims [1,2,2]');
  refused(() => classify(ops, float32([0, 2], [])), 'no item');
  refused(() => classify(ops, alone, { labels: ['a'] }), '1 labels for 2 classes');
  refused(() => classify(ops, alone, { labels: ['a', 7] as never }), 'label 1 is 7');
  refused(() => classify(ops, alone, { labels: 'ab' as never }), 'labels are "ab"');
  refused(() => classify(ops, alone, { labels: new Map([[0, 'a']]) as never }), 'labels are Map');
  for (const top of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '1' as never])
    refused(() => classify(ops, alone, { top }), 'top is');
  refused(() => classify(ops, alone, { activation: 'softmx' as never }), "did you mean 'softmax'");
  refused(() => classify(ops, alone, { topK: 3 } as never), "no option 'topK'");
  refused(() => classify(ops, [1, 2] as never), 'wanted a tensor');
  refused(() => classify(ops, { type: 'float32', dims: { length: 2 ** 32 }, data: [] } as never), 'wanted a tensor');
  refused(() => classify(ops, undefined as never), 'undefined');
  refused(() => classify(ops, float32([Symbol('two') as never], [1, 2])), 'dims of the scores', 'Symbol(two)');
  const dims = Int32Array.of(1, 2);
  structuredClone(dims, { transfer: [dims.buffer] });
  expectRefusal(ops, () => classify(ops, float32(dims as never, [1, 2])), {
    code: 'INVALID_ARGUMENT',
    says: ['classify: the dims of the scores', 'detached'],
  });
  const integers = { type: 'int64', dims: [2], data: [1, 2] } as const;
  expectRefusal(ops, () => classify(ops, integers), { code: 'UNSUPPORTED_TYPE', says: ['int64', 'float32'] });
});

test('a first argument that is not a runtime is an error with the name of OnnxError', () => {
  for (const wrong of [undefined, null, {}, 7, load])
    expect(() => classify(wrong as never, float32([1], [1]))).toThrow(
      /classify: the first argument is .*wanted a runtime/,
    );
  expect(() => classify(ops, float32([], [1]))).toThrow(OnnxError);
});

test('an error of the runtime passes as it is', () => {
  const scores = ops.tensor('float32', [1, 2]);
  scores.dispose();
  expectRefusal(ops, () => classify(ops, scores), { code: 'DISPOSED', says: [] });
});
