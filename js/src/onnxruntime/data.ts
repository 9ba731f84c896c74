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
