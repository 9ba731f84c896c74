import { invalidArgument } from './error.js';

/*
 * Facts about typed arrays by the engine's own account. A subclass can say that it is longer than it is, or another type: its
 * getters are code of the user's, and memory must not be written by what they claim.
 */

const prototype = Object.getPrototypeOf(Uint8Array.prototype) as object;

function ownGetter<R>(name: string | symbol): (array: ArrayBufferView) => R {
  const getter = Object.getOwnPropertyDescriptor(prototype, name)?.get as () => R;
  return (array) => getter.call(array);
}

const tag = ownGetter<string | undefined>(Symbol.toStringTag);
const bufferOf = ownGetter<ArrayBuffer>('buffer');
const byteOffset = ownGetter<number>('byteOffset');
const byteLength = ownGetter<number>('byteLength');

/** How many entries it has; 0 when its buffer was taken away. */
export const lengthOf = ownGetter<number>('length');

/** `Float32Array` and the like for a typed array, whatever class it is of; undefined for everything else. */
export function arrayName(value: unknown): string | undefined {
  return ArrayBuffer.isView(value) ? tag(value) : undefined;
}

/** Where the bytes of a typed array lie. */
export interface Bytes {
  readonly buffer: ArrayBuffer;
  readonly offset: number;
  readonly length: number;
}

/** Fails for an array whose buffer was transferred, or was the wasm memory before it grew: its elements are gone. */
export function bytesOf(array: ArrayBufferView, what: string): Bytes {
  const buffer = bufferOf(array);
  try {
    new Uint8Array(buffer); // throws for a detached one; younger engines have a property for it
  } catch {
    throw invalidArgument(
      `${what} lie in a buffer that was detached: it was transferred, or the memory has grown since`,
    );
  }
  return { buffer, offset: byteOffset(array), length: byteLength(array) };
}
