import { invalidArgument, type OnnxError } from '../basics/error.js';
import { isList, lengthOfList } from '../basics/lists.js';
import { checkedOptions } from '../basics/names.js';
import { show } from '../basics/show.js';
import type { Runtime } from '../runtime/runtime.js';
import type { TensorLike } from '../tensor/types.js';
import { type Activation, activate } from './activation.js';
import { call, reshape } from './call.js';
import { readFloats } from './inputs.js';
import { readNumber } from './options.js';
import { runTask } from './task.js';

/** Options of {@link decodeCtc}. */
export interface CtcOptions {
  /**
   * The characters, or pieces of words, of the model's classes: as many as the classes, or one less, where the blank is left out.
   * A string has one for each of its code points.
   */
  readonly characters: readonly string[] | string;
  /** The number of the blank. Default: 0. */
  readonly blank?: number | undefined;
  /** `softmax` makes probabilities of scores; without it, scores are meaningless where the model gives others. Default: `none`. */
  readonly activation?: Exclude<Activation, 'sigmoid'> | undefined;
}

/** A text that {@link decodeCtc} read. */
export interface DecodedText {
  /** The text. */
  readonly text: string;
  /** The mean of its characters' probabilities, as PaddleOCR has it; 0 where there is no text. */
  readonly score: number;
}

/**
 * Reads texts of the outputs of a model that was trained with CTC, greedily: the best class of each step (ArgMax). Equal neighbours
 * are one, and blanks are left out.
 *
 * @param ops - the runtime
 * @param probabilities - floating-point numbers [N, steps, classes] or [steps, classes]
 * @param options - the characters of the classes
 * @returns a text for each item of the batch
 * @throws `OnnxError` `INVALID_ARGUMENT`, also for other dims, and for another number of characters than of classes;
 * `UNSUPPORTED_TYPE` for elements of another kind; `OUT_OF_MEMORY`, `DISPOSED`
 *
 * @example
 * ```ts
 * const steps = ops.tensor('float32', [[0, 0.75, 0.25], [0, 1, 0], [1, 0, 0], [0, 0, 1]]);
 * decodeCtc(ops, steps, { characters: 'ab' }); // [{text: 'ab', score: 0.875}]
 * ```
 */
export function decodeCtc(ops: Runtime, probabilities: TensorLike, options: CtcOptions): DecodedText[] {
  return runTask('decodeCtc', ops, () => {
    const given = checkedOptions('decodeCtc: ', options, ['characters', 'blank', 'activation']);
    const { dims, floats } = readFloats(ops, 'decodeCtc', 'probabilities', probabilities);
    const [classes = 0, steps = 0, size = 1] = [...dims].reverse();
    if ((dims.length !== 2 && dims.length !== 3) || steps * classes === 0)
      throw invalidArgument(`decodeCtc: the probabilities have dims [${dims}], wanted [batch, steps, classes]`);
    const blank = readNumber('decodeCtc', 'blank', given.blank, 0, {
      minimum: 0,
      maximum: classes - 1,
      isInteger: true,
    });
    const characters = readCharacters(given.characters, classes, blank);
    const known = ['none', 'softmax'] as const;
    if (size === 0) return [];
    // Two operators read it: what is not the runtime's is copied once.
    const own = reshape(ops, floats, dims);
    const values = activate(ops, 'decodeCtc', own, -1, given.activation, known);
    const best = call<'int64'>(ops, 'ArgMax', [values], { axis: -1, keepdims: 0 }).toArray();
    const scores = call<'float32'>(ops, 'ReduceMax', [values, [-1]], { keepdims: 0 }).toArray();
    return Array.from({ length: size }, (_, i) => {
      const item = [i * steps, (i + 1) * steps] as const;
      return textOf(Array.from(best.subarray(...item), Number), scores.subarray(...item), characters, blank);
    });
  });
}

/** A string for each class; the blank's string is not read. */
function readCharacters(given: unknown, classes: number, blank: number): readonly string[] {
  if (typeof given !== 'string' && !(isList(given) && Array.isArray(given)))
    throw invalidArgument(`decodeCtc: characters are ${show(given)}, wanted a list of strings, or a string`);
  const length = typeof given === 'string' ? 0 : lengthOfList(given, 'decodeCtc: characters');
  if (length > classes) throw wrongCount(length, classes);
  const characters = Array.from(given as string[]);
  const wrong = characters.findIndex((one) => typeof one !== 'string');
  if (wrong >= 0) throw invalidArgument(`decodeCtc: character ${wrong} is ${show(characters[wrong])}, wanted a string`);
  if (characters.length === classes) return characters;
  if (characters.length === classes - 1) return [...characters.slice(0, blank), '', ...characters.slice(blank)];
  throw wrongCount(characters.length, classes);
}

function wrongCount(count: number, classes: number): OnnxError {
  return invalidArgument(
    `decodeCtc: ${count} characters for ${classes} classes; wanted ${classes}, or ${classes - 1} without the blank`,
  );
}

function textOf(best: number[], scores: Float32Array, characters: readonly string[], blank: number): DecodedText {
  const kept = best.flatMap((index, i) => (index !== blank && index !== best[i - 1] ? [i] : []));
  const sum = kept.reduce((total, i) => total + (scores[i] as number), 0);
  return {
    text: kept.map((i) => characters[best[i] as number]).join(''),
    score: kept.length === 0 ? 0 : sum / kept.length,
  };
}
