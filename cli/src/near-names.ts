// The known name that a mistyped one may have meant.
import { distance } from 'fastest-levenshtein';

/** Longer texts are nobody's typing mistakes. */
const longestName = 40;

const letters = (text: string): string => [...text].sort().join('');

/** How many letters must be added, dropped or exchanged; letters in another order are one mistake. */
function steps(name: string, other: string): number {
  if (other.startsWith(name)) return 0;
  return letters(name) === letters(other) ? 1 : distance(name, other);
}

/** `: did you mean 'run'?`, or nothing when no name is near. */
export function didYouMean(name: string, known: readonly string[]): string {
  if (name.length > longestName) return '';
  const small = name.toLowerCase();
  const far = Math.max(1, Math.floor(name.length / 2));
  const [nearest] = known
    .map((other) => ({ other, away: steps(small, other.toLowerCase()) }))
    .filter(({ away }) => away <= far)
    .sort((a, b) => a.away - b.away);
  return nearest === undefined ? '' : `: did you mean '${nearest.other}'?`;
}
