// Search for operators: by their names, by the names that other libraries have for them, by what they do. Loaded when
// somebody searches.

import rows from 'virtual:aliases';
import MiniSearch from 'minisearch';

export interface Found {
  readonly name: string;
  /** The other name that was found, if it was not the operator's own. */
  readonly alias: string | undefined;
}

const isHan = (word: string): boolean => /^\p{Script=Han}/u.test(word);

/** The pairs of neighbours in a run of Han characters, which has no spaces between its words. */
function pairsOf(run: string): string[] {
  const characters = [...run];
  return characters.slice(1).map((character, i) => `${characters[i]}${character}`);
}

/** Words as they stand, and their parts: `np.broadcast_to` has np, broadcast_to, broadcast and to. */
function splitWords(text: string, partsOfHan: (run: string) => string[]): string[] {
  const words = text.match(
    /\p{Script=Han}+|(?:(?!\p{Script=Han})[\p{L}\p{N}_])+|[^\s\p{L}\p{N}_.,;:()[\]。，；：（）、]+/gu,
  );
  const parts = (words ?? []).flatMap((word) => {
    if (isHan(word)) return partsOfHan(word);
    const split = word.split(/_+|(?<=[a-z])(?=[A-Z])/).filter(Boolean);
    return split.length > 1 ? [word, ...split] : [word];
  });
  return parts.map((part) => part.toLowerCase());
}

/** The words of a text that is looked through: a run of Han characters is found by each character and by each pair. */
const tokensOf = (text: string): string[] => splitWords(text, (run) => [...run, ...pairsOf(run)]);

/** The words of a question: a run of Han characters is looked for by its pairs, so that their order counts. */
const wantedTokens = (text: string): string[] => splitWords(text, (run) => (run.length > 1 ? pairsOf(run) : [run]));

const index = new MiniSearch<(typeof rows)[number]>({
  ...{ idField: 'name', fields: ['name', 'aliases', 'group', 'summary'], tokenize: tokensOf },
  extractField: (row, field) => {
    const value = row[field as keyof typeof row];
    return typeof value === 'string' ? value : value.join(' ');
  },
  searchOptions: {
    ...{ tokenize: wantedTokens, combineWith: 'AND', prefix: true },
    boost: { name: 4, aliases: 2, group: 0.5, summary: 0.25 },
    fuzzy: (term) => (term.length > 4 ? 0.2 : false),
  },
});
index.addAll(rows);

/** Whether an alias is the text, with or without the library before it: `torch.nn.functional.pad` is `pad`. */
function isCalled(alias: string, wanted: string): boolean {
  const name = alias.toLowerCase();
  return name === wanted || (/^[a-z_]+\./.test(name) && name.split('.').at(-1) === wanted);
}

/** The operators that a text means, those that do not run among them, the likeliest first. */
export function searchOperators(text: string): Found[] {
  const wanted = text.trim().toLowerCase();
  const rank = ({ id }: { readonly id: string }): number => {
    if (id.toLowerCase() === wanted) return 2;
    return Number(rows.find(({ name }) => name === id)?.aliases.some((alias) => isCalled(alias, wanted)));
  };
  const results = index.search(text).sort((a, b) => rank(b) - rank(a));
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
