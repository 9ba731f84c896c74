import type { OperatorInput } from '../calls/operands.js';
import type { Runtime } from '../runtime/runtime.js';
import type { Tensor } from '../tensor/tensor.js';
import type { Attributes, DataType, TensorLike } from '../tensor/types.js';

/** The opset whose operators the tasks are written for, whichever the runtime's calls have. */
const options = { opset: 21 };

/** Runs an operator that has one result. */
export function call<T extends DataType>(
  ops: Runtime,
  name: string,
  inputs: readonly OperatorInput[],
  attributes?: Attributes,
): Tensor<T> {
  return ops.run(name, inputs, attributes, options)[0] as unknown as Tensor<T>;
}

/** The largest or smallest numbers along an axis, and their places. */
export function topK(
  ops: Runtime,
  values: TensorLike<'float32'>,
  count: number,
): readonly [Tensor<'float32'>, Tensor<'int64'>] {
  return ops.topK(values, [count], { axis: 0 }, options);
}

/** The elements from `from` up to `to` along an axis. */
export function cut<T extends DataType>(
  ops: Runtime,
  tensor: TensorLike<T>,
  axis: number,
  from: number,
  to: number,
): Tensor<T> {
  return call(ops, 'Slice', [tensor, [from], [to], [axis]]);
}

/** The tensor's elements with other dims; a size may be 0. */
export function reshape<T extends DataType>(ops: Runtime, tensor: TensorLike<T>, dims: readonly number[]): Tensor<T> {
  return call(ops, 'Reshape', [tensor, dims], { allowzero: 1 });
}
