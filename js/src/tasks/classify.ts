import { invalidArgument } from '../basics/error.js';
import { checkedOptions } from '../basics/names.js';
import type { Runtime } from '../runtime/runtime.js';
import type { TensorLike } from '../tensor/types.js';
import { type Activation, activate } from './activation.js';
import { cut, reshape, topK } from './call.js';
import { readBatch, readFloats } from './inputs.js';
import { type Labels, readLabels } from './labels.js';
import { readNumber } from './options.js';
import { runTask } from './task.js';

/** Options of {@link classify}. */
export interface ClassifyOptions {
  /** The names of the classes. Default: their numbers. */
  readonly labels?: Labels | undefined;
  /** How many classes are told, the best first. Default: 5. */
  readonly top?: number | undefined;
  /**
   * Makes probabilities of scores: `softmax` (default) where one class is right, `sigmoid` where several may be, `none` where
   * the model gives probabilities.
   */
  readonly activation?: Activation | undefined;
  /** The item of the batch, which a batch of several needs. Default: 0. */
  readonly batch?: number | undefined;
}

/** One of the classes that {@link classify} tells. */
export interface Classification {
  /** The name of the class, or its number as text. */
  readonly label: string;
  /** The number of the class. */
  readonly index: number;
  /** The probability of the class. */
  readonly score: number;
}

/**
 * Tells the best classes of a classifier's output: Softmax, then TopK.
 *
 * @param ops - the runtime
 * @param scores - floating-point numbers [N, C] or [C]; axes of size 1 may follow
 * @param options - the names of the classes, and how many of them are told
 * @returns the best classes, the best one first; of equal ones, the lower number first
 * @throws `OnnxError` `INVALID_ARGUMENT`, also for another number of labels than of classes, and for a batch of several without
 * `batch`; `UNSUPPORTED_TYPE` for elements of another kind; `OUT_OF_MEMORY`, `DISPOSED`
 *
 * @example
 * ```ts
 * const scores = ops.tensor('float32', [[-1, 3, 1]]);
 * const labels = ['cat', 'dog', 'owl'];
 * classify(ops, scores, { labels, top: 2 }).map(({ label }) => label); // ['dog', 'owl']
 * ```
 */
export function classify(ops: Runtime, scores: TensorLike, options?: ClassifyOptions): Classification[] {
  return runTask('classify', ops, () => {
    const { labels, top, activation, batch } = checkedOptions('classify: ', options, [
      'labels',
      'top',
      'activation',
      'batch',
    ]);
    const { dims, floats } = readFloats(ops, 'classify', 'scores', scores);
    const isOne = dims.length === 1;
    const [size = 0, count = 0] = isOne ? [1, ...dims] : dims;
    if (dims.length === 0 || dims.slice(2).some((dim) => dim !== 1))
      throw invalidArgument(`classify: the scores have dims [${dims}], wanted [batch, classes]`);
    const item = readBatch('classify', 'scores', batch, size);
    const most = readNumber('classify', 'top', top, 5, { minimum: 1, isInteger: true });
    const labelOf = readLabels('classify', labels, count);
    const row = reshape(ops, isOne ? floats : cut(ops, floats, 0, item, item + 1), [count]);
    const probabilities = activate(ops, 'classify', row, 0, activation, ['softmax', 'sigmoid', 'none']);
    const [best, indices] = topK(ops, probabilities, Math.min(most, count));
    const values = best.toArray();
    return Array.from(indices.toArray(), (index, i) => ({
      label: labelOf(Number(index)),
      index: Number(index),
      score: values[i] as number,
    }));
  });
}
