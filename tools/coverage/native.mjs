// Coverage of src by the native tests and the fuzzers' corpora. A branch is a condition that was true, or one that was false.
import { readdirSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { corpusOf, filesIn, natives, regressionsOf, unpack } from '../fuzz/targets.mjs';
import { root, run } from '../run.mjs';

export const layers = ['core', 'kernels', 'ops', 'media', 'graph', 'onnx'];
const build = join(root, 'build/coverage');

/** Programs, and what each is given. */
const programs = [
  ...layers.map((layer) => ({ path: join(build, 'tests', `test_${layer}`), args: () => ['--gtest_brief=1'] })),
  ...natives.map(({ name }) => ({
    path: join(build, 'tests/fuzz', `fuzz_${name}`),
    args: () => ['-runs=0', ...[corpusOf(name), regressionsOf(name)].filter((place) => filesIn(place).length > 0)],
  })),
];

/** Rows { file, lines, branches, missing }: counts { count, covered }, and the lines that no test runs, if they are wanted. */
export function coverageOfNative({ wantsMissing }) {
  run('cmake', ['--preset', 'coverage'], { quiet: true });
  run('cmake', ['--build', '--preset', 'coverage', '--target', 'all', 'fuzzers'], { quiet: true });
  unpack();
  for (const file of readdirSync(build).filter((name) => /\.prof(raw|data)$/.test(name))) rmSync(join(build, file));
  // More random cases than an ordinary run has: without sanitizers they take seconds.
  const cases = { BROADLOOM_FUZZ_CASES: '3000' };
  const written = programs.map(({ path, args }, i) => {
    const file = join(build, `${i}.profraw`);
    run(path, args(), { quiet: true, env: { ...cases, ...process.env, LLVM_PROFILE_FILE: file } });
    return file;
  });
  const profile = join(build, 'all.profdata');
  run('llvm-profdata', ['merge', '-sparse', ...written, '-o', profile]);
  const objects = [programs[0].path, ...programs.slice(1).flatMap(({ path }) => ['-object', path])];
  const cover = (command, ...args) =>
    run('llvm-cov', [command, ...objects, `-instr-profile=${profile}`, ...args], { quiet: true });
  const { files } = JSON.parse(cover('export', '-summary-only', '-ignore-filename-regex=/(tests|usr|_deps)/')).data[0];
  const missing = (file, { count, covered }) =>
    !wantsMissing || covered === count
      ? []
      : cover('show', join(root, file))
          .split('\n')
          .filter((text) => /^ *\d+\| +0\|/.test(text));
  return files
    .map(({ filename, summary: { lines, branches } }) => ({ file: relative(root, filename), lines, branches }))
    .filter(({ file }) => file.startsWith('src/'))
    .map((row) => ({ ...row, missing: missing(row.file, row.lines) }));
}
