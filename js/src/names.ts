import { invalidArgument } from './error.js';
import { isPlainObject } from './plain.js';
import { show } from './show.js';

/** How many letters must be added, dropped or exchanged to make one name of the other. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const kept = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(kept, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[b.length] as number;
}

/** Longer texts are nobody's typing mistakes. */
const longestName = 40;

/** `: did you mean 'Expand'?` with the known name that is nearest to `name`, or nothing when none is near. */
export function didYouMean(name: string, known: readonly string[]): string {
  if (name.length > longestName) return '';
  const small = name.toLowerCase();
  let nearest = '';
  let least = Math.max(2, name.length / 2);
  for (const candidate of known) {
    const other = candidate.toLowerCase();
    // A name that only goes on is nearer than one with other letters: float, float32.
    const far = other.startsWith(small) && small.length > 2 ? 0.5 : distance(small, other);
    const steps = other === small ? 0 : far;
    if (steps < least) [nearest, least] = [candidate, steps];
  }
  return nearest && `: did you mean '${nearest}'?`;
}

/** Options of a call: nothing, or an object that has no other names than `known`. */
export function checkedOptions<T extends object>(what: string, options: T | null | undefined, known: string[]): T {
  if (options == null) return {} as T;
  if (!isPlainObject(options))
    throw invalidArgument(`${what}options are ${show(options)}, wanted an object such as { ${known[0]}: ... }`);
  for (const name of Object.keys(options)) {
    if (!known.includes(name))
      throw invalidArgument(`${what}no option '${name}'${didYouMean(name, known) || `; known: ${known.join(', ')}`}`);
  }
  return options as T;
}
