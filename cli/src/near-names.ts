// The known name that a mistyped one may have meant.
import { distance } from 'fastest-levenshtein';

/** Longer texts are nobody's typing mistakes. */
const longestName = 40;

/** `: did you mean 'run'?`, or nothing when no name is near. */
export function didYouMean(name: string, known: readonly string[]): string {
  if (name.length > longestName) return '';
  const small = name.toLowerCase();
  const far = name.length < 3 ? 1 : Math.max(2, Math.floor(name.length / 2));
  const [nearest] = known
    .map((other) => ({ other, steps: other.startsWith(small) ? 0 : distance(small, other.toLowerCase()) }))
    .filter(({ steps }) => steps <= far)
    .sort((a, b) => a.steps - b.steps);
  return nearest === undefined ? '' : `: did you mean '${nearest.other}'?`;
}
