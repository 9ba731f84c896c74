// The one rule for plurals in English texts.

/** `1 node`, `3 nodes`, `1,024 nodes` with a way to write numbers of its own; nouns that do not end in -s name their plural. */
export function counted(
  count: number,
  noun: string,
  plural = `${noun}s`,
  written: (count: number) => string = String,
): string {
  return `${written(count)} ${count === 1 ? noun : plural}`;
}
