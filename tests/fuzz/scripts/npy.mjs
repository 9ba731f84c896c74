// Any bytes as a .npy file: there are the elements that its dims ask for, or an NpyError. Elements are written so that the same
// are read.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../tools/run.mjs';
import { header, npy } from '../../cli/helpers.mjs';
import { bundle } from './bundle.mjs';
import { changed } from './mutate.mjs';

const { NpyError, readNpy, writeNpy } = await bundle(
  'npy',
  'export * from "./shared/npy.ts"; export * from "./shared/npy-error.ts"',
);

function seeds() {
  const bytes = (count) => Buffer.from({ length: count }, (_, i) => (i * 37) % 251);
  const files = [
    npy(header("'<f4'", '(2, 3)'), bytes(24)),
    npy(header("'>i8'", '(3,)', 'True'), bytes(24)),
    npy(header("'|b1'", '()'), Buffer.from([1])),
    npy(header("'<U3'", '(2,)'), Buffer.from('a\0\0\0b\0\0\0\0\0\0\0\xac\x20\0\0\0\0\0\0\0\0\0\0', 'latin1')),
    npy(header("'|S2'", '(2, 1)'), Buffer.from('a\0bc')),
    npy(header("'<c16'", '(2, 2)', 'True'), bytes(64), 2),
    npy(header("'<V2'", '(0, 4)'), Buffer.alloc(0), 3),
  ];
  const { cases = [] } = JSON.parse(readFileSync(join(root, 'tests/data/numpy.json'), 'utf8'));
  for (const one of cases) if (typeof one.file === 'string') files.push(Buffer.from(one.file, 'base64'));
  return files;
}

const read = (bytes) => {
  try {
    return readNpy(bytes);
  } catch (error) {
    if (error instanceof NpyError && error.message !== '') return undefined;
    throw error;
  }
};

export function check(file) {
  const bytes = new Uint8Array(file);
  const found = read(bytes);
  assert.deepEqual(bytes, new Uint8Array(file), 'the bytes of the file changed');
  if (!found) return;
  const again = read(writeNpy(found.type, found.dims, found.bytes));
  assert.ok(again, 'what is written is not read');
  assert.deepEqual([again.type, again.dims], [found.type, found.dims]);
  assert.deepEqual(new Uint8Array(again.bytes), new Uint8Array(found.bytes));
}

const files = seeds();
export const make = (random) => changed(random, files);
export const show = (bytes) => Buffer.from(bytes).toString('base64');
export const take = (text) => new Uint8Array(Buffer.from(text, 'base64'));
