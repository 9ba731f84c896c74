// The playground's texts: both languages are complete.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { dataTypes, load, type OperatorVersion } from 'broadloom';
import { foreignWords, operatorGroups, operatorWords } from '../../../tools/operators/words.mjs';
import { documented } from '../helpers/documented.js';

const languages = ['en', 'zh'] as const;
type Texts<T> = { [Language in (typeof languages)[number]]: { [name: string]: T } };

const folder = '../../../web-demo/src/texts';
const parts = readdirSync(new URL(folder, import.meta.url))
  .filter((file) => file.endsWith('.ts') && file !== 'texts.ts')
  .map((file) => file.slice(0, -'.ts'.length));

/** Every export of every part that has texts. */
const modules = new Map<string, Texts<unknown>>();
for (const part of parts) {
  for (const [name, value] of Object.entries(await import(`${folder}/${part}.js`))) {
    if (name.endsWith('Texts')) modules.set(name, value as Texts<unknown>);
  }
}

const schemas: readonly { readonly operator: string }[] = JSON.parse(
  readFileSync(new URL('../../../data/schemas.json', import.meta.url), 'utf8'),
).rows;

const inLanguage = (language: (typeof languages)[number]) =>
  Object.fromEntries(Object.entries(operatorWords).map(([name, words]) => [name, words[language]]));
const operatorTexts = { en: inLanguage('en'), zh: inLanguage('zh') };
const foreignIn = (language: (typeof languages)[number]) =>
  Object.fromEntries(Object.entries(foreignWords).map(([name, words]) => [name, words[language]]));
const foreignTexts = { en: foreignIn('en'), zh: foreignIn('zh') };
modules.set('operatorTexts', operatorTexts).set('foreignTexts', foreignTexts);
const typeTexts = modules.get('typeTexts') as Texts<string>;
const operators = (await load({})).operators();

/** The texts within a value, each with its path. */
function leaves(value: unknown, path: string): [path: string, text: unknown][] {
  if (typeof value !== 'object' || value === null) return [[path, value]];
  return Object.entries(value).flatMap(([name, part]) => leaves(part, `${path}/${name}`));
}

const kinds = (value: unknown) => new Map(leaves(value, '').map(([path, text]) => [path, typeof text]));
const namesIn = (versions: readonly OperatorVersion[], kind: 'inputs' | 'outputs' | 'attributes') =>
  [...new Set(versions.flatMap((version) => version[kind].map(({ name }) => name)))].sort();

for (const language of languages) {
  test.each(operators)(
    `in ${language}, $name has a text for each of its names, and none for others`,
    ({ name, versions }) => {
      const text = operatorTexts[language][name];
      for (const kind of ['inputs', 'outputs', 'attributes'] as const) {
        expect(Object.keys(text[kind]).sort()).toEqual(namesIn(versions, kind));
      }
      const known = versions.map(({ sinceVersion }) => String(sinceVersion));
      expect(known).toEqual(expect.arrayContaining(Object.keys(text.versions ?? {})));
      expect(text.summary).toMatch(/[.\u3002]$/);
      expect(text.details.length).toBeGreaterThan(0);
    },
  );

  test(`in ${language}, operators, element types and hand-written examples have texts, and nothing else has`, () => {
    expect(Object.keys(operatorTexts[language]).sort()).toEqual(operators.map(({ name }) => name).sort());
    expect(Object.keys(typeTexts[language]).sort()).toEqual(dataTypes.map(({ name }) => name).sort());
    const told = Object.entries(operatorTexts[language]).flatMap(([operator, { examples }]) =>
      Object.keys(examples ?? {}).map((name) => `${operator} ${name}`),
    );
    expect(told.sort()).toEqual(documented.map(({ operator, title }) => `${operator} ${title}`).sort());
  });
}

test.each([...modules])('%s have the same names and kinds of text in both languages', (_, { en, zh }) => {
  expect(kinds(zh)).toEqual(kinds(en));
});

test.each([...modules])('no text of %s is empty', (_, both) => {
  const blank = leaves(both, '').filter(([, text]) => typeof text === 'string' && text.trim() === '');
  expect(blank).toEqual([]);
});

const told = { operatorTexts, foreignTexts, typeTexts };

test.each(Object.entries(told))('%s are in Chinese in zh, in English in en', (_, { en, zh }) => {
  const inHan = ([, text]: [string, unknown]) => /\p{Script=Han}/u.test(String(text));
  expect(leaves(zh, '').filter((leaf) => !inHan(leaf))).toEqual([]);
  expect(leaves(en, '').filter(inHan)).toEqual([]);
});

test.each(Object.entries(told))('no text of %s is the same in both languages', (_, { en, zh }) => {
  const english = new Set(leaves(en, '').map(([, text]) => text));
  expect(leaves(zh, '').filter(([, text]) => english.has(text))).toEqual([]);
});

test.each(Object.entries(told))('in zh, %s have full-width punctuation beside Chinese characters', (_, { zh }) => {
  const halfWidth = /\p{Script=Han}\s*[,;:!?()]|[,;:!?()]\s*\p{Script=Han}/u;
  // Shapes and lists are written as in code, with commas.
  const withoutShapes = (text: unknown) => String(text).replaceAll(/\[.*?\]/g, '0');
  expect(leaves(zh, '').filter(([, text]) => halfWidth.test(withoutShapes(text)))).toEqual([]);
});

test('every operator is in a group, every group has operators, and all have names to be found by', () => {
  const all = Object.entries({ ...operatorWords, ...foreignWords });
  for (const [name, { group, aliases }] of all) {
    expect([name, operatorGroups.map((one) => one.name)]).toEqual([name, expect.arrayContaining([group])]);
    expect([name, aliases.length]).not.toEqual([name, 0]);
    expect(new Set(aliases).size).toBe(aliases.length);
  }
  const used = new Set(all.map(([, { group }]) => group));
  expect(operatorGroups.filter(({ name }) => !used.has(name))).toEqual([]);
});

test('all other operators of ONNX have a sentence in each language', () => {
  const own = operators.map(({ name }) => name);
  const others = [...new Set(schemas.map(({ operator }) => operator))].filter((name) => !own.includes(name));
  expect(Object.keys(foreignWords)).toEqual(others.sort());
  for (const { en, zh } of Object.values(foreignWords)) {
    expect([en.summary, zh.summary]).toEqual([expect.stringMatching(/\.$/), expect.stringMatching(/。$/)]);
  }
});

test('parts of the site have the names that people search for', () => {
  const wordsOf = (part: string): unknown[] => leaves(modules.get(part)?.en, '').map(([, text]) => text);
  for (const [part, words] of Object.entries({
    siteTexts: ['Benchmark', 'System', 'Share'],
    benchmarkTexts: ['Benchmark'],
    tryTexts: ['Export', 'Undo', 'Copy link'],
    viewerTexts: ['Min', 'Max', 'Mean', 'Layout', 'Memory usage'],
    modelsTexts: ['Graph', 'Run', 'Unsupported operators'],
    simplifyTexts: ['Simplify', 'Operators', 'Before', 'After'],
  })) {
    expect(wordsOf(part)).toEqual(expect.arrayContaining(words));
  }
});
