// The known names that a mistyped one may have meant.

/** How many letters must be added, dropped or exchanged to make one name of the other (Levenshtein's distance). */
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

/** Letters and digits alone: `keep_dims` is `keepdims`. */
export const plain = (name: string): string => name.toLowerCase().replace(/[\W_]/g, '');
const sorted = (text: string): string => [...text].sort().join('');

/** At most 1 for a name that goes on, for one that holds the other, and for the same letters in another order. */
function steps(name: string, other: string): number {
  if (name === other) return 0;
  if (name.length > 2 && other.includes(name)) return other.startsWith(name) ? 0.5 : 0.75;
  return sorted(name) === sorted(other) ? 1 : distance(name, other);
}

/** The nearest first; none that has little in common with `name`. */
export function nearNames(name: string, known: readonly string[]): string[] {
  const wanted = plain(name);
  if (wanted === '' || name.length > longestName) return [];
  const far = Math.max(1, (wanted.length - 1) / 2);
  return known
    .filter((other) => other.length <= 2 * longestName)
    .map((other) => ({ other, away: steps(wanted, plain(other)) }))
    .filter(({ away }) => away <= far)
    .sort((a, b) => a.away - b.away)
    .map(({ other }) => other);
}

/** `: did you mean 'Expand'?` with the known name that is nearest to `name`, or nothing when none is near. */
export function didYouMean(name: string, known: readonly string[]): string {
  const [nearest] = nearNames(name, known);
  return nearest === undefined ? '' : `: did you mean '${nearest}'?`;
}
