/** The nested list of elements of some dims, as a text. A scalar has no brackets. */
export function nested(words: readonly string[], dims: readonly number[]): string {
  const [first = 1, ...rest] = dims;
  if (dims.length === 0) return words[0] ?? '';
  const size = words.length / first;
  const parts = Array.from({ length: first }, (_, i) => nested(words.slice(i * size, (i + 1) * size), rest));
  return `[${parts.join(', ')}]`;
}
