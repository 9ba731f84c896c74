import { type Elements, valuesOf } from './nested.js';
import type { DataType, DataTypeMap, Dtype } from './types.js';

/** A tensor as a plain object, with elements of its own. Made by {@link Tensor.toMessage}. */
export interface TensorMessage<T extends DataType = DataType> {
  /** Name of the element type. */
  readonly type: T;
  /** Sizes of the axes, outermost first; empty for a scalar. */
  readonly dims: readonly number[];
  /** The elements, as {@link Tensor.data} has them. */
  readonly data: DataTypeMap<ArrayBuffer>[T];
}

/** A tensor as JSON has it. Made by {@link Tensor.toJSON}. */
export interface TensorJson<T extends DataType = DataType> {
  /** Name of the element type. */
  readonly type: T;
  /** Sizes of the axes, outermost first; empty for a scalar. */
  readonly dims: readonly number[];
  /** The values in row-major order, two for each complex number. A string stands for a number that JSON does not have. */
  readonly data: readonly (number | string)[];
}

/** @internal */
export function messageOf<T extends DataType>(tensor: Elements<T>): TensorMessage<T> {
  return { type: tensor.type, dims: [...tensor.dims], data: tensor.toArray() };
}

function toPlain(value: number | bigint | string): number | string {
  if (typeof value === 'string') return value;
  const number = Number(value);
  if (typeof value === 'bigint' && !Number.isSafeInteger(number)) return String(value);
  if (Object.is(number, -0)) return '-0';
  return Number.isFinite(number) ? number : String(number);
}

/** @internal */
export function jsonOf<T extends DataType>(tensor: Elements<T>, dtype: Dtype): TensorJson<T> {
  const values = valuesOf(tensor as unknown as Elements, dtype);
  return { type: tensor.type, dims: [...tensor.dims], data: Array.from(values, toPlain) };
}

/** The number that a string of JSON stands for; all else as it is. @internal */
export function fromPlain(value: unknown): unknown {
  if (value === '-0') return -0;
  if (typeof value !== 'string') return value;
  return /^-?\d{1,20}$/.test(value) ? BigInt(value) : /^(NaN|-?Infinity)$/.test(value) ? Number(value) : value;
}
