import { invalidArgument, type OnnxError } from './error.js';
import { show, tagOf } from './show.js';
import { arrayName } from './typed-arrays.js';

/** The code that makes bytes of other values, by their tags. */
const ways: { readonly [tag: string]: string } = {
  ArrayBuffer: 'new Uint8Array(buffer)',
  SharedArrayBuffer: 'new Uint8Array(buffer)',
  Blob: 'new Uint8Array(await blob.arrayBuffer())',
  File: 'new Uint8Array(await file.arrayBuffer())',
  Response: 'new Uint8Array(await response.arrayBuffer())',
  ReadableStream: 'new Uint8Array(await new Response(stream).arrayBuffer())',
  Array: 'Uint8Array.from(list)',
  String: 'await readFile(path), or new Uint8Array(await (await fetch(url)).arrayBuffer())',
};
const sameWay: { readonly [tag: string]: string } = { URL: 'String', Request: 'String' };

/** The error of something else in the place of a file's bytes. `what` says where, and ends in `is ` or `are `. */
export function noBytes(what: string, value: unknown, wanted = 'a Uint8Array'): OnnxError {
  return invalidArgument(`${what}${show(value)}, wanted ${wanted}${advice(value)}`);
}

function advice(value: unknown): string {
  if (typeof (value as { then?: unknown } | null | undefined)?.then === 'function') return ': await it before the call';
  if (ArrayBuffer.isView(value)) return ': write new Uint8Array(array.buffer, array.byteOffset, array.byteLength)';
  const tag = tagOf(value);
  const way = ways[sameWay[tag] ?? tag];
  return way === undefined ? '' : `: write ${way}`;
}

/** The bytes of a file that `method` was given. */
export function checkedFile(method: string, bytes: unknown): Uint8Array {
  if (arrayName(bytes) === 'Uint8Array') return bytes as Uint8Array;
  throw noBytes(`${method}: bytes are `, bytes);
}
