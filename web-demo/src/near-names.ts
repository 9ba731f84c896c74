// The known names that a mistyped one may have meant.
import { distance } from 'fastest-levenshtein';

/** At most three, the nearest first; none that has little in common with `name`. */
export function nearNames(name: string, known: readonly string[]): string[] {
  const wanted = name.toLowerCase().replace(/[\W_]/g, '').slice(0, 100);
  const far = Math.max(1, Math.floor(wanted.length / 2));
  const distanceOf = (other: string): number => {
    const candidate = other.toLowerCase();
    const isPart = wanted.length > 2 && (candidate.includes(wanted) || wanted.includes(candidate));
    return isPart ? Math.min(1, distance(wanted, candidate)) : distance(wanted, candidate);
  };
  return known
    .map((other) => [other, distanceOf(other)] as const)
    .filter(([, away]) => away <= far)
    .sort(([, a], [, b]) => a - b)
    .slice(0, 3)
    .map(([other]) => other);
}
