import { invalidArgument } from './error.js';

/*
 * Facts about typed arrays by the engine's own account. A subclass can claim another length or another type: its getters are the
 * user's code. Memory must not be written by their claims.
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
const { keys } = prototype as { keys(): unknown };

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

/**
 * Fails for an array whose buffer was transferred, was the wasm memory before it grew, or shrank to less than the array: its
 * elements are gone.
 */
export function bytesOf(array: ArrayBufferView, what: string): Bytes {
  const buffer = bufferOf(array);
  try {
    keys.call(array); // throws for an array without elements to look at; younger engines have a property for that
  } catch {
    throw invalidArgument(
      `${what} lie in a buffer that was detached, or is too small now: it was transferred or resized, or the memory has grown since`,
    );
  }
  return { buffer, offset: byteOffset(array), length: byteLength(array) };
}
