import type { TypeRow } from '../facts.js';

/** The typed array that holds elements of a type; none for strings. */
export function typedArrayOf({ array }: TypeRow): Float32ArrayConstructor {
  return (globalThis as unknown as Record<string, Float32ArrayConstructor>)[array] as Float32ArrayConstructor;
}
