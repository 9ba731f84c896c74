// TensorProto files that are refused (semantics.md, section 2).
import { test } from '@jest/globals';
import { load } from 'broadloom';
import * as proto from '../../shared/onnx.js';
import { expectRefusal } from './helpers/runtime.js';

const ops = await load({});
const { tensorHead } = proto;
const field = proto.numbers.tensor;

const external = (...entries: [string, string][]): Uint8Array =>
  proto.concat(
    tensorHead('int8', [1]),
    proto.integer(field.data_location, 1),
    ...entries.map(([key, value]) =>
      proto.bytes(field.external_data, proto.concat(proto.bytes(1, key), proto.bytes(2, value))),
    ),
  );

test('external data of a tensor file is refused, with its name and where files can be given', () => {
  expectRefusal(ops, () => ops.readTensor(external(['location', 'weights.bin'], ['offset', '0'])), {
    code: 'INVALID_MODEL',
    says: ["'weights.bin'", 'loadModel takes the option external'],
  });
});

test.each([
  ['a path', 'x', 'write await readFile(path), or new Uint8Array(await (await fetch(url)).arrayBuffer())'],
  ['a URL', new URL('https://example.com/x.onnx'), 'await readFile(path)'],
  ['an ArrayBuffer', new ArrayBuffer(8), 'ArrayBuffer, wanted a Uint8Array: write new Uint8Array(buffer)'],
  ['a Blob', new Blob([]), 'write new Uint8Array(await blob.arrayBuffer())'],
  ['a Response', new Response(''), 'write new Uint8Array(await response.arrayBuffer())'],
  ['a promise', Promise.resolve(new Uint8Array(8)), 'Promise, wanted a Uint8Array: await it before the call'],
  ['an Int8Array', new Int8Array(8), 'write new Uint8Array(array.buffer, array.byteOffset, array.byteLength)'],
  ['a list', [1, 2], 'write Uint8Array.from(list)'],
  ['nothing', undefined, 'undefined, wanted a Uint8Array'],
])('%s is refused as a file, and the message says how to make bytes of it', (_what, bytes, says) => {
  expectRefusal(ops, () => ops.readTensor(bytes as never), {
    code: 'INVALID_ARGUMENT',
    says: ['readTensor: bytes are', 'wanted a Uint8Array', says],
  });
  expectRefusal(ops, () => ops.loadModel(bytes as never), {
    code: 'INVALID_ARGUMENT',
    says: ['loadModel: bytes are', 'wanted a Uint8Array', says],
  });
});

test('bytes of another format are refused by the name of that format', () => {
  const page = new TextEncoder().encode('<!doctype html><title>Not found</title>');
  const says = ['not an ONNX file, but an HTML page'];
  expectRefusal(ops, () => ops.readTensor(page), { code: 'INVALID_MODEL', says });
  expectRefusal(ops, () => ops.loadModel(page, { allowUnsupported: true }), { code: 'INVALID_MODEL', says });
  expectRefusal(ops, () => ops.simplify(page), { code: 'INVALID_MODEL', says });
  expectRefusal(ops, () => ops.readTensor(new Uint8Array(0)), { code: 'INVALID_MODEL', says: ['the file is empty'] });
});
