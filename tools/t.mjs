// npm run t -- NAME...: builds what is needed and runs all tests with a name. A name is that of an operator, a kernel, a pass, or a
// file of the project. It runs tests in C++ under sanitizers, Jest's, the comparison with onnxruntime-node, growth, and each suite
// whose file has the name. The last line says how many ran.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { compile, configureOnce } from './build/compile.mjs';
import { stem } from './narrow/files.mjs';
import { selectionOf } from './narrow/native.mjs';
import { needsPackage, needsSite } from './narrow/scripts.mjs';
import { knownNames, testsOf } from './narrow/selection.mjs';
import { Progress } from './progress.mjs';
import { root } from './run.mjs';
import { refuse, UsageError } from './usage.mjs';

// As in `npm test`: a change is to blame for what fails, not chance.
process.env.BROADLOOM_SEED ??= '1';

const progress = new Progress();
const folder = mkdtempSync(join(tmpdir(), 'broadloom-t-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

/** The known names that are near to one that nothing has. */
async function nearTo(name) {
  const { code } = transformSync(readFileSync(join(root, 'shared/names.ts'), 'utf8'), { loader: 'ts', format: 'esm' });
  const { nearNames } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  return nearNames(name, knownNames()).slice(0, 5);
}

function start(command, args, env = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (part) => {
        output += part;
      });
    child.on('error', (error) => resolve({ status: 1, output: error.message }));
    child.on('close', (status) => resolve({ status: status ?? 1, output }));
  });
}

/** Does several things at the same time, where there are processors for it. */
async function together(works) {
  if (availableParallelism() > 1) await Promise.all(works.map((work) => work()));
  else for (const work of works) await work();
}

const totals = { executed: 0, failed: 0 };
let isBroken = false;

/** Prints a part's counts and time; its output where it failed. */
function report(title, started, { output, executed, failed, wanted = 0 }) {
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  totals.executed += executed;
  totals.failed += failed;
  progress.log(`${title}: ${executed} tests${failed > 0 ? `, ${failed} failed` : ''} (${seconds} s)`);
  if (executed < wanted) progress.log(`${title}: wanted ${wanted} tests`);
  if (failed > 0 || output !== undefined) isBroken = true;
  if (executed < wanted) isBroken = true;
  if (output !== undefined) progress.log(output);
}

/** A step that builds. Prints its output where it failed, and returns whether it succeeded. */
async function build(title, work) {
  const started = performance.now();
  const fault = await work();
  progress.log(`${title}: built (${((performance.now() - started) / 1000).toFixed(1)} s)`);
  if (fault === undefined) return true;
  progress.log(fault);
  isBroken = true;
  return false;
}

let files = 0;
const newFile = () => join(folder, `${files++}.json`);

const readCounts = (file) => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined; // the program ended before it wrote them
  }
};

/** The variables that ctest sets for the tests of a program, besides those that choose a shard. */
async function environments() {
  const { output } = await start('ctest', ['--preset', 'sanitize', '--show-only=json-v1']);
  const { tests } = JSON.parse(output.slice(output.indexOf('{')));
  // A program that is not built has no command.
  const built = tests.filter(({ command }) => command !== undefined);
  return new Map(
    built.map(({ command, properties }) => {
      const { value } = properties.find(({ name }) => name === 'ENVIRONMENT');
      const pairs = value.map((text) => [text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1)]);
      return [command[0].split('/').at(-1), Object.fromEntries(pairs.filter(([name]) => !name.startsWith('GTEST_')))];
    }),
  );
}

async function runNative(tests) {
  const chosen = selectionOf(tests);
  configureOnce('sanitize');
  const targets = chosen.map(({ target }) => target);
  if (!(await build('C++', () => compile('sanitize', targets, { progress, title: 'C++' })))) return;
  const known = await environments();
  for (const { target, names } of chosen) {
    const started = performance.now();
    const file = newFile();
    const args = [`--gtest_filter=${names.join(':')}`, '--gtest_brief=1', `--gtest_output=json:${file}`];
    const { status, output } = await start(join(root, 'build/sanitize/tests', target), args, known.get(target));
    const counts = readCounts(file);
    report(target, started, {
      output: status === 0 ? undefined : output,
      executed: counts === undefined ? 0 : counts.tests - counts.disabled,
      failed: counts?.failures ?? 0,
      wanted: names.length,
    });
  }
}

async function runJest(files, pattern) {
  if (files.length === 0) return;
  const started = performance.now();
  const file = newFile();
  const options = pattern === undefined ? [] : [`--testNamePattern=${pattern}`];
  const { status, output } = await start('node', [
    ...['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js'],
    ...['--json', `--outputFile=${file}`, ...options, '--runTestsByPath', ...files],
  ]);
  const counts = readCounts(file);
  const [passed, failed] = [counts?.numPassedTests ?? 0, counts?.numFailedTests ?? 0];
  const title = pattern === undefined ? `Jest, ${files.map(stem).join(', ')}` : 'Jest, by titles';
  report(title, started, { output: status === 0 ? undefined : output, executed: passed + failed, failed });
}

async function runNode({ title, files, patterns = [] }) {
  const started = performance.now();
  const file = newFile();
  const { status, output } = await start('node', [
    ...['--test', '--test-concurrency=2', '--test-reporter=spec', '--test-reporter-destination=stdout'],
    ...['--test-reporter=./tools/narrow/count-reporter.mjs', `--test-reporter-destination=${file}`],
    ...patterns.map((pattern) => `--test-name-pattern=${pattern}`),
    ...files,
  ]);
  const { executed, failed } = readCounts(file) ?? { executed: 0, failed: 0 };
  const named = patterns.length > 0 ? title : `${title}, ${files.map(stem).join(', ')}`;
  report(named, started, { output: status === 0 ? undefined : output, executed, failed });
}

async function runScripts({ jest, node }) {
  const files = node.flatMap((one) => one.files);
  const tool = async (...args) => {
    const { status, output } = await start('node', args);
    return status === 0 ? undefined : output;
  };
  const kind = files.some(needsPackage) ? [] : ['--dev'];
  if (!(await build('Package', () => tool('tools/build.mjs', '--quiet', ...kind)))) return;
  if (files.some(needsSite) && !(await build('Playground', () => tool('tools/playground.mjs')))) return;
  const runAllOfJest = async () => {
    await runJest(jest.whole);
    for (const [pattern, titled] of jest.titled) await runJest(titled, pattern);
  };
  const runAllOfNode = async () => {
    for (const one of node) await runNode(one);
  };
  await together([runAllOfJest, runAllOfNode]);
}

try {
  const names = process.argv.slice(2);
  if (names.length === 0) throw new UsageError('which tests? npm run t -- Softmax');
  const { native, jest, node, missing } = await testsOf(names);
  for (const name of missing) {
    const near = await nearTo(name);
    throw new UsageError(`no test has the name '${name}'${near.length > 0 ? `; near it: ${near.join(', ')}` : ''}`);
  }
  const hasScripts = jest.whole.length + jest.titled.length + node.length > 0;
  await together([() => native.length > 0 && runNative(native), () => hasScripts && runScripts({ jest, node })]);
  if (totals.executed === 0) isBroken = true;
  const failures = totals.failed > 0 ? `, ${totals.failed} failed` : isBroken ? '; not all could run' : '';
  progress.log(`${totals.executed} tests with the name ${names.join(', ')} were executed${failures}`);
  process.exitCode = isBroken ? 1 : 0;
} catch (error) {
  refuse(error);
}
