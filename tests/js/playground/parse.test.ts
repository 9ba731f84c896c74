// Texts that people type and paste into the playground, and their values.
import { expect, test } from '@jest/globals';
import { type DataType, dataTypes } from 'broadloom';
import type { TypeRow } from '../../../web-demo/src/facts.js';
import { ListError, parseIntegers, parseStrings, parseValues, readPasted } from '../../../web-demo/src/values/parse.js';

const rowOf = (type: DataType): TypeRow => dataTypes.find(({ name }) => name === type) as TypeRow;
const values = (text: string, type: DataType = 'float32', count?: number) => parseValues(text, rowOf(type), count);

function refusal(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (!(error instanceof ListError) || error.name !== 'ListError') throw error;
    return error.message;
  }
  throw new Error('nothing was refused');
}

test.each([
  ['2, 3', [2n, 3n]],
  ['[2, 3]', [2n, 3n]],
  ['(2,3)', [2n, 3n]],
  ['(2,)', [2n]],
  ['', []],
  [' \n', []],
  ['2 3\n4\t5', [2n, 3n, 4n, 5n]],
  ['2，3', [2n, 3n]],
  ['1_000, -7, +7, 0x10, -0b11, 0o17', [1000n, -7n, 7n, 16n, -3n, 15n]],
  ['9223372036854775808', [9223372036854775808n]],
])('%j are whole numbers', (text, list) => {
  expect(parseIntegers(text)).toEqual(list);
});

test.each([
  ['2, 3.5', ["element 1 is '3.5'", 'whole number']],
  ['1e3', ["'1e3'"]],
  ['two', ["element 0 is 'two'"]],
  ['1__0', ["'1__0'"]],
  ['_1', ["'_1'"]],
  ['2,,3', ['before the comma at character 3']],
  [', 2', ['before the comma at character 1']],
  ['[2, 3', ["'['", 'character 1', 'never closed']],
  ['2, 3]', ["']'", 'character 5', 'closes nothing']],
  ['[2, 3)', ["'['", "')'", 'character 6']],
  ['9'.repeat(2000), ["'9999999999999999999999999999999999999999…'"]],
  ['"2"', ['element 0 is "2"']],
])('%j are not whole numbers', (text, says) => {
  const message = refusal(() => parseIntegers(text));
  for (const part of says) expect(message).toContain(part);
});

test('a wrong number of values is refused when a number is wanted', () => {
  expect(parseIntegers('7', 1)).toEqual([7n]);
  expect(refusal(() => parseIntegers('7, 8', 1))).toBe('there are 2 values, expected one');
  expect(refusal(() => values('', 'float32', 1))).toBe('there are 0 values, expected one');
});

test('floating-point numbers are read as NumPy, Python, JSON and JavaScript write them', () => {
  expect(values('nan NaN -nan inf -inf Infinity -Infinity +inf np.inf')).toEqual([
    ...[NaN, NaN, NaN, Infinity, -Infinity, Infinity, -Infinity, Infinity, Infinity],
  ]);
  expect(values('1e3, .5, 1., -0, 1_000.5, 0x1f, -0x1F, 0b101, +2.5e-3')).toEqual([
    ...[1000, 0.5, 1, -0, 1000.5, 31, -31, 5, 0.0025],
  ]);
  expect(values('[[1. 2.]\n [3.5 4. ]]')).toEqual([1, 2, 3.5, 4]);
  expect(values('array([[1., 2.],\n       [3., 4.]], dtype=float32)')).toEqual([1, 2, 3, 4]);
  expect(values('np.array([1, 2], np.float32)')).toEqual([1, 2]);
  expect(values("tensor([1., 2.], device='cuda:0', grad_fn=<AddBackward0>)")).toEqual([1, 2]);
  expect(values('array(5.)')).toEqual([5]);
});

test('integers of 64 bits are bigints, of fewer bits numbers; what the type cannot hold is left to the library', () => {
  expect(values('1, -2, 0x10', 'int64')).toEqual([1n, -2n, 16n]);
  expect(values('18446744073709551615', 'uint64')).toEqual([18446744073709551615n]);
  expect(values('1, 0x10, 0b11, 1.', 'uint8')).toEqual([1, 16, 3, 1]);
  expect(values('1.5', 'int64')).toEqual([1.5]);
  expect(values('300, -1', 'uint8')).toEqual([300, -1]);
  expect(values('7 -8', 'int4')).toEqual([7, -8]);
});

test('booleans are words or 1 and 0', () => {
  expect(values('true, False True 0 1 false', 'bool')).toEqual([true, false, true, false, true, false]);
  expect(values('2', 'bool')).toEqual([2]);
  expect(refusal(() => values('yes', 'bool'))).toBe("element 0 is 'yes', expected True or False");
  expect(refusal(() => values('constructor', 'bool'))).toContain("'constructor'");
});

test('complex numbers are two numbers each, as Python and NumPy write them', () => {
  expect(values('1+2j, (1-2.5j), 3j, 1, -1e-3+2e+3j, 2e-3j, nan+infj, -inf-nanj', 'complex64')).toEqual([
    ...[1, 2, 1, -2.5, 0, 3, 1, 0, -1e-3, 2e3, 0, 2e-3, NaN, Infinity, -Infinity, NaN],
  ]);
  expect(values('[1.5+2.j   1. +0.25j 2. -1.j  ]', 'complex128')).toEqual([1.5, 2, 1, 0.25, 2, -1]);
  expect(values('1 + 2j, 3j -4j\n5\n-6j', 'complex64')).toEqual([1, 2, 0, 3, 0, -4, 5, 0, 0, -6]);
  expect(values('[-0-0j]', 'complex64')).toEqual([-0, -0]);
  for (const word of ['j', '1+j', '1++2j', '+-2j', '1+2i', '1j2']) {
    expect(refusal(() => values(word, 'complex64'))).toContain(`'${word}'`);
  }
});

test('strings are quoted as in JSON or Python, or bare between commas', () => {
  expect(parseStrings('["a", "b\\n\\u00e9\\\\", ""]')).toEqual(['a', 'b\n\u00e9\\', '']);
  expect(parseStrings("['it\\'s' 'x\\x41\\U0001f9f6'\n \"]\"]")).toEqual(["it's", 'xA\u{1f9f6}', ']']);
  expect(parseStrings("array(['a', 'b, c'], dtype='<U4')")).toEqual(['a', 'b, c']);
  expect(parseStrings("warp and weft, don't ,\u7ecf\nlast")).toEqual(['warp and weft', "don't", '\u7ecf', 'last']);
  expect(parseStrings("'\\q\\0\\101'")).toEqual(['\\q\0A']);
  expect(parseStrings('')).toEqual([]);
  expect(refusal(() => parseStrings('a, "b'))).toBe(`the string '"b' at character 4 has no closing quote`);
  expect(refusal(() => parseStrings('"\\u12g4"'))).toContain("'\\u12g4'");
  expect(refusal(() => parseStrings("['a' ... 'b']"))).toContain('the text leaves out');
});

test.each([
  ['[1 2 ... 9]', ['element 2', "'...'", 'the text leaves out']],
  ['1, abc', ["element 1 is 'abc', expected a number"]],
  ['1, null', ["'null'"]],
  ['[[1, 2], [3, 4]', ["'['", 'never closed']],
  ['array([1, 2]', ["'array('", 'never closed']],
  ['array([1, 2]) + 1', ["'+ 1' follows the array"]],
  ['1.2.3', ["'1.2.3'"]],
])('%j is refused', (text, says) => {
  const message = refusal(() => values(text));
  for (const part of says) expect(message).toContain(part);
});

test('values of a type that ONNX does not have are read, so that the library can refuse them', () => {
  expect(parseValues('1, 2', undefined)).toEqual([1, 2]);
});

test.each([
  ['[1, 2, 3]', [3]],
  ['[[1, 2], [3, 4], [5, 6]]', [3, 2]],
  ['[[1 2]\n [3 4]]', [2, 2]],
  ['[[[1], [2]]]', [1, 2, 1]],
  ['((1, 2), (3, 4))', [2, 2]],
  ['[(1+2j), (3-1j)]', [2]],
  ['[1. +2.j 3.5+4.j]', [2]],
  ['(1+2j)', []],
  ['(1,)', [1]],
  ['[1, 2], [3, 4]', [2, 2]],
  ['[1, 2],', [2]],
  ['[]', [0]],
  ['[[], []]', [2, 0]],
  ['["a]", "b"]', [2]],
])('the nesting of %j means dims %j', (text, dims) => {
  expect(readPasted(text)).toEqual({ dims, type: undefined, text });
});

test('the dtype in a printed NumPy array gives the type, and an empty array its dims', () => {
  expect(readPasted('array([[1., 2.]], dtype=float32)')).toEqual({ dims: [1, 2], type: 'float32', text: '[[1., 2.]]' });
  expect(readPasted('array([], shape=(0, 3), dtype=int64)')).toEqual({ dims: [0, 3], type: 'int64', text: '[]' });
  expect(readPasted('array(7, dtype=int8)')).toEqual({ dims: [], type: 'int8', text: '7' });
  const types: { [dtype: string]: DataType | undefined } = {
    'np.float16': 'float16',
    "'float8_e5m2'": 'float8e5m2',
    bfloat16: 'bfloat16',
    float8_e8m0fnu: 'float8e8m0',
    float4_e2m1fn: 'float4e2m1',
    'torch.bool': 'bool',
    "'<U3'": 'string',
    object: 'string',
    int4: 'int4',
    constructor: undefined,
  };
  for (const [dtype, type] of Object.entries(types)) expect(readPasted(`array([1], dtype=${dtype})`)?.type).toBe(type);
});

test('a flat list without brackets is not taken for pasted text', () => {
  for (const text of ['', '1, 2', '1 2\n3 4', '"[1]"']) expect(readPasted(text)).toBe(undefined);
});

test.each([
  ['[[1, 2], [3]]', 'part 1 has dims [1], the parts before it [2]'],
  ['[1, [2]]', 'part 1 has dims [1], the parts before it []'],
  ['[[1], 2]', 'part 1 has dims [], the parts before it [1]'],
])('the ragged list %j is refused', (text, says) => {
  expect(refusal(() => readPasted(text))).toContain(says);
});

test('texts of any size and depth are read without exhausting the stack', () => {
  const list = `[${'[1.5, -2],\n'.repeat(500_000)}]`;
  expect(readPasted(list)?.dims).toEqual([500_000, 2]);
  expect(values(list).length).toBe(1_000_000);
  expect(refusal(() => values('['.repeat(1_000_000)))).toContain('nested deeper');
  expect(refusal(() => readPasted('['.repeat(1_000_000)))).toContain('nested deeper');
  expect(parseStrings(`"${'\\n'.repeat(1_000_000)}"`)[0]?.length).toBe(1_000_000);
});
