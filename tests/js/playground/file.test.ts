// Files that are dropped on the playground: their contents decide their kind, not their names.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from '@jest/globals';
import { load } from 'broadloom';
import type { TensorDraft } from '../../../web-demo/src/drafts.js';
import { type FileDraft, readTensorFile } from '../../../web-demo/src/values/file.js';
import { type FileTensor, writeNpy } from '../../../web-demo/src/values/npy.js';
import { npyFixtures } from '../helpers/npy-fixtures.js';

const ops = await load();

/** Reads a file as the page's worker does. */
async function readTensor(file: Uint8Array): Promise<FileTensor> {
  return ops.scope(() => {
    const { type, dims, data } = ops.readTensor(file);
    const { buffer, byteOffset, byteLength } = data as Uint8Array;
    return { type, dims: [...dims], bytes: new Uint8Array(buffer, byteOffset, byteLength).slice() };
  });
}

function isModel(file: Uint8Array): boolean {
  try {
    ops.loadModel(file, { allowUnsupported: true }).dispose();
    return true;
  } catch {
    return false;
  }
}

function read(content: Uint8Array | string, name: string, type = ''): Promise<FileDraft> {
  return readTensorFile(new File([content as BlobPart], name, { type }), readTensor, isModel, 'input');
}

async function drop(content: Uint8Array | string, name: string, type = ''): Promise<TensorDraft> {
  return (await read(content, name, type)).draft;
}

test.each(npyFixtures.slice(0, 3))(
  'a .npy file becomes bytes under its name: $title',
  async ({ type, dims, expected, file }) => {
    const draft = await drop(new Uint8Array(Buffer.from(file, 'base64')), 'weft.txt');
    expect(draft).toEqual({
      type,
      dims: dims.join(', '),
      values: { kind: 'file', name: 'weft.txt', bytes: new Uint8Array(Buffer.from(expected as string, 'hex')) },
    });
  },
);

test.each([[[]], [[2, 3]], [[0]]])('a TensorProto of dims %j becomes bytes under its name', async (dims) => {
  const size = dims.reduce((product, dim) => product * dim, 1);
  const data = Int16Array.from({ length: size }, (_, i) => i - 2);
  const file = ops.writeTensor({ type: 'int16', dims, data });
  const bytes = new Uint8Array(data.buffer);
  expect(await drop(file, 'a.json')).toEqual({
    type: 'int16',
    dims: dims.join(', '),
    values: { kind: 'file', name: 'a.json', bytes },
  });
});

test.each([
  ['[[1, 2], [3, 4]]', 'int64', '2, 2', undefined],
  ['[[1.5, 2]]', 'float32', '1, 2', undefined],
  ['1 2 3', 'int64', '3', undefined],
  ['1e3', 'float32', '1', undefined],
  ['[true, false]', 'bool', '2', undefined],
  ['["a", "1.5"]', 'string', '2', undefined],
  ['[1+2j, 3j]', 'complex64', '2', undefined],
  ['array([[1, 2]], dtype=int8)', 'int8', '1, 2', '[[1, 2]]'],
])('the text %j stays a text that can be edited', async (text, type, dims, list) => {
  expect(await drop(text, 'a.bin')).toEqual({ type, dims, values: { kind: 'text', text: list ?? text } });
});

test.each([
  ['[[1, 2], [3]]', 'ragged'],
  ['hello', "element 0 is 'hello'"],
])('the text %j is refused', async (text, says) => {
  await expect(drop(text, 'a.txt')).rejects.toThrow(says);
});

test('a file of an unknown kind is refused by the library, as a TensorProto', async () => {
  await expect(drop(Uint8Array.of(0x51, 0x4b, 3, 4, 0xff, 0xff), 'a.bin')).rejects.toMatchObject({ name: 'OnnxError' });
});

const { zipSync } = createRequire(new URL('../../../web-demo/package.json', import.meta.url))('fflate');
const int8 = (...elements: number[]): Uint8Array => writeNpy('int8', [elements.length], Uint8Array.from(elements));

test('the only array of a .npz file is taken, and of several the one with the name of the input', async () => {
  const values = { kind: 'file', name: 'a.npz', bytes: Uint8Array.of(1, 2) };
  const one = await read(zipSync({ 'arr_0.npy': int8(1, 2) }), 'a.npz');
  expect(one).toEqual({ draft: { type: 'int8', dims: '2', values }, note: undefined });
  const two = await read(zipSync({ 'x.npy': int8(3), 'input.npy': int8(1, 2) }), 'a.npz');
  expect(two).toEqual({ draft: { type: 'int8', dims: '2', values }, note: { what: 'npzChosen', values: ["'input'"] } });
});

test.each([
  ['several arrays of other names', zipSync({ 'x.npy': int8(3), 'y.npy': int8(4) }), "2 arrays ('x', 'y'), and none"],
  ['no array', zipSync({ 'a.txt': int8(1) }), 'an archive without .npy files'],
  ['an end that is cut off', zipSync({ 'x.npy': int8(1) }).slice(0, -9), 'cannot be read'],
])('an archive with %s says so', async (_, file, says) => {
  await expect(read(file, 'a.npz')).rejects.toThrow(says);
});

test('an empty file and a model say what they are', async () => {
  await expect(drop('', 'a.npy')).rejects.toThrow("the file 'a.npy' is empty");
  const model = readFileSync(new URL('../../../web-demo/public/samples/zeros-like.onnx', import.meta.url));
  await expect(drop(model, 'a.pb')).rejects.toMatchObject({ finding: { what: 'modelFile', values: ["'a.pb'"] } });
});

test.each([
  ['{"type": "int64", "dims": [1, 2], "data": [9007199254740993, -1]}', 'int64', '1, 2', '[9007199254740993, -1]'],
  ['{"dtype": "np.float16", "shape": [2], "data": [NaN, -Infinity]}', 'float16', '2', '[NaN, -Infinity]'],
  ['{"type":"float32","dims":[2],"cpuData":{"0":1,"1":2.5},"size":2}', 'float32', '2', '[1, 2.5]'],
  ['{"data": [[1, 2], [3, 4]]}', 'int64', '2, 2', '[[1, 2], [3, 4]]'],
  ['{"data": ["1", "a\\"b"]}', 'string', '2', '["1", "a\\"b"]'],
  ['{"type": "int64", "data": ["5"]}', 'int64', '1', '[5]'],
])('the JSON object %s is a tensor', async (text, type, dims, list) => {
  expect(await drop(text, 'a.json')).toEqual({ type, dims, values: { kind: 'text', text: list } });
});

test.each([
  ['{"a": 1}', 'the JSON object is not a tensor'],
  ['{"type": "float31", "data": [1]}', "'float31' is not an ONNX element type"],
  ['{"data": [1, 2', 'the JSON object is not a tensor'],
  ['{"data": [[1], 2]}', 'ragged'],
])('the JSON object %s is refused', async (text, says) => {
  await expect(drop(text, 'a.json')).rejects.toThrow(says);
});

test.each([
  ['width,height\r\n1,2\r\n3,4\r\n', 'int64', '2, 2', '1, 2,\n3, 4', "'width,height'"],
  ['"a;b"; c\n1.5;2', 'float32', '1, 2', '1.5, 2', `'"a;b"; c'`],
  ['x\n1\n2\n', 'int64', '2', '1,\n2', "'x'"],
])('the table %j gives the numbers below its heading, and says so', async (text, type, dims, list, heading) => {
  expect(await read(text, 'a.csv')).toEqual({
    draft: { type, dims, values: { kind: 'text', text: list } },
    note: { what: 'csvHeading', values: [heading] },
  });
});

test('a table without a heading has rows and columns', async () => {
  expect(await read('1,2\n3,4', 'a.csv')).toMatchObject({ draft: { dims: '2, 2' }, note: undefined });
  expect(await read('1,2\n3,4', 'a.txt')).toMatchObject({ draft: { dims: '4' } });
});
