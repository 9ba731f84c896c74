// Reading and writing .npy files. NumPy wrote the files in helpers/npy-fixtures.ts.
import { expect, test } from '@jest/globals';
import { type DataType, dataTypes, load } from 'broadloom';
import { ListError } from '../../../web-demo/src/values/list-error.js';
import { isNpy, readNpy, writeNpy } from '../../../web-demo/src/values/npy.js';
import { foreignNpy, npyFixtures } from '../helpers/npy-fixtures.js';
import { sampleTensor } from '../helpers/runtime.js';
import { bytesOf, typeRow } from '../helpers/types.js';

const ops = await load();
const fromBase64 = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'base64'));
const json = (strings: readonly string[]): Uint8Array => new TextEncoder().encode(JSON.stringify(strings));

test.each(npyFixtures)('NumPy\u2019s file is read: $title', ({ type, dims, expected, file }) => {
  const tensor = readNpy(fromBase64(file));
  expect({ type: tensor.type, dims: tensor.dims }).toEqual({ type, dims });
  if (typeof expected === 'string') expect(Buffer.from(tensor.bytes).toString('hex')).toBe(expected);
  else expect(JSON.parse(Buffer.from(tensor.bytes).toString())).toEqual(expected);
});

test.each(npyFixtures.filter(({ title }) => !/endian|Fortran|version|S strings|uint16/.test(title)))(
  'the same file is written as NumPy wrote it: $title',
  ({ type, dims, expected, file }) => {
    const bytes = typeof expected === 'string' ? new Uint8Array(Buffer.from(expected, 'hex')) : json(expected);
    const padding = (header: string): string => header.replace(/ *\n/, '\n'); // 1.24 leaves room for more digits
    const [written, wanted] = [writeNpy(type as DataType, dims, bytes), fromBase64(file)].map((npy) =>
      padding(Buffer.from(npy).subarray(10).toString('latin1')),
    );
    expect(written).toBe(wanted);
  },
);

const known = dataTypes.filter(({ kind, name }) => kind !== 'mini_float' || name === 'float16');

test.each(known.filter(({ bits }) => bits >= 8))(
  '$name elements are written and read back, of any dims',
  ({ name }) => {
    const { sample, array } = typeRow(name);
    const bytes = array === undefined ? json(['a', 'b\u{1f9f6}', '', 'd', '"', 'f']) : bytesOf(sample as never);
    for (const dims of [[2, 3], [6], [1, 2, 1, 3], Array(700).fill(1).concat(6), Array(30_000).fill(1).concat(6)]) {
      const file = writeNpy(name, dims, bytes);
      expect(isNpy(file)).toBe(true);
      expect((file.length - (array === undefined ? 24 * 2 : bytes.length)) % 64).toBe(0);
      const tensor = readNpy(file);
      expect([tensor.type, tensor.dims]).toEqual([name, dims]);
      expect(Buffer.from(tensor.bytes).equals(bytes)).toBe(true);
    }
  },
);

test.each(dataTypes.filter(({ bits }) => bits < 8))('$name elements are written one byte each', ({ name, kind }) => {
  ops.scope(() => {
    const tensor = sampleTensor(ops, name);
    const file = writeNpy(name, tensor.dims, tensor.data as Uint8Array);
    const header = Buffer.from(file.subarray(0, 128)).toString('latin1');
    const elements = file.slice(-6);
    if (kind === 'mini_float') {
      expect(header).toContain("'descr': '<V1'");
      expect([...elements]).toEqual([1, 2, 8, 15, 14, 7]);
    } else {
      expect(header).toContain(`'descr': '|${name.startsWith('u') ? 'u1' : 'i1'}'`);
      expect([...(name.startsWith('u') ? elements : new Int8Array(elements.buffer))]).toEqual(tensor.unpack());
    }
  });
});

test.each([
  ['bfloat16', '<V2'],
  ['float8e4m3fn', '<V1'],
  ['float8e8m0', '<V1'],
] as const)('%s elements are written as ml_dtypes does, as %s', (type, descr) => {
  const bytes = bytesOf(typeRow(type).sample as never);
  const file = writeNpy(type, [6], bytes);
  expect(Buffer.from(file.subarray(0, 128)).toString('latin1')).toContain(`'descr': '${descr}'`);
  expect(file.slice(-bytes.length)).toEqual(new Uint8Array(bytes));
  expect(() => readNpy(file)).toThrow(descr);
});

test.each(foreignNpy)('elements of dtype %s are refused by name', (descr, file) => {
  expect(() => readNpy(fromBase64(file))).toThrow(ListError);
  expect(() => readNpy(fromBase64(file))).toThrow(descr.slice(0, 30));
});

test('files cut short anywhere are refused', () => {
  const whole = fromBase64(npyFixtures[0].file);
  for (let length = 0; length < whole.length; length++) {
    expect(() => readNpy(whole.subarray(0, length))).toThrow(ListError);
  }
  expect(readNpy(whole).dims).toEqual([2, 3]);
});

test.each([
  ['no magic number', (bytes: Uint8Array) => bytes.fill(0, 0, 1), 'not a .npy file'],
  ['an unknown version', (bytes: Uint8Array) => bytes.fill(4, 6, 7), 'version 4.0'],
  ['a header that is not a dict', (bytes: Uint8Array) => bytes.fill(32, 10, 40), 'cannot be read'],
  ['an absurd shape', (bytes: Uint8Array) => withText(bytes, '(2, 3)', '(9, 9)'), 'takes 324'],
])('a file with %s is refused', (_what, change, says) => {
  const bytes = fromBase64(npyFixtures[0].file);
  expect(() => readNpy(change(bytes))).toThrow(says);
});

function withText(bytes: Uint8Array, from: string, to: string): Uint8Array {
  return new Uint8Array(Buffer.from(Buffer.from(bytes).toString('latin1').replace(from, to), 'latin1'));
}
