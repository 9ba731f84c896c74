import { didYouMean } from '../../../shared/names.js';
import { optionInstead } from '../../../shared/other-options.js';
import { invalidArgument } from './error.js';
import { isPlainObject } from './plain.js';
import { show } from './show.js';

const noAdvice = (_option: string) => '';

/** Options of a call: nothing, or an object that has no other names than `known`. */
export function checkedOptions<T extends object>(
  what: string,
  options: T | null | undefined,
  known: string[],
  advice = noAdvice,
): T {
  if (options == null) return {} as T;
  if (!isPlainObject(options))
    throw invalidArgument(`${what}options are ${show(options)}, wanted an object such as { ${known[0]}: ... }`);
  for (const name of Object.keys(options)) {
    if (!known.includes(name))
      throw invalidArgument(
        `${what}no option '${name}'${advice(name) || optionInstead(name, known) || didYouMean(name, known) || `; known: ${known.join(', ')}`}`,
      );
  }
  return options as T;
}
