import type { Context } from '../calls/context.js';
import { freeAll, handleOf, type Literal, makeAll, noTensor, readTensor } from './elements.js';
import type { TensorLike } from './types.js';

/** Does the work of {@link Runtime.writeTensor}. @internal */
export function writeTensorFile(context: Context, tensor: TensorLike): Uint8Array<ArrayBuffer> {
  const { memory } = context;
  const literals: Literal[] = [];
  const given = readTensor(context, tensor, literals);
  if (given === undefined) throw noTensor('writeTensor: the tensor is ', tensor);
  try {
    makeAll(context, literals);
    memory.check(memory.glue.writeTensorFile(handleOf(given)));
    return context.runScope(() => context.takeOne().toArray() as Uint8Array<ArrayBuffer>);
  } finally {
    freeAll(context, literals);
  }
}
