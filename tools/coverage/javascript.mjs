// Coverage of js/src by the tests of JavaScript: those in Jest, and those that start processes of Node. They run in a copy of the
// project whose package is not minified, since its source maps lead to each line.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import coverage from 'monocart-coverage-reports';
import { copyProject } from '../project-copy.mjs';
import { root } from '../run.mjs';

const place = join(root, 'build/coverage-js');
const tree = join(place, 'tree');
const covered = join(place, 'covered');

/** Runs Node in the copy. */
function inTree(args, env = {}) {
  const result = spawnSync('node', args, { cwd: tree, env: { ...process.env, ...env }, encoding: 'utf8' });
  if (result.status === 0) return;
  console.error(`${result.stdout}${result.stderr}`);
  throw new Error(`failed: node ${args.join(' ')}`);
}

/** The copy, with a package that is not minified. */
function makeTree() {
  const packages = ['', 'web-demo', 'tests/models', 'tests/consumers'].map((folder) => join(folder, 'node_modules'));
  copyProject(tree, { ignored: ['js/src/*/*.generated.ts'], linked: ['build/types', ...packages] });
  cpSync(join(root, 'dist'), join(tree, 'dist'), { recursive: true });
  inTree([
    '--eval',
    "import('./tools/build/package-js.mjs').then((it) => it.packageJavaScript({ isMinified: false }))",
  ]);
}

function runTests() {
  mkdirSync(covered);
  const config = join(place, 'jest.config.mjs');
  const changed = {
    rootDir: tree,
    collectCoverage: true,
    coverageProvider: 'v8',
    collectCoverageFrom: ['dist/**/*.js'],
    reporters: ['default', [join(root, 'tools/coverage/jest-reporter.mjs'), { folder: covered }]],
  };
  writeFileSync(
    config,
    `import base from './tree/jest.config.mjs';\nexport default { ...base, ...${JSON.stringify(changed)} };\n`,
  );
  inTree(['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js', '--config', config]);
  inTree(['--test', 'tests/workers/', 'tests/cli/'], { NODE_V8_COVERAGE: covered });
}

/** Tests kill some processes, also while they write. */
function dropIncomplete() {
  for (const file of readdirSync(covered).map((name) => join(covered, name))) {
    try {
      JSON.parse(readFileSync(file, 'utf8'));
    } catch {
      rmSync(file);
    }
  }
}

/** A file's row, from what is known of it in each of the package's entries that contain it. */
function rowOf(sameFile) {
  const lines = new Map();
  const branches = new Map();
  for (const { data } of sameFile) {
    // A line that ran in part has a text such as '1/2'.
    for (const [line, count] of Object.entries(data.lines)) lines.set(line, count !== 0 || lines.get(line) === true);
    for (const { start, end, count } of data.branches) {
      const branch = `${start} ${end}`;
      branches.set(branch, count > 0 || branches.get(branch) === true);
    }
  }
  const counts = (map) => ({ count: map.size, covered: [...map.values()].filter(Boolean).length });
  const texts = sameFile[0].source.split('\n');
  return {
    file: /js\/src\/.*/.exec(sameFile[0].sourcePath)[0],
    lines: counts(lines),
    branches: counts(branches),
    missing: [...lines].filter(([, isCovered]) => !isCovered).map(([line]) => `${line}| ${texts[line - 1]}`),
  };
}

/** Resolves to rows { file, lines, branches, missing }: counts { count, covered }, and the lines that no test runs. */
export async function coverageOfJavaScript() {
  rmSync(place, { recursive: true, force: true });
  makeTree();
  runTests();
  const report = new coverage.CoverageReport({
    outputDir: join(place, 'report'),
    reports: ['v8-json'],
    logging: 'error',
    entryFilter: ({ url }) => url.includes('/coverage-js/tree/dist/'),
    sourceFilter: (path) => /js\/src\/[^/]+\.ts$/.test(path),
  });
  dropIncomplete();
  await report.addFromDir(covered);
  const { files } = await report.generate();
  // The scripts of workers have no source map. Generated files are declarations.
  const mapped = files.filter(({ sourcePath }) => /js\/src\/[^.]+\.ts$/.test(sourcePath));
  const sources = [...new Set(mapped.map(({ source }) => source))];
  return sources
    .map((source) => rowOf(mapped.filter((one) => one.source === source)))
    .sort((a, b) => (a.file < b.file ? -1 : 1));
}
