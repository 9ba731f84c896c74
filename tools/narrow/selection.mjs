// Which tests the names of `npm run t` select.
import { pathsOf, stem } from './files.mjs';
import { nativeNames, nativeTestsIn, nativeTestsOf } from './native.mjs';
import { jestFilesOf, nodeRunsOf, operatorNames, scriptNames } from './scripts.mjs';

/** All names that select tests. */
export const knownNames = () => [...new Set([...operatorNames(), ...nativeNames(), ...scriptNames()])];

/** The tests of files that are tests; undefined where one is something else, whose name is looked for. */
function testsIn(paths) {
  const tests = paths.filter((path) => /(_test\.cpp|\.test\.(mjs|ts))$/.test(path));
  if (tests.length === 0) return undefined;
  const node = tests.filter((path) => path.endsWith('.test.mjs'));
  return {
    native: tests.filter((path) => path.endsWith('_test.cpp')).flatMap((path) => nativeTestsIn(path)),
    jest: { whole: tests.filter((path) => path.endsWith('.test.ts')), titled: [] },
    node: node.length > 0 ? [{ title: 'Suites', files: node }] : [],
  };
}

async function testsOfName(name) {
  const { whole, titled, written, pattern } = jestFilesOf(name);
  return {
    native: nativeTestsOf(name),
    jest: { whole, titled: titled.length > 0 ? [[pattern, titled]] : [] },
    node: await nodeRunsOf(name),
    isWritten: written.length > 0,
  };
}

/**
 * The tests that names select: of each file that is one of tests, of the name of each other file, and of each other name.
 *
 * @returns `native`, tests in C++; `jest`, files that run as a `whole` and files beside the pattern of their `titled` tests; `node`,
 *   runs of Node's test runner; `missing`, the names that are not those of anything
 */
export async function testsOf(names) {
  const found = { native: [], jest: { whole: [], titled: [] }, node: [], missing: [] };
  for (const argument of names) {
    const paths = pathsOf(argument);
    const name = paths.length > 0 ? stem(argument) : argument;
    const one = testsIn(paths) ?? (await testsOfName(name));
    const { native, jest, node, isWritten } = one;
    const isFound = native.length + jest.whole.length + node.length > 0 || isWritten;
    if (!isFound) found.missing.push(argument);
    found.native.push(...native);
    found.jest.whole.push(...jest.whole);
    found.jest.titled.push(...jest.titled);
    found.node.push(...node);
  }
  found.jest.whole = [...new Set(found.jest.whole)];
  return found;
}
