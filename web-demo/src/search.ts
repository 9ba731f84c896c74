// Search for operators: by their names, by the names that other libraries have for them, by what they do. Loaded when
// somebody searches.

import rows from 'virtual:aliases';
import MiniSearch from 'minisearch';

export interface Found {
  readonly name: string;
  /** The other name that was found, if it was not the operator's own. */
  readonly alias: string | undefined;
}

/** Words as they stand, and their parts: `np.broadcast_to` has np, broadcast_to, broadcast and to. Han characters are words. */
function tokensOf(text: string): string[] {
  const words = text.match(/\p{Script=Han}|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_.,;:()[\]。，；：（）、]+/gu) ?? [];
  const parts = words.flatMap((word) => {
    const split = word.split(/_+|(?<=[a-z])(?=[A-Z])/).filter(Boolean);
    return split.length > 1 ? [word, ...split] : [word];
  });
  return parts.map((part) => part.toLowerCase());
}

const index = new MiniSearch<(typeof rows)[number]>({
  ...{ idField: 'name', fields: ['name', 'aliases', 'summary'], tokenize: tokensOf },
  extractField: (row, field) => {
    const value = row[field as keyof typeof row];
    return typeof value === 'string' ? value : value.join(' ');
  },
  searchOptions: {
    ...{ combineWith: 'AND', prefix: true, boost: { name: 4, aliases: 2, summary: 0.25 } },
    fuzzy: (term) => (term.length > 4 ? 0.2 : false),
  },
});
index.addAll(rows);

/** The operators that a text means, the likeliest first. */
export function searchOperators(text: string): Found[] {
  const wanted = text.trim().toLowerCase();
  const isCalledSo = ({ id }: { readonly id: string }): number => Number(id.toLowerCase() === wanted);
  const results = index.search(text).sort((a, b) => isCalledSo(b) - isCalledSo(a));
  return results.map(({ id, terms, match }) => {
    const row = rows.find(({ name }) => name === id);
    const isOwn = terms.some((term) => match[term]?.includes('name'));
    const aliases = row?.aliases ?? [];
    const hits = (alias: string): number => tokensOf(alias).filter((token) => terms.includes(token)).length;
    const best = [...aliases].sort((a, b) => hits(b) - hits(a))[0];
    const alias = aliases.find((one) => one.toLowerCase() === wanted) ?? (best && hits(best) > 0 ? best : undefined);
    return { name: String(id), alias: isOwn ? undefined : alias };
  });
}
