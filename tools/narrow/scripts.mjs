// The tests in JavaScript with a name: those of Jest (tests/js), and the suites of Node's test runner.
import { join } from 'node:path';
import { microsoftGenerators } from '../../tests/differential/microsoft-generators.mjs';
import { operatorWords } from '../operators/words.mjs';
import { filesBelow, once, read, stem } from './files.mjs';
import { escaped, hasName, patternOf, plain } from './words.mjs';

/** The texts of a file of tests and of the helpers in tests that it imports. */
function textWithHelpers(file, known, seen = new Set()) {
  if (seen.has(file)) return '';
  seen.add(file);
  const text = read(file);
  const imported = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)]
    .map(([, path]) => join(file, '..', path).replace(/\.js$/, '.ts'))
    .filter((path) => known.has(path));
  return text + imported.map((path) => textWithHelpers(path, known, seen)).join('');
}

const jestTexts = once(() => {
  const known = new Set(filesBelow('tests/js', /\.ts$/));
  return new Map(filesBelow('tests/js', /\.test\.ts$/).map((file) => [file, textWithHelpers(file, known)]));
});

/** Files from which tests take names of operators for their titles. */
const tables = /schemas\.json|operators\/words|data\/operators|\.operators\(\)|onnx-tests|examples\.(?:mjs|js|json)/;

/**
 * The files of Jest's tests that have a name: `whole` in their own name, and `titled` perhaps in a title, which they take from a
 * table of operators or, if they are `written`, have in their text.
 */
export function jestFilesOf(name) {
  const texts = jestTexts();
  const tests = [...texts.keys()];
  const whole = tests.filter((file) => hasName(stem(file), name));
  const pattern = new RegExp(patternOf(name), 'i');
  const others = tests.filter((file) => !whole.includes(file));
  const written = others.filter((file) => pattern.test(texts.get(file)));
  const isOperator = operatorNames().some((operator) => hasName(operator, name));
  const isTable = (file) => isOperator && tables.test(texts.get(file));
  const titled = others.filter((file) => written.includes(file) || isTable(file));
  return { whole, titled, written, pattern: patternOf(name) };
}

/** The comparisons of operators with onnxruntime-node: the files, and the operators. */
const comparisons = [
  ['tests/differential/differential.test.mjs', Object.keys(operatorWords)],
  ['tests/differential/microsoft.test.mjs', Object.keys(microsoftGenerators)],
];

export const operatorNames = () => comparisons.flatMap(([, operators]) => operators);

/** The things whose growth is measured, with the words of what makes each. */
const growing = once(async () => {
  const files = filesBelow('tests/growth', /(?<!builders|measure|growth\.test)\.mjs$/);
  const tables = await Promise.all(files.map((file) => import(join('../..', file))));
  return tables.flatMap(({ default: table }) =>
    Object.entries(table).map(([thing, [, make]]) => ({ thing, words: new Set(`${make}`.match(/\w+/g)?.map(plain)) })),
  );
});

/** The things whose growth is measured that have a name: it stands in what they are called, or in what makes them. */
const growthOf = async (name) =>
  (await growing()).flatMap(({ thing, words }) => (words.has(plain(name)) || hasName(thing, name) ? [thing] : []));

const textOfNodeTest = (file) => textWithHelpers(file, new Set(filesBelow('tests', /\.mjs$/)));

/**
 * Whether a suite is about the package as it is published: it packs or measures it, or looks at its files. No development build will
 * do.
 */
export function needsPackage(file) {
  const text = textOfNodeTest(file);
  const looks = file.startsWith('tests/package/') && /\bdist\b/.test(text);
  return looks || /tools\/(?:pack|build|build\/build-for|check\/sizes)\.mjs|(?<!tools\/)build\/wasm/.test(text);
}

/** Whether a suite visits the built playground. */
export const needsSite = (file) => textOfNodeTest(file).includes('build/playground');

const nodeTests = () => filesBelow('tests', /\.test\.mjs$/);

/**
 * The runs of Node's test runner that have a name: `{ title, files, patterns }`, where no patterns select all tests of the files.
 * They are the files with the name in their own, the operator's comparison with onnxruntime-node, and growth.
 */
export async function nodeRunsOf(name) {
  const files = nodeTests().filter((file) => hasName(stem(file), name));
  const runs = files.length > 0 ? [{ title: 'Suites', files }] : [];
  for (const [file, operators] of comparisons) {
    const named = operators.filter((operator) => hasName(operator, name));
    if (named.length > 0 && !files.includes(file))
      runs.push({ title: 'Differential', files: [file], patterns: [`^(?:${named.join('|')}) has the oracle`] });
  }
  const things = await growthOf(name);
  const growth = 'tests/growth/growth.test.mjs';
  if (things.length > 0 && !files.includes(growth))
    runs.push({ title: 'Growth', files: [growth], patterns: [`the count of (?:${things.map(escaped).join('|')})$`] });
  return runs;
}

/** The names of suites' files. */
export const scriptNames = () => [...nodeTests(), ...filesBelow('tests/js', /\.test\.ts$/)].map(stem);
