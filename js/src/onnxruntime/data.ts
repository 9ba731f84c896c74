import { arrayName } from '../basics/typed-arrays.js';
import type { DataType } from '../entries/index.js';
import type { DataOf } from './tensor.js';

/** The elements of a tensor: a typed array, or a list of strings. */
export type AnyData = DataOf<DataType>;

// float16 is an array of bits, of values where the engine has such an array.
export const { Float16Array } = globalThis as { Float16Array?: Uint16ArrayConstructor };

/** The elements as programs for onnxruntime expect them: float16 in a Float16Array where there is one. */
export function dataForPrograms(type: DataType, data: AnyData): AnyData {
  if (type !== 'float16' || Float16Array === undefined || arrayName(data) !== 'Uint16Array') return data;
  const { buffer, byteOffset, length } = data as Uint16Array;
  return new Float16Array(buffer as ArrayBuffer, byteOffset, length);
}

/** How much an array or a list can take. */
export const sizeOf = (data: unknown): number | undefined =>
  ArrayBuffer.isView(data) ? data.byteLength : (data as { length?: number } | null)?.length;

/** A copy of elements. Any other value, and a detached array, is refused later, as it is. */
export const copyOf = (data: unknown): unknown =>
  Array.isArray(data) || (arrayName(data) !== undefined && sizeOf(data)) ? (data as Uint8Array).slice() : data;
