// Which lines and branches of the kernels their tests run, and those of the operators. Fails when a line of src/kernels is not
// run.
import { readdirSync, rmSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { root, run } from './run.mjs';

const folder = 'src/kernels';
const build = join(root, 'build/coverage');
const gcovOptions = ['--json-format', '--stdout', '--branch-probabilities'];

// gcov reads what g++ writes; without optimisation every line keeps its own counter.
run(
  'cmake',
  [
    ...['-S', '.', '-B', build, '-G', 'Ninja', '-DCMAKE_BUILD_TYPE=', '-DCMAKE_CXX_COMPILER=g++'],
    '-DCMAKE_CXX_FLAGS=--coverage -O0 -fno-inline',
    '-DCCACHE=OFF', // a cached object may count in the folder of another checkout
  ],
  { quiet: true },
);
const programs = ['test_kernels', 'test_ops'];
run('cmake', ['--build', build, '--target', ...programs], { quiet: true });

// Counters add up over runs, and those of files that are gone would stay.
const filesOf = (suffix) => readdirSync(build, { recursive: true }).filter((file) => file.endsWith(suffix));
for (const file of filesOf('.gcda')) rmSync(join(build, file));
// Without the random tests: what is run must not depend on a seed.
for (const program of programs)
  run(join(build, 'tests', program), ['--gtest_brief=1', '--gtest_filter=-*.Random*'], { quiet: true });

/** File -> line -> { count, branches: how often each was taken }. */
const files = new Map(
  readdirSync(join(root, folder))
    .sort()
    .map((file) => [join(folder, file), new Map()]),
);
for (const counters of filesOf('.gcda')) {
  for (const { file, lines } of reportOn(counters)) {
    const merged = files.get(relative(root, resolve(root, file)));
    if (merged) for (const line of lines) merge(merged, line);
  }
}

// Headers need not have code of their own. A .cpp file without lines is one that no test links.
const rows = [...files]
  .filter(([file, lines]) => lines.size > 0 || file.endsWith('.cpp'))
  .map(([file, lines]) => ({ file, ...summaryOf([...lines]) }));
for (const { file, lines, linesRun, branches, taken } of rows) {
  console.log(`${file.padEnd(30)} ${share(linesRun, lines)} lines ${share(taken, branches)} branches`);
}
for (const { file, lines, notRun, notTaken } of rows) {
  if (notTaken.length > 0) console.log(`${file}: branches not taken in lines ${notTaken.join(', ')}`);
  if (notRun.length > 0) console.log(`${file}: lines not run: ${notRun.join(', ')}`);
  if (lines === 0) console.log(`${file}: not run at all`);
}
process.exit(rows.every(({ lines, linesRun }) => lines > 0 && linesRun === lines) ? 0 : 1);

function reportOn(counters) {
  return JSON.parse(run('gcov', [...gcovOptions, join(build, counters)], { quiet: true })).files;
}

/** A line comes once for each object and each instance of a template: it is run when it is in one of them. */
function merge(lines, { line_number, count, branches }) {
  if (!lines.has(line_number)) lines.set(line_number, { count: 0, branches: [] });
  const line = lines.get(line_number);
  line.count += count;
  for (const [i, branch] of branches.filter((one) => !one.throw).entries()) {
    line.branches[i] = (line.branches[i] ?? 0) + branch.count;
  }
}

function summaryOf(lines) {
  const branches = lines.flatMap(([, line]) => line.branches);
  const numbers = (chosen) => chosen.map(([number]) => number).sort((a, b) => a - b);
  const notRun = numbers(lines.filter(([, line]) => line.count === 0));
  return {
    lines: lines.length,
    linesRun: lines.length - notRun.length,
    branches: branches.length,
    taken: branches.filter((count) => count > 0).length,
    notRun,
    notTaken: numbers(lines.filter(([, line]) => line.count > 0 && line.branches.includes(0))),
  };
}

function share(part, whole) {
  if (whole === 0) return '-'.padStart(15);
  return `${`${part}/${whole}`.padStart(8)} ${`${Math.floor((part / whole) * 100)} %`.padStart(6)}`;
}
