// String tensors: strings keep every character, and writes to `data` take effect.
import { expect, test } from '@jest/globals';
import { load } from 'broadloom';
import { expectRefusal } from './helpers/runtime.js';

const ops = await load({});
const scoped = (title: string, work: () => void): void => test(title, () => ops.scope(work));

const texts = [
  '',
  'a',
  '\ufeff',
  '\ufeffmark',
  'nul\0inside',
  '\0',
  '\u{1f9f6}',
  'e\u0301',
  '\uffff',
  '\u{10ffff}',
  'x'.repeat(31),
  'x'.repeat(32),
  'x'.repeat(33),
  `${'x'.repeat(31)}\u00e9`,
  `\u00e9${'x'.repeat(40)}`,
];

test('strings keep all characters: empty ones, byte order marks, NUL, emoji, any length', () => {
  ops.scope(() => {
    const tensor = ops.tensor('string', texts, [texts.length]);
    expect(tensor.data).toEqual(texts);
    expect(tensor.toArray()).toEqual(texts);
    expect(ops.run('Identity', [tensor])[0].data).toEqual(texts);
    expect(ops.readTensor(ops.writeTensor(tensor)).data).toEqual(texts);
    expect(ops.constant({ value_strings: texts }).data).toEqual(texts);
    for (const text of texts) expect(ops.constant({ value_string: text }).data).toEqual([text]);
    expect(ops.expand(tensor, [2, texts.length]).data).toEqual([...texts, ...texts]);
  });
});

test.each(['\ud800', '\udc00', 'a\ud83e', '\udf00\ud83c', `${'x'.repeat(40)}\ud800`])(
  'a string with a lone surrogate is refused: %j',
  (text) => {
    const says = ['lone surrogate', JSON.stringify(text).slice(0, 40)];
    expectRefusal(ops, () => ops.tensor('string', [text], [1]), { code: 'INVALID_ARGUMENT', says });
    expectRefusal(ops, () => ops.constant({ value_string: text }), {
      code: 'INVALID_ARGUMENT',
      operator: 'Constant',
      says,
    });
    expectRefusal(ops, () => ops.writeTensor({ type: 'string', dims: [1], data: [text] }), {
      code: 'INVALID_ARGUMENT',
      says,
    });
  },
);

test.each([[1], [null], [undefined], [{}], [['a']]])('%p is not a string element', (value) => {
  expectRefusal(ops, () => ops.tensor('string', ['a', value] as never, [2]), {
    code: 'INVALID_ARGUMENT',
    says: ['element 1 is', 'which string cannot hold'],
  });
});

scoped('a write to string data changes its tensor and no other', () => {
  const x = ops.tensor('string', ['a', 'b'], [2]);
  const before = ops.run('Identity', [x])[0];
  x.data[0] = 'longer than before \u{1f9f6}';
  const after = ops.expand(x, [2, 2]);
  x.data[1] = '';
  expect(before.data).toEqual(['a', 'b']);
  expect(after.data).toEqual(['longer than before \u{1f9f6}', 'b', 'longer than before \u{1f9f6}', 'b']);
  expect(x.toArray()).toEqual(['longer than before \u{1f9f6}', '']);
  expect(ops.readTensor(ops.writeTensor(x)).data).toEqual(['longer than before \u{1f9f6}', '']);
});

test.each([
  ['a number', 7, ['element 0', 'string']],
  ['a lone surrogate', '\ud800', ['lone surrogate']],
])('string data into which %s was written is refused when it is used, and can be mended', (_what, value, says) => {
  const x = ops.tensor('string', ['a'], [1]);
  (x.data as unknown[])[0] = value;
  expectRefusal(ops, () => ops.expand(x, [2]), { code: 'INVALID_ARGUMENT', operator: 'Expand', says });
  x.data[0] = 'b';
  ops.scope(() => expect(ops.expand(x, [2]).data).toEqual(['b', 'b']));
  x.dispose();
});

test('items of a string tensor have what was written into its data, also in the middle of an iteration', () => {
  const x = ops.tensor('string', ['a', 'b', 'c'], [3, 1]);
  x.data[1] = 'd';
  const items: string[] = [];
  for (const item of x) {
    items.push(item.item());
    x.data[2] = 'e';
  }
  expect(items).toEqual(['a', 'd', 'e']);
});

test('string data that was made longer or shorter is refused when it is used', () => {
  for (const change of [(list: string[]) => list.push('c'), (list: string[]) => list.pop()]) {
    const x = ops.tensor('string', ['a', 'b'], [2]);
    change(x.data);
    expectRefusal(ops, () => ops.shape(ops.scope(() => ops.run('Identity', [x])[0])), {
      code: 'INVALID_ARGUMENT',
      says: ['string of dims [2] has 2'],
    });
    x.dispose();
  }
});

test('elements that share a long text share a string, so that a stretched one can be read and printed', () => {
  ops.scope(() => {
    const long = 'ab'.repeat(2 ** 19);
    const stretched = ops.expand(ops.tensor('string', [long, 'short']), [20_000, 2]);
    const equal = ops.run('Equal', [stretched, stretched], {}, { opset: 19 })[0];
    expect(Array.from(equal?.data as Uint8Array).every((one) => one === 1)).toBe(true);
    expect(String(stretched).length).toBeLessThan(10_000);
    const { data } = stretched;
    expect(data.length).toBe(40_000);
    expect([data[0] === long, data[39_998] === long, data[1]]).toEqual([true, true, 'short']);
  });
});

scoped('strings that are too many for a list are refused with a way that works for strings', () => {
  const many = ops.expand(ops.tensor('string', ['a']), [2 ** 26 + 1]);
  const says = ['67108865 elements are too many for a list; take parts by slice'];
  for (const read of [() => many.data, () => many.toArray(), () => many.toJSON(), () => many.toNested()])
    expectRefusal(ops, read, { code: 'OUT_OF_MEMORY', says });
  expect(ops.slice(many, [2 ** 26], [2 ** 26 + 1]).data).toEqual(['a']);
});
