// Search among rows, such as operators: by their names, by the names that other libraries have for them, by what they do. Loaded
// when somebody searches.

import rows from 'virtual:aliases';
import MiniSearch from 'minisearch';
import type { SearchRow } from './facts.js';

export interface Found {
  readonly name: string;
  /** The other name that was found, if it was not the operator's own. */
  readonly alias: string | undefined;
}

/** A row that a text means. */
export interface FoundRow<R> {
  readonly row: R;
  readonly alias: string | undefined;
}

const isHan = (word: string): boolean => /^\p{Script=Han}/u.test(word);
const hasHan = (text: string): boolean => /\p{Script=Han}/u.test(text);

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

/** An index whose documents are the numbers of rows. */
function indexOf(rows: readonly SearchRow[]): MiniSearch<number> {
  const index = new MiniSearch<number>({
    ...{ fields: ['name', 'aliases', 'group', 'summary'], tokenize: tokensOf },
    extractField: (number, field) => {
      if (field === 'id') return String(number);
      const value = rows[number]?.[field as keyof SearchRow];
      return Array.isArray(value) ? value.join(' ') : String(value);
    },
    searchOptions: {
      ...{ tokenize: wantedTokens, combineWith: 'AND', prefix: true },
      boost: { name: 4, aliases: 2, group: 0.5, summary: 0.25 },
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      maxFuzzy: 2, // what a typo changes; more takes ten times as long for the longest names
    },
  });
  index.addAll([...rows.keys()]);
  return index;
}

const known = new Map<string, readonly string[]>();

function tokensOfAlias(alias: string): readonly string[] {
  const tokens = known.get(alias) ?? tokensOf(alias);
  known.set(alias, tokens);
  return tokens;
}

/** Whether an alias is the text, with or without the library before it: `torch.nn.functional.pad` is `pad`. */
function isCalled(alias: string, wanted: string): boolean {
  const name = alias.toLowerCase();
  return name === wanted || (/^[a-z_]+\./.test(name) && name.split('.').at(-1) === wanted);
}

/** Whether a text is a word of a group's name, or in Chinese the beginning of one: `pooling`, `激活` of `激活函数`. */
function isGroup(group: string, wanted: string): boolean {
  const words = group.toLowerCase().split(/[ 与]/);
  return words.some((word) => word === wanted || (isHan(wanted) && wanted.length > 1 && word.startsWith(wanted)));
}

/** The rank of a row whose name is the text. */
const namedSo = 3;

/** How surely a text means a row: by its name, as one of the best known of a group, by another name, or by its words. */
function rankOf({ name, aliases, group, known }: SearchRow, wanted: string): number {
  if (name.toLowerCase() === wanted) return namedSo;
  if (known !== undefined && isGroup(group, wanted)) return 2 - known / 10;
  return Number(aliases.some((alias) => isCalled(alias, wanted)));
}

/** The alias that has most of the words that were found, in the script of the question; undefined where none has any. */
function likeliest(aliases: readonly string[], terms: ReadonlySet<string>, ofHan: boolean): string | undefined {
  let most = 0;
  let best: string | undefined;
  for (const alias of aliases) {
    const isOther = hasHan(alias) !== ofHan; // it counts less than any of the same script
    const all = tokensOfAlias(alias).filter((token) => terms.has(token)).length;
    const hits = isOther ? all / 100 : all;
    if (hits > most) [most, best] = [hits, alias];
  }
  return best;
}

/** The words of a question as they are between spaces; in Chinese, pairs. */
const wordsOf = (wanted: string): string[] =>
  wanted.split(/[\s,;，；、]+/).flatMap((word) => (hasHan(word) ? wantedTokens(word) : [word]));

/** The options for a question that found nothing because no row has all its words: some of the words will do. */
const someWords = {
  combineWith: 'OR',
  prefix: (term: string) => term.length > 3 || isHan(term),
  fuzzy: false,
} as const;

/**
 * Gives the rows that a text means, the likeliest first; of rows that have the text as their name, those before others. Where no row
 * has all words, as in `why does reshape fail`, the rows whose names are among them come first.
 */
export function searchAmong<R extends SearchRow>(rows: readonly R[]): (text: string) => FoundRow<R>[] {
  let index: MiniSearch<number> | undefined;
  return (text) => {
    index ??= indexOf(rows);
    const plain = text.normalize('NFKC'); // letters of full width, as input methods write them
    const wanted = plain.trim().toLowerCase();
    const whole = index.search(plain);
    const words = whole.length > 0 ? [wanted] : wordsOf(wanted);
    const hits = words.length < 2 ? whole : index.search(plain, someWords);
    const results = hits.map(({ id, terms, match }) => {
      const row = rows[Number(id)] as R;
      const rank = Math.max(...words.map((word) => rankOf(row, word)));
      return { number: Number(id), row, terms, match, rank };
    });
    results.sort((a, b) => b.rank - a.rank || (a.rank === namedSo ? a.number - b.number : 0));
    return results.map(({ row, terms, match, rank }) => {
      const same = rank === namedSo ? undefined : row.aliases.find((one) => one.toLowerCase() === wanted);
      const isOwn = terms.some((term) => match[term]?.includes('name'));
      return { row, alias: same ?? (isOwn ? undefined : likeliest(row.aliases, new Set(terms), hasHan(wanted))) };
    });
  };
}

const searchRows = searchAmong(rows);

/** The operators that a text means, those that do not run among them, the likeliest first. */
export function searchOperators(text: string): Found[] {
  return searchRows(text).map(({ row, alias }) => ({ name: row.name, alias }));
}
