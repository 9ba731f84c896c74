// The tests in JavaScript with a name: those of Jest (tests/js), and the suites of Node's test runner.
import { join } from 'node:path';
import { filesBelow, read, stem } from './files.mjs';
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

/** Files from which tests take names of operators for their titles. */
const tables = /schemas\.json|operators\.inc|data\/operators|\.operators\(\)|onnx-tests|examples\.(?:mjs|js|json)/;

/**
 * The files of Jest's tests that have a name: `whole` in their own name, and `titled` perhaps in a title, which they write or take
 * from a table of operators.
 */
export function jestFilesOf(name) {
  const files = filesBelow('tests/js', /\.ts$/);
  const known = new Set(files);
  const tests = files.filter((file) => file.endsWith('.test.ts'));
  const whole = tests.filter((file) => hasName(stem(file), name));
  const pattern = new RegExp(patternOf(name), 'i');
  const titled = tests.filter((file) => {
    if (whole.includes(file)) return false;
    const text = textWithHelpers(file, known);
    return tables.test(text) || pattern.test(text);
  });
  return { whole, titled, pattern: patternOf(name) };
}

/** The operators that run as a call: each has a file of words. */
export const operatorNames = () => filesBelow('data/operators', /\.json$/).map(stem);

/** The things whose growth is measured that have a name: it stands in what they are called, or in what makes them. */
async function growthOf(name) {
  const tables = await Promise.all(
    filesBelow('tests/growth', /^(?!builders|measure|growth).*\.mjs$/).map((file) => import(join('../..', file))),
  );
  const makes = (make) => (`${make}`.match(/\w+/g) ?? []).some((word) => plain(word) === plain(name));
  return tables.flatMap(({ default: table }) =>
    Object.entries(table).flatMap(([thing, [, make]]) => (hasName(thing, name) || makes(make) ? [thing] : [])),
  );
}

const nodeTests = () => filesBelow('tests', /\.test\.mjs$/).filter((file) => !file.startsWith('tests/js/'));

/**
 * The runs of Node's test runner that have a name: `{ title, files, patterns }`, where no patterns select all tests of the files.
 * They are the files with the name in their own, the operator's comparison with onnxruntime-node, and growth.
 */
export async function nodeRunsOf(name) {
  const files = nodeTests().filter((file) => hasName(stem(file), name));
  const runs = files.length > 0 ? [{ title: 'Suites', files }] : [];
  const operators = operatorNames().filter((operator) => hasName(operator, name));
  const comparison = 'tests/differential/differential.test.mjs';
  if (operators.length > 0 && !files.includes(comparison))
    runs.push({ title: 'Differential', files: [comparison], patterns: [`^(?:${operators.join('|')}) has the oracle`] });
  const things = await growthOf(name);
  const growth = 'tests/growth/growth.test.mjs';
  if (things.length > 0 && !files.includes(growth))
    runs.push({ title: 'Growth', files: [growth], patterns: [`the count of (?:${things.map(escaped).join('|')})$`] });
  return runs;
}

/** The names of suites' files. */
export const scriptNames = () => [...nodeTests(), ...filesBelow('tests/js', /\.test\.ts$/)].map(stem);
