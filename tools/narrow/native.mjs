// The tests in C++ with a name: each layer's tests are one program (tests/CMakeLists.txt).
import { relative } from 'node:path';
import { passNames } from '../tables.mjs';
import { filesBelow, once, read, stem } from './files.mjs';
import { hasName, plain } from './words.mjs';

const layers = ['core', 'kernels', 'ops', 'media', 'graph', 'onnx'];

/** The tests of all files: `{ file, target, name, body }`. */
const allTests = once(() =>
  layers.flatMap((layer) =>
    filesBelow(`tests/${layer}`, /_test\.cpp$/).flatMap((file) =>
      read(file)
        .split(/^(?=TEST(?:_F)?\()/m)
        .flatMap((body) => {
          const [, suite, test] = /^TEST(?:_F)?\((\w+),\s*(\w+)\)/.exec(body) ?? [];
          return suite === undefined ? [] : [{ file, target: `test_${layer}`, name: `${suite}.${test}`, body }];
        }),
    ),
  ),
);

/** By names, the stems of sources that define them: functions, and constants such as operators, that stand in no block. */
const definitions = once(() => {
  const found = new Map();
  for (const file of filesBelow('src', /\.cpp$/)) {
    const lines = read(file).match(/^\w.*/gm) ?? [];
    for (const [, id] of lines.flatMap((line) => [...line.matchAll(/(\w+)(?:[({]| = |\)(?:\{| =))/g)])) {
      const name = plain(id);
      found.set(name, (found.get(name) ?? new Set()).add(stem(file)));
    }
  }
  return found;
});

const folderAndStem = (file) => relative('tests', file).split('/').slice(1, -1).concat(stem(file)).join(' ');

/**
 * The tests that have a name: in the path of their file, in their own name, or since the source of their file's name defines it.
 * Where none does, those that mention it, or else those of files that do.
 */
export function nativeTestsOf(name) {
  const sources = new Set(definitions().get(plain(name)));
  const found = allTests().filter(
    (one) => hasName(folderAndStem(one.file), name) || sources.has(stem(one.file)) || hasName(one.name, name),
  );
  if (found.length > 0) return found;
  const mentions = (text) => (text.match(/\w+/g) ?? []).some((word) => plain(word) === plain(name));
  const mentioning = allTests().filter(({ body }) => mentions(body));
  if (mentioning.length > 0) return mentioning;
  const files = new Set([...new Set(allTests().map(({ file }) => file))].filter((file) => mentions(read(file))));
  return allTests().filter(({ file }) => files.has(file));
}

/** The tests of a file. */
export const nativeTestsIn = (file) => allTests().filter((one) => one.file === file);

/** Names by which C++ is known: files of kernels and operators, and passes. */
export function nativeNames() {
  const sources = ['src', ...layers.map((layer) => `tests/${layer}`)].flatMap((folder) => filesBelow(folder, /\.cpp$/));
  return [...passNames, ...sources.map(stem)];
}

/** The programs and the filters of GoogleTest that select tests: `[target, names]`. */
export function selectionOf(tests) {
  const byTarget = new Map();
  for (const { target, name } of tests) byTarget.set(target, (byTarget.get(target) ?? new Set()).add(name));
  return [...byTarget].map(([target, names]) => ({ target, names: [...names] }));
}
