import type { DataType, IntegerArray, SparseTensorLike, TensorLike } from './types.js';

/** An object with one of the properties `K` of `T`, and none of the others. */
type One<T, K extends keyof T> = {
  [J in K]: { [N in J]: T[N] } & { [N in Exclude<keyof T, J>]?: undefined };
}[K];

/** The values of Constant. A call gives one. */
export interface ConstantValues<T extends DataType> {
  /** The tensor itself, of any type. */
  value: TensorLike<T>;
  /** Gives the dense tensor; from opset 11. */
  sparse_value: SparseTensorLike<T>;
  /** Gives a float32 scalar; from opset 12, as all below. */
  value_float: number;
  /** Gives float32 with one axis. */
  value_floats: readonly number[] | Float32Array | Float64Array | Exclude<IntegerArray, BigInt64Array | BigUint64Array>;
  /** Gives an int64 scalar. */
  value_int: number | bigint;
  /** Gives int64 with one axis. */
  value_ints: readonly (number | bigint)[] | IntegerArray;
  /** Gives a string scalar. */
  value_string: string;
  /** Gives strings with one axis. */
  value_strings: readonly string[];
}

/** The attribute of [Constant](https://github.com/onnx/onnx/blob/main/docs/Operators.md#Constant): exactly one of these. */
export type ConstantAttributes<T extends DataType = DataType> = One<ConstantValues<T>, keyof ConstantValues<T>>;

/** The attribute of Constant, if it is one of `K`. */
export type ConstantOf<K extends keyof ConstantValues<T>, T extends DataType = DataType> = One<ConstantValues<T>, K>;

/** The types that versions of ConstantOfShape make. */
export type FillType = Exclude<DataType, 'string' | 'complex64' | 'complex128'>;

/** Attributes of [ConstantOfShape](https://github.com/onnx/onnx/blob/main/docs/Operators.md#ConstantOfShape). */
export interface ConstantOfShapeAttributes {
  /** A tensor of one element, which the output has in every place. Default: float32 zero. From opset 9 on. */
  value?: TensorLike | undefined;
}
