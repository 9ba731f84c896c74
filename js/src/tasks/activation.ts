import { readWord } from '../basics/words.js';
import type { Runtime } from '../runtime/runtime.js';
import type { TensorLike } from '../tensor/types.js';
import { call } from './call.js';

/** The function that makes probabilities of what a model gives; `none` where the model ends with it. */
export type Activation = 'softmax' | 'sigmoid' | 'none';

/** Applies the activation that an option names; without it, the first of `known`. */
export function activate(
  ops: Runtime,
  task: string,
  scores: TensorLike<'float32'>,
  axis: number,
  activation: unknown,
  known: readonly Activation[],
): TensorLike<'float32'> {
  const chosen = readWord(task, 'activation', activation, known);
  if (chosen === 'none') return scores;
  return chosen === 'softmax' ? call(ops, 'Softmax', [scores], { axis }) : call(ops, 'Sigmoid', [scores]);
}
