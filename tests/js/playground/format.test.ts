// Elements as the playground shows them: a shown text can be typed again, with the same bits.
import { expect, test } from '@jest/globals';
import { type DataType, dataTypes, load } from 'broadloom';
import fc from 'fast-check';
import { hasHidden, visible } from '../../../shared/visible.js';
import type { TypeRow } from '../../../web-demo/src/facts.js';
import { formatElement, type Value } from '../../../web-demo/src/values/format.js';
import { parseValues } from '../../../web-demo/src/values/parse.js';
import { isDeep } from '../../depth.mjs';
import { announceSeed, anyNoise, generator, holds, randomWords } from '../helpers/random.js';
import { dataOf, type Words, wordsOf } from '../helpers/reference.js';
import { sampleWords } from '../helpers/runtime.js';

const ops = await load();
announceSeed('playground/format');
const rowOf = (type: DataType): TypeRow => dataTypes.find(({ name }) => name === type) as TypeRow;

/** The elements as values, in the form of the page's worker. */
function valuesOf(words: Words): Value[] {
  const { kind, bits, array } = rowOf(words.type as DataType);
  return ops.scope(() => {
    const tensor = ops.tensor(words.type as DataType, dataOf(words) as never, words.dims);
    const data = [...(tensor.data as Iterable<number | bigint | string>)];
    if (kind === 'complex') {
      return words.words.map((_, i) => [data[2 * i], data[2 * i + 1]] as [number, number]);
    }
    return kind === 'mini_float' || bits < 8 || array === 'Array' ? (bits < 64 ? tensor.unpack() : data) : data;
  });
}

/** Replaces every NaN by the one that `nan` is parsed as. */
function canonical(words: Words): Words {
  const { kind, name } = rowOf(words.type as DataType);
  if (kind === 'complex' || kind === 'real_float') {
    const data = dataOf(words) as Float32Array;
    return wordsOf({ ...words, data: data.map((value) => (Number.isNaN(value) ? Number.NaN : value)) });
  }
  if (kind !== 'mini_float') return words;
  return ops.scope(() => {
    const nan = (): string => wordsOf(ops.tensor(name, [Number.NaN] as never, [1])).words[0];
    return {
      ...words,
      words: valuesOf(words).map((value, i) => (Number.isNaN(value) ? nan() : words.words[i])),
    };
  });
}

function expectRoundTrip(words: Words): void {
  const row = rowOf(words.type as DataType);
  const text = valuesOf(words).map((value) => formatElement(value, row));
  for (const separator of [', ', ' ']) {
    ops.scope(() => {
      const list = parseValues(text.join(separator), row);
      expect(wordsOf(ops.tensor(row.name, list as never, words.dims))).toEqual(canonical(words));
    });
  }
}

test.each(dataTypes)('$name elements are read back from what is shown: extremes', ({ name }) => {
  expectRoundTrip(sampleWords(name));
});

test.each(dataTypes)('$name elements are read back from what is shown: random bits', ({ name }) => {
  holds(
    fc.tuple(fc.integer({ min: 0, max: 40 }), anyNoise),
    ([count, noise]) => expectRoundTrip(randomWords(name, [count], generator(noise))),
    100,
  );
});

test.each(dataTypes.filter(({ bits }) => bits <= 16))(
  'bit patterns of $name are read back from what is shown: all of them, or of 16 bits every seventh in a short run',
  ({ name, bits, array }) => {
    const step = bits === 16 && !isDeep ? 7 : 1;
    const count = Math.ceil(2 ** bits / step);
    const data =
      array === 'Uint16Array' || array === 'Int16Array'
        ? new Uint16Array(count)
        : new Uint8Array(Math.ceil((count * bits) / 8));
    for (let i = 0; i < count; i++) {
      if (bits >= 8) data[i] = name === 'bool' ? i % 2 : i * step;
      else data[Math.floor((i * bits) / 8)] |= i << ((i * bits) % 8);
    }
    const bytes = new Uint8Array(data.buffer);
    const typed =
      array === 'Int16Array'
        ? new Int16Array(bytes.buffer)
        : array === 'Int8Array'
          ? new Int8Array(bytes.buffer)
          : data;
    expectRoundTrip(wordsOf({ type: name, dims: [count], data: typed }));
  },
);

const shown: [type: DataType, value: Value, text: string][] = [
  ['float32', Math.fround(0.1), '0.1'],
  ['float32', 3.4028234663852886e38, '3.4028235e+38'],
  ['float32', Math.fround(1e-45), '1e-45'],
  ['float32', 16777216, '16777216'],
  ['float32', 2 ** 96, '7.9228163e+28'],
  ['float32', -0, '-0'],
  ['float32', Number.NaN, 'nan'],
  ['float32', -Infinity, '-inf'],
  ['float64', 0.1, '0.1'],
  ['float16', 0.0999755859375, '0.1'],
  ['float16', 65504, '65500'],
  ['bfloat16', 0.10009765625, '0.1'],
  ['float8e4m3fn', 448, '448'],
  ['complex64', [Math.fround(0.1), -0], '0.1-0j'],
  ['complex128', [1, 2], '1+2j'],
  ['complex128', [Number.NaN, Infinity], 'nan+infj'],
  ['bool', 1, 'True'],
  ['bool', false, 'False'],
  ['int64', -(2n ** 63n), '-9223372036854775808'],
  ['int8', -128, '-128'],
  ['string', 'a "b"\n', '"a \\"b\\"\\n"'],
];

test.each(shown)('the %s %p is shown as %s', (type, value, text) => {
  expect(formatElement(value, rowOf(type))).toBe(text);
});

test('invisible characters and those that change the direction of text are shown by their codes', () => {
  expect(visible('user\u202Efdp.npy')).toBe('user\\u202efdp.npy');
  expect(visible('a\u0000b\u007f\u2066\u200b')).toBe('a\\u0000b\\u007f\\u2066\\u200b');
  expect(visible('三 🎉 👩\u200d👩 é')).toBe('三 🎉 👩\u200d👩 é');
  expect(hasHidden('a\n\tb')).toBe(false);
  expect(hasHidden('a\u202eb')).toBe(true);
});

test.each(['a\u202eb', 'line\nend \u2028 "quoted" \\u', '\u061c\ufeff'])('the string %j is read back', (text) => {
  const shown = formatElement(text, rowOf('string'));
  expect(hasHidden(shown)).toBe(false);
  expect(parseValues(shown, rowOf('string'))).toEqual([text]);
});
