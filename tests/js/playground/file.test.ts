// Files that are dropped on the playground: told by what is in them, whatever their names say.
import { expect, test } from '@jest/globals';
import { load } from 'broadloom';
import type { TensorDraft } from '../../../web-demo/src/drafts.js';
import { readTensorFile } from '../../../web-demo/src/values/file.js';
import type { FileTensor } from '../../../web-demo/src/values/npy.js';
import { npyFixtures } from '../helpers/npy-fixtures.js';

const ops = await load();

/** What the page's worker does. */
async function readTensor(file: Uint8Array): Promise<FileTensor> {
  return ops.scope(() => {
    const { type, dims, data } = ops.readTensor(file);
    const { buffer, byteOffset, byteLength } = data as Uint8Array;
    return { type, dims: [...dims], bytes: new Uint8Array(buffer, byteOffset, byteLength).slice() };
  });
}

function drop(content: Uint8Array | string, name: string, type = ''): Promise<TensorDraft> {
  return readTensorFile(new File([content as BlobPart], name, { type }), readTensor);
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

test('what is nothing of all this is refused by the library, as a TensorProto', async () => {
  await expect(drop(Uint8Array.of(0x50, 0x4b, 3, 4, 0xff, 0xff), 'a.zip')).rejects.toMatchObject({ name: 'OnnxError' });
});
