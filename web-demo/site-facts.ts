// The facts that the build writes into the site, so that pages are complete before the wasm module arrives: the rows, the
// examples with their expected outputs printed, and the words. Each operator has a file with its facts, and one with its words in
// each language, which the page fetches when it shows the operator. Every visitor downloads only the list of names.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Operator, OperatorVersion, Runtime } from 'broadloom';
import { operatorExamples } from '../tools/models/examples.mjs';
import { foreignOperators } from '../tools/operators/foreign.mjs';
import { foreignWords, operatorGroups, wordsOf } from '../tools/operators/words.mjs';
import { curveOf } from './site-curves.js';
import type { GuideRow, IndexRow, OperatorFacts, SearchRow } from './src/facts.js';
import { takes } from './src/takes.js';
import type { ForeignWords } from './src/texts/operator-text.js';

/** The operator whose page comes first, and whose call "Try it" begins with: all but its words are known from the start. */
export const home = 'Expand';

/** The list of operators. */
export function indexOf(operators: readonly Operator[]): IndexRow[] {
  return operators.map(({ name, versions }) => ({
    ...{ name, group: wordsOf(name).group },
    versions: versions.map(({ sinceVersion }) => sinceVersion),
  }));
}

export { operatorGroups as groups };

/** Whether a name is one of a library, such as `np.tile`. */
const isOfLibrary = (name: string): boolean => /^(?:np|torch|tf|scipy|jax)\.[\w.]+$/.test(name);

/** All else of each operator, besides its words. */
export function factsOf(ops: Runtime): OperatorFacts[] {
  const all = operatorExamples();
  return ops.operators().map((operator) => {
    const { name, versions } = operator;
    const { call, lines, presets, aliases, see, en, zh } = wordsOf(name);
    const version = versions.at(-1) as OperatorVersion;
    const examples = all.filter((example) => example.operator === name);
    const first = call && { operator: name, name: '', ...call };
    const curve = curveOf(ops, version, first ?? examples.find((example) => takes(version, example)));
    const summary = { en: en.summary, zh: zh.summary };
    return { operator, summary, examples, first, lines, curve, presets, aliases: aliases.filter(isOfLibrary), see };
  });
}

/** The names and words that the search looks through: first of operators that run, then of the others. */
export function aliasesOf(operators: readonly Operator[]): SearchRow[] {
  const rowOf = (name: string, { aliases, en, zh, group }: ForeignWords): SearchRow => {
    const words = operatorGroups.find((one) => one.name === group);
    const place = words?.known?.indexOf(name) ?? -1;
    return {
      ...{ name, aliases, summary: [en.summary, zh.summary], group: `${words?.en} ${words?.zh}` },
      known: place < 0 ? undefined : place,
    };
  };
  const own = operators.map(({ name }) => rowOf(name, wordsOf(name)));
  return [...own, ...Object.entries(foreignWords).map(([name, words]) => rowOf(name, words))];
}

const docs = new URL('../docs/', import.meta.url);

/** The guides, in the order of the list in docs/README.md. */
export function guides(): GuideRow[] {
  const list = readFileSync(new URL('README.md', docs), 'utf8');
  const entries = list.matchAll(/^\d+\. \[.*?\]\((\S+)\): (.+(?:\n {3}.+)*)/gm);
  return [...entries].map(([, path = '', note = '']) => {
    const text = readFileSync(new URL(path, docs), 'utf8').replaceAll(/^ *```[\s\S]*?^ *```/gm, ''); // code has comments with # too
    const headings = text.matchAll(/^(##?) (.+)/gm);
    const [[, , name = ''] = [], ...parts] = [...headings];
    return {
      name,
      note: note.replaceAll(/\s+/g, ' ').replaceAll('`', ''),
      headings: path.startsWith('guides/') ? parts.map(([, , part = '']) => part.replaceAll('`', '')) : [],
    };
  });
}

/** Texts of the modules `virtual:facts`, `virtual:aliases` and `virtual:presets`, and of the files, by their paths in the site. */
export interface SiteFacts {
  readonly facts: string;
  readonly aliases: string;
  readonly presets: string;
  readonly files: ReadonlyMap<string, string>;
}

export async function siteFacts(packageFile: string): Promise<SiteFacts> {
  const { load, dataTypes, logMelPresets } = (await import(packageFile)) as typeof import('broadloom');
  const ops = await load();
  const rows = ops.operators();
  const known = factsOf(ops);
  const files = known.flatMap((one): [string, string][] => {
    const { name } = one.operator;
    const { en, zh } = wordsOf(name);
    return [
      [`${name}.json`, JSON.stringify(one)],
      [`en/${name}.json`, JSON.stringify(en)],
      [`zh/${name}.json`, JSON.stringify(zh)],
    ];
  });
  for (const [name, { en, zh }] of Object.entries(foreignWords)) {
    files.push([`en/${name}.json`, JSON.stringify(en)], [`zh/${name}.json`, JSON.stringify(zh)]);
  }
  // Files of another build never go with this page.
  const folder = `operators/${createHash('sha256').update(JSON.stringify(files)).digest('hex').slice(0, 12)}`;
  const first = known.filter(({ operator }) => operator.name === home);
  const index = indexOf(rows);
  const facts = { folder, home, groups: operatorGroups, index, foreign: foreignOperators, dataTypes, known: first };
  return {
    facts: `export default ${JSON.stringify(facts)}`,
    aliases: `export default ${JSON.stringify(aliasesOf(rows))};export const guides = ${JSON.stringify(guides())}`,
    presets: `export default ${JSON.stringify({ images: ops.presets, sounds: logMelPresets })}`,
    files: new Map(files.map(([path, text]) => [`${folder}/${path}`, text])),
  };
}
