// How many lines and branches of src/ the native tests and the fuzzers' corpora run. A branch is a condition that was true, or one
// that was false. Prints the share of each folder, and with --files that of each file; with --missing, the lines that none runs.
// Fails below the least shares.
import { readdirSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { corpusOf, filesIn, natives, regressionsOf, unpack } from './fuzz/targets.mjs';
import { root, run } from './run.mjs';

const least = { lines: 97, branches: 90 };
const build = join(root, 'build/coverage');
const layers = ['core', 'kernels', 'ops', 'media', 'graph', 'onnx'];

run('cmake', ['--preset', 'coverage'], { quiet: true });
run('cmake', ['--build', '--preset', 'coverage', '--target', 'all', 'fuzzers'], { quiet: true });
unpack();
for (const file of readdirSync(build).filter((name) => /\.prof(raw|data)$/.test(name))) rmSync(join(build, file));
/** Where a program is, and what it is given. */
const programs = [
  ...layers.map((layer) => ({ path: join(build, 'tests', `test_${layer}`), args: ['--gtest_brief=1'] })),
  ...natives.map(({ name }) => ({
    path: join(build, 'tests/fuzz', `fuzz_${name}`),
    args: ['-runs=0', ...[corpusOf(name), regressionsOf(name)].filter((place) => filesIn(place).length > 0)],
  })),
];
const written = programs.map(({ path, args }, i) => {
  const file = join(build, `${i}.profraw`);
  run(path, args, { quiet: true, env: { LLVM_PROFILE_FILE: file } });
  return file;
});

const profile = join(build, 'all.profdata');
run('llvm-profdata', ['merge', '-sparse', ...written, '-o', profile]);
const objects = [programs[0].path, ...programs.slice(1).flatMap(({ path }) => ['-object', path])];
const cover = (command, ...args) =>
  run('llvm-cov', [command, ...objects, `-instr-profile=${profile}`, ...args], { quiet: true });
const { files } = JSON.parse(cover('export', '-summary-only', '-ignore-filename-regex=/(tests|usr|_deps)/')).data[0];

const rows = files
  .map(({ filename, summary }) => ({ file: relative(root, filename), ...summary }))
  .filter(({ file }) => file.startsWith('src/'));
const share = ({ covered, count }) => (count === 0 ? 100 : (100 * covered) / count);
const percent = (counts) => `${share(counts).toFixed(1)} %`.padStart(8);
const sum = (list, key) => ({
  count: list.reduce((all, row) => all + row[key].count, 0),
  covered: list.reduce((all, row) => all + row[key].covered, 0),
});
const tell = (name, list) =>
  console.log(
    `${name.padEnd(44)} ${percent(sum(list, 'lines'))} of ${`${sum(list, 'lines').count}`.padStart(6)} lines ${percent(sum(list, 'branches'))} of ${`${sum(list, 'branches').count}`.padStart(6)} branches`,
  );
if (process.argv.includes('--files')) for (const row of rows) tell(row.file, [row]);
if (process.argv.includes('--missing')) {
  for (const { file, lines } of rows.filter((row) => row.lines.covered < row.lines.count)) {
    const shown = cover('show', join(root, file)).split('\n');
    console.log(`${file}: ${lines.count - lines.covered} lines`);
    for (const line of shown.filter((text) => /^ *\d+\| +0\|/.test(text))) console.log(`  ${line}`);
  }
}
for (const layer of layers) {
  const own = rows.filter(({ file }) => file.startsWith(`src/${layer}/`));
  tell(`src/${layer}`, own);
}
tell('src', rows);
process.exit(Object.entries(least).every(([key, wanted]) => share(sum(rows, key)) >= wanted) ? 0 : 1);
