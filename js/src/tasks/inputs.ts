import { invalidArgument, OnnxError } from '../basics/error.js';
import { isList, readIntegers } from '../basics/lists.js';
import { show } from '../basics/show.js';
import type { Runtime } from '../runtime/runtime.js';
import type { TensorLike } from '../tensor/types.js';
import { call } from './call.js';
import { readNumber } from './options.js';

const floatTypes = ['float32', 'float16', 'bfloat16', 'float64'];

/** The dims of a tensor that a task was given. `what` names it in errors. */
export function dimsOf(task: string, what: string, tensor: unknown): number[] {
  const given = tensor as TensorLike | null | undefined;
  const isTensor = typeof given === 'object' && given !== null && typeof given.type === 'string' && 'data' in given;
  if (!isTensor || !isList(given.dims))
    throw invalidArgument(`${task}: the ${what} are ${show(tensor)}, wanted a tensor: { type, dims, data }`);
  return readIntegers(given.dims, `${task}: the dims of the ${what}`);
}

/** Floating-point numbers that a task was given, as float32, and their dims. */
export function readFloats(
  ops: Runtime,
  task: string,
  what: string,
  tensor: unknown,
): { dims: number[]; floats: TensorLike<'float32'> } {
  const dims = dimsOf(task, what, tensor);
  const { type } = tensor as TensorLike;
  if (!floatTypes.includes(type))
    throw new OnnxError('UNSUPPORTED_TYPE', `${task}: the ${what} are ${type}, wanted ${floatTypes.join(', ')}`);
  const isFloat32 = type === 'float32';
  return {
    dims,
    floats: isFloat32
      ? (tensor as TensorLike<'float32'>)
      : call(ops, 'Cast', [tensor as TensorLike], { to: 'float32' }),
  };
}

/** The item of a batch that a task looks at: the only one, unless the option names another. */
export function readBatch(task: string, what: string, batch: unknown, size: number): number {
  if (size === 0) throw invalidArgument(`${task}: the ${what} have no item in their batch`);
  if (batch === undefined && size > 1)
    throw invalidArgument(
      `${task}: the ${what} have a batch of ${size} items: batch names one of them, 0 to ${size - 1}`,
    );
  return readNumber(task, 'batch', batch, 0, { minimum: 0, maximum: size - 1, isInteger: true });
}
