// The whole test run: build, types, native tests under sanitizers, Jest on the built package, and all that uses it. With --deep
// (`npm run test:deep`), many times the damaged files and random cases, every browser test in every browser, every consumer,
// static analysis, the coverage of src, and both commands in a newer distribution.
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { root, run, runTogether } from './run.mjs';

const deep = process.argv.includes('--deep');
if (deep) {
  process.env.BROADLOOM_DEEP = '1';
  process.env.BROADLOOM_FUZZ_CASES ??= '50000';
  process.env.BROADLOOM_GRAPHS ??= '10000';
} else {
  // A change is to blame for what fails here, not chance: new random cases are for deep runs.
  process.env.BROADLOOM_SEED ??= '1';
}

const title = (text) => console.log(`\n== ${text}`);
const processors = Math.max(availableParallelism(), 2);

// The C++ is compiled once for tests and once for the package, side by side: linking the package leaves a processor idle.
// The commands behind the compiler take whatever others leave of the processors: of these, much waits for other processes.
const nice = (title, command, ...args) => ({ title, command: 'nice', args: [command, ...args] });
const types = (folder, more = '') => ({
  title: `Types of ${folder}${more}`,
  command: 'node_modules/.bin/tsc',
  args: ['-p', folder],
  after: ['Build'],
});
const typeTests = readdirSync(join(root, 'tests/types')).filter((file) => file.endsWith('.ts'));
const node = (title, ...args) => ({ title, command: 'node', args, after: ['Build'] });
const tests = (title, ...args) => node(title, '--test', ...args);
// The commands that take longest begin first.
await runTogether(
  [
    { ...nice('C++ tests, configured', 'cmake', '--preset', 'sanitize'), quiet: true },
    { title: 'Build', command: 'node', args: ['tools/build.mjs'] },
    {
      title: 'C++ tests, compiled',
      command: 'cmake',
      args: ['--build', '--preset', 'sanitize', '-j', `${processors}`],
      quiet: true,
      after: ['C++ tests, configured'],
    },
    types('tests/types', `, ${typeTests.length} files that have to compile`),
    types('tests/js'),
    types('web-demo'),
    types('cli'),
    node('Playground', 'tools/playground.mjs'),
    node('JavaScript tests', '--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js'),
    {
      ...nice('C++ tests under sanitizers', 'ctest', '--preset', 'sanitize', '-j', `${processors}`),
      after: ['C++ tests, compiled'],
    },
    { ...tests('Browsers', '--test-concurrency=2', 'tests/browser/'), after: ['Playground'] },
    tests('Command line', 'tests/cli/'),
    node('Consumers of the package', 'tests/consumers/run.mjs'),
    {
      ...nice('Fuzzers', 'node', 'tools/fuzz.mjs', deep ? '--minutes=5' : '--short'),
      after: ['Build', 'C++ tests, compiled'],
    },
    ...(deep
      ? [
          {
            ...nice('Corpora of the fuzzers in wasm', 'node', 'tools/fuzz.mjs', '--wasm'),
            after: ['Fuzzers', 'Modules of chosen operators'],
          },
        ]
      : []),
    tests('Documents', 'tests/docs/'),
    node('Soak', '--expose-gc', 'tests/soak/run.mjs', '--seconds', deep ? '600' : '20'),
    tests('Every operator, and simplified models, against onnxruntime-node', 'tests/differential/'),
    tests('Programs for onnxruntime', 'tests/drop-in/'),
    tests('Examples', 'tests/examples/'),
    tests('Modules of chosen operators', 'tests/small-modules/'),
    tests('Growth of time and memory', 'tests/growth/'),
    tests('Huge views', 'tests/huge-views/'),
    tests('Real models', 'tests/models/'),
    tests('Package', 'tests/package/'),
    tests('Graphs at random', 'tests/random-graphs/'),
    node('Sizes', 'tools/size.mjs'),
    { ...node('Demo', 'tools/demo.mjs'), quiet: true }, // it prints each of a thousand examples
    tests('Models in a worker', 'tests/workers/'),
  ],
  processors,
);

if (deep) {
  title('Static analysis');
  run('node', ['tools/lint.mjs', '--deep']);
  title('Coverage');
  run('node', ['tools/coverage.mjs']);
  title('A newer distribution');
  run('node', ['tools/check/distribution.mjs']);
}
