import { invalidArgument } from '../basics/error.js';
import { takesAtMost } from '../basics/superfluous.js';
import type { ConstantAttributes, ConstantOf, FillType } from '../tensor/constant-types.js';
import type { RangeAttributes } from '../tensor/range-types.js';
import type { AnyTensor, Tensor } from '../tensor/tensor.js';
import type { DataType, NumberOf, OperatorOptions, Perhaps, ShapeLike, TensorLike } from '../tensor/types.js';
import type { RangeType } from './operators.generated.js';
import { readArguments, type TypedCall } from './typed.js';

/** The methods of operators whose results have a type that follows from values: their signatures are written by hand. */
export interface ConstantOperators {
  /**
   * [Constant](https://github.com/onnx/onnx/blob/main/docs/Operators.md#Constant): the tensor that the one given attribute
   * holds. `value_float(s)` gives float32, `value_int(s)` int64, `value_string(s)` string, each as a scalar or with one axis;
   * `sparse_value` gives the dense tensor.
   *
   * @param attributes - exactly one attribute, with its value
   * @param options - `opset`, which picks the operator's version
   * @throws {@link OnnxError} `INVALID_ARGUMENT` for none or two of them, and for one that the opset's version does not have;
   * `UNSUPPORTED_TYPE`, `OUT_OF_MEMORY`, `DISPOSED`
   *
   * @example
   * ```ts
   * ops.constant({ value_floats: [1, 2] }); // float32 [2]
   * ```
   */
  constant<T extends DataType>(attributes: ConstantOf<'value', T>, options?: OperatorOptions): Tensor<T>;
  /**
   * [Constant](https://github.com/onnx/onnx/blob/main/docs/Operators.md#Constant) of `sparse_value`: the dense tensor.
   *
   * @param attributes - `sparse_value`: the listed elements, where they are, and the dims; from opset 11 on
   * @param options - `opset`, which picks the operator's version
   * @throws {@link OnnxError} `INVALID_ARGUMENT`, `UNSUPPORTED_TYPE`, `OUT_OF_MEMORY`, `DISPOSED`
   */
  constant<T extends DataType>(attributes: ConstantOf<'sparse_value', T>, options?: OperatorOptions): Tensor<T>;
  /**
   * [Constant](https://github.com/onnx/onnx/blob/main/docs/Operators.md#Constant) of floats: float32, a scalar or with one axis.
   *
   * @param attributes - `value_float` or `value_floats`; from opset 12 on
   * @param options - `opset`, which picks the operator's version
   * @throws {@link OnnxError} `INVALID_ARGUMENT`, `UNSUPPORTED_TYPE`, `OUT_OF_MEMORY`, `DISPOSED`
   */
  constant(attributes: ConstantOf<'value_float' | 'value_floats'>, options?: OperatorOptions): Tensor<'float32'>;
  /**
   * [Constant](https://github.com/onnx/onnx/blob/main/docs/Operators.md#Constant) of integers: int64, a scalar or with one axis.
   *
   * @param attributes - `value_int` or `value_ints`; from opset 12 on
   * @param options - `opset`, which picks the operator's version
   * @throws {@link OnnxError} `INVALID_ARGUMENT`, `UNSUPPORTED_TYPE`, `OUT_OF_MEMORY`, `DISPOSED`
   */
  constant(attributes: ConstantOf<'value_int' | 'value_ints'>, options?: OperatorOptions): Tensor<'int64'>;
  /**
   * [Constant](https://github.com/onnx/onnx/blob/main/docs/Operators.md#Constant) of strings: a scalar or with one axis.
   *
   * @param attributes - `value_string` or `value_strings`; from opset 12 on
   * @param options - `opset`, which picks the operator's version
   * @throws {@link OnnxError} `INVALID_ARGUMENT`, `UNSUPPORTED_TYPE`, `OUT_OF_MEMORY`, `DISPOSED`
   */
  constant(attributes: ConstantOf<'value_string' | 'value_strings'>, options?: OperatorOptions): Tensor<'string'>;
  /**
   * [Constant](https://github.com/onnx/onnx/blob/main/docs/Operators.md#Constant) of an attribute that is chosen while the program runs.
   *
   * @param attributes - exactly one attribute, with its value
   * @param options - `opset`, which picks the operator's version
   * @throws {@link OnnxError} `INVALID_ARGUMENT`, `UNSUPPORTED_TYPE`, `OUT_OF_MEMORY`, `DISPOSED`
   */
  constant(attributes: ConstantAttributes, options?: OperatorOptions): AnyTensor;

  /**
   * [ConstantOfShape](https://github.com/onnx/onnx/blob/main/docs/Operators.md#ConstantOfShape): one element in every
   * place of a shape. O(1) until {@link Tensor.data} is read.
   *
   * @param shape - the sizes, none negative; none at all make a scalar
   * @param attributes - `value`: a tensor of one element (default: float32 zero)
   * @param options - `opset`, which picks the operator's version
   * @returns a tensor of the value's type
   * @throws {@link OnnxError} `INVALID_ARGUMENT` for a negative size, for more than 2^53 - 1 elements, and for a value of
   * another count than one; `UNSUPPORTED_TYPE` for a value of string or complex type, or of one that the opset's version does
   * not take; `UNKNOWN_OPERATOR` below opset 9; `OUT_OF_MEMORY`, `DISPOSED`
   *
   * @example
   * ```ts
   * ops.constantOfShape([2, 3], { value: ops.tensor('int32', [7], [1]) }); // int32 [2, 3] [[7 7 7] [7 7 7]]
   * ```
   */
  constantOfShape<T extends FillType>(
    shape: ShapeLike,
    attributes: {
      /** A tensor of one element, which the output has in every place. Default: float32 zero. From opset 9 on. */
      value: TensorLike<T>;
    },
    options?: OperatorOptions,
  ): Tensor<T>;
  /**
   * [ConstantOfShape](https://github.com/onnx/onnx/blob/main/docs/Operators.md#ConstantOfShape) with a value of a type that is known when the program runs.
   *
   * @param shape - the sizes, none negative; none at all make a scalar
   * @param attributes - `value`: a tensor of one element (default: float32 zero)
   * @param options - `opset`, which picks the operator's version
   * @throws {@link OnnxError} `INVALID_ARGUMENT`, `UNSUPPORTED_TYPE`, `UNKNOWN_OPERATOR`, `OUT_OF_MEMORY`, `DISPOSED`
   */
  constantOfShape<T extends DataType>(
    shape: ShapeLike,
    attributes: {
      /** A tensor of one element, which the output has in every place. Default: float32 zero. From opset 9 on. */
      value: Perhaps<T, FillType>;
    },
    options?: OperatorOptions,
  ): Tensor<T>;
  /**
   * [ConstantOfShape](https://github.com/onnx/onnx/blob/main/docs/Operators.md#ConstantOfShape) without a value: float32 zeros.
   *
   * @param shape - the sizes, none negative; none at all make a scalar
   * @param attributes - `value`: a tensor of one element (default: float32 zero)
   * @param options - `opset`, which picks the operator's version
   * @throws {@link OnnxError} `INVALID_ARGUMENT`, `UNSUPPORTED_TYPE`, `UNKNOWN_OPERATOR`, `OUT_OF_MEMORY`, `DISPOSED`
   */
  constantOfShape(
    shape: ShapeLike,
    attributes?: {
      /** A tensor of one element, which the output has in every place. Default: float32 zero. From opset 9 on. */
      value?: undefined;
    },
    options?: OperatorOptions,
  ): Tensor<'float32'>;
  /**
   * [ConstantOfShape](https://github.com/onnx/onnx/blob/main/docs/Operators.md#ConstantOfShape) with a value, or without.
   *
   * @param shape - the sizes, none negative; none at all make a scalar
   * @param attributes - `value`: a tensor of one element (default: float32 zero)
   * @param options - `opset`, which picks the operator's version
   * @throws {@link OnnxError} `INVALID_ARGUMENT`, `UNSUPPORTED_TYPE`, `UNKNOWN_OPERATOR`, `OUT_OF_MEMORY`, `DISPOSED`
   */
  constantOfShape<T extends DataType>(
    shape: ShapeLike,
    attributes:
      | {
          /** A tensor of one element, which the output has in every place. Default: float32 zero. From opset 9 on. */
          value?: Perhaps<T, FillType> | undefined;
        }
      | undefined,
    options?: OperatorOptions,
  ): Tensor<T | 'float32'>;

  /**
   * [Range](https://github.com/onnx/onnx/blob/main/docs/Operators.md#Range) of numbers of a type: from 0 on, up to `limit`, which is not reached.
   *
   * @param type - the element type
   * @param limit - the number after the last
   * @returns a tensor with one axis
   * @throws {@link OnnxError} `INVALID_ARGUMENT`, also for a step of 0 and for a number that the type cannot hold;
   * `UNSUPPORTED_TYPE`, `UNKNOWN_OPERATOR`, `OUT_OF_MEMORY`, `DISPOSED`
   *
   * @example
   * ```ts
   * ops.range('int64', 5); // int64 [5] [0 1 2 3 4]
   * ops.range('int64', 2, 5); // int64 [3] [2 3 4]
   * ops.range(0, 1, 0.5); // float32 [2] [0.  0.5]
   * ```
   */
  range<T extends RangeType>(type: T, limit: number | bigint): Tensor<T>;
  /**
   * [Range](https://github.com/onnx/onnx/blob/main/docs/Operators.md#Range) of numbers of a type: from `start` on, in steps of `delta`, up to `limit`, which is not reached.
   *
   * @param type - the element type
   * @param start - the first number; 0 without it
   * @param limit - the number after the last
   * @param delta - the step, not 0; 1 without it
   * @param options - `opset`, which picks the operator's version
   * @returns a tensor with one axis
   * @throws {@link OnnxError} `INVALID_ARGUMENT`, also for a step of 0 and for a number that the type cannot hold;
   * `UNSUPPORTED_TYPE`, `UNKNOWN_OPERATOR`, `OUT_OF_MEMORY`, `DISPOSED`
   */
  range<T extends RangeType>(
    type: T,
    start: number | bigint,
    limit: number | bigint,
    delta?: number | bigint,
    options?: OperatorOptions,
  ): Tensor<T>;
  /**
   * [Range](https://github.com/onnx/onnx/blob/main/docs/Operators.md#Range) of bigints from 0 on: int64.
   *
   * @param limit - the number after the last
   * @returns a tensor with one axis
   * @throws {@link OnnxError} `INVALID_ARGUMENT`, also for a step of 0 and for a number that the type cannot hold;
   * `UNSUPPORTED_TYPE`, `UNKNOWN_OPERATOR`, `OUT_OF_MEMORY`, `DISPOSED`
   */
  range(limit: bigint): Tensor<'int64'>;
  /**
   * [Range](https://github.com/onnx/onnx/blob/main/docs/Operators.md#Range) of bigints: int64.
   *
   * @param start - the first number; 0 without it
   * @param limit - the number after the last
   * @param delta - the step, not 0; 1 without it
   * @param attributes - `stash_type`: see {@link RangeAttributes}
   * @param options - `opset`, which picks the operator's version
   * @returns a tensor with one axis
   * @throws {@link OnnxError} `INVALID_ARGUMENT`, also for a step of 0 and for a number that the type cannot hold;
   * `UNSUPPORTED_TYPE`, `UNKNOWN_OPERATOR`, `OUT_OF_MEMORY`, `DISPOSED`
   */
  range(
    start: bigint,
    limit: number | bigint,
    delta?: number | bigint,
    attributes?: RangeAttributes,
    options?: OperatorOptions,
  ): Tensor<'int64'>;
  /**
   * [Range](https://github.com/onnx/onnx/blob/main/docs/Operators.md#Range) of numbers: float32.
   *
   * @param start - the first number; 0 without it
   * @param limit - the number after the last
   * @param delta - the step, not 0; 1 without it
   * @param attributes - `stash_type`: see {@link RangeAttributes}
   * @param options - `opset`, which picks the operator's version
   * @returns a tensor with one axis
   * @throws {@link OnnxError} `INVALID_ARGUMENT`, also for a step of 0 and for a number that the type cannot hold;
   * `UNSUPPORTED_TYPE`, `UNKNOWN_OPERATOR`, `OUT_OF_MEMORY`, `DISPOSED`
   */
  range(
    start: number,
    limit: number,
    delta?: number,
    attributes?: RangeAttributes,
    options?: OperatorOptions,
  ): Tensor<'float32'>;
  /**
   * [Range](https://github.com/onnx/onnx/blob/main/docs/Operators.md#Range) from 0 on: float32, or of the type of a tensor.
   *
   * @param limit - the number after the last
   * @returns a tensor with one axis
   * @throws {@link OnnxError} `INVALID_ARGUMENT`, also for a step of 0 and for a number that the type cannot hold;
   * `UNSUPPORTED_TYPE`, `UNKNOWN_OPERATOR`, `OUT_OF_MEMORY`, `DISPOSED`
   */
  range<T extends DataType = 'float32'>(limit: Perhaps<T, RangeType> | number): Tensor<T>;
  /**
   * [Range](https://github.com/onnx/onnx/blob/main/docs/Operators.md#Range) of tensors, or of numbers of the type of one of them.
   *
   * @param start - the first number; 0 without it
   * @param limit - the number after the last
   * @param delta - the step, not 0; 1 without it
   * @param attributes - `stash_type`: see {@link RangeAttributes}
   * @param options - `opset`, which picks the operator's version
   * @returns a tensor with one axis
   * @throws {@link OnnxError} `INVALID_ARGUMENT`, also for a step of 0 and for a number that the type cannot hold;
   * `UNSUPPORTED_TYPE`, `UNKNOWN_OPERATOR`, `OUT_OF_MEMORY`, `DISPOSED`
   */
  range<P2 extends DataType = 'float32', P1 extends DataType = P2, T extends DataType = P1>(
    start: Perhaps<T, RangeType> | NumberOf<NoInfer<T>>,
    limit: Perhaps<P1, NoInfer<T>> | NumberOf<NoInfer<T>>,
    delta?: Perhaps<P2, NoInfer<T>> | NumberOf<NoInfer<T>>,
    attributes?: RangeAttributes,
    options?: OperatorOptions,
  ): Tensor<T>;
}

/** A class with the method of Range, which takes a type, too. @internal */
export const rangeMethod = (one: TypedCall): { readonly prototype: object } =>
  class {
    range(...given: unknown[]): unknown {
      takesAtMost(5, given.length, 'range');
      const type = typeof given[0] === 'string' ? given.shift() : undefined;
      const [inputs, attributes, options] = readArguments('Range', given, 1, 3, type === undefined);
      if (inputs.length === 0)
        throw invalidArgument('Range: no limit: range(5) goes from 0 to 4, range(2, 5) from 2 to 4');
      if (inputs.length === 1) inputs.unshift(typeof inputs[0] === 'bigint' ? 0n : 0);
      inputs[2] ??= typeof inputs[0] === 'bigint' ? 1n : 1;
      if (type !== undefined) inputs[0] = { type, dims: [], data: [inputs[0]] } as unknown as TensorLike;
      return one(this, 'Range', inputs, attributes, options);
    }
  };
