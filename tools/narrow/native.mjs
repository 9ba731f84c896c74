// The tests in C++ with a name: each layer's tests are one program (tests/CMakeLists.txt).
import { basename, relative } from 'node:path';
import { filesBelow, read, stem } from './files.mjs';
import { hasName, plain } from './words.mjs';

const layers = ['core', 'kernels', 'ops', 'media', 'graph', 'onnx'];

/** The tests of all files: `{ file, target, name, body }`. */
function allTests() {
  return layers.flatMap((layer) =>
    filesBelow(`tests/${layer}`, /_test\.cpp$/).flatMap((file) =>
      read(file)
        .split(/^(?=TEST(?:_F)?\()/m)
        .flatMap((body) => {
          const [, suite, test] = /^TEST(?:_F)?\((\w+),\s*(\w+)\)/.exec(body) ?? [];
          return suite === undefined ? [] : [{ file, target: `test_${layer}`, name: `${suite}.${test}`, body }];
        }),
    ),
  );
}

/** Whether the name is that of something that stands in no block of a source: a function, or a constant such as an operator. */
const defines = (source, name) =>
  source
    .split('\n')
    .some((line) => /^\w/.test(line) && [...line.matchAll(/(\w+)[({]/g)].some(([, id]) => plain(id) === plain(name)));

/** The names of the sources that define a name. */
const sourcesOf = (name) =>
  filesBelow('src', /\.cpp$/)
    .filter((file) => defines(read(file), name))
    .map(stem);

/**
 * The tests that have a name: in the path of their file, in their own name, or since the source of their file's name defines it.
 * Where none does, those that mention it.
 */
export function nativeTestsOf(name, all = allTests()) {
  const sources = new Set(sourcesOf(name));
  const found = all.filter(
    (one) =>
      hasName(
        relative('tests', one.file)
          .split('/')
          .slice(1)
          .join(' ')
          .replace(/_test\.cpp$/, ''),
        name,
      ) ||
      sources.has(stem(one.file)) ||
      hasName(one.name, name),
  );
  if (found.length > 0) return found;
  return all.filter(({ body }) => (body.match(/\w+/g) ?? []).some((word) => plain(word) === plain(name)));
}

/** The tests of a file. */
export const nativeTestsIn = (file, all = allTests()) => all.filter((one) => one.file === file);

/** Names by which C++ is known: files of kernels and operators, and passes. */
export function nativeNames() {
  const passes = [...read('src/graph/passes/passes.inc').matchAll(/^PASS\((\w+)/gm)].map(([, name]) => name);
  const sources = ['src', ...layers.map((layer) => `tests/${layer}`)].flatMap((folder) => filesBelow(folder, /\.cpp$/));
  return [...passes, ...sources.map((file) => stem(basename(file)))];
}

/** The programs and the filters of GoogleTest that select tests: `[target, names]`. */
export function selectionOf(tests) {
  const byTarget = new Map();
  for (const { target, name } of tests) byTarget.set(target, (byTarget.get(target) ?? new Set()).add(name));
  return [...byTarget].map(([target, names]) => ({ target, names: [...names] }));
}
