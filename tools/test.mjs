// The whole test run: build, types, native tests under sanitizers, Jest on the built package, and all that uses it. With --deep
// (`npm run test:deep`), many times the damaged files and random cases, every browser test in every browser, every consumer,
// static analysis, and the coverage of src.
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
const workers = `${Math.max(availableParallelism(), 2)}`;

// The C++ is compiled once for tests and once for the package, side by side: linking the package leaves a processor idle.
// The compiler takes whatever the other lane leaves of the processors: of that, much waits for other processes.
const nice = (title, command, ...args) => ({ title, command: 'nice', args: [command, ...args] });
const types = (folder, more = '') => ({
  title: `Types of ${folder}${more}`,
  command: 'node_modules/.bin/tsc',
  args: ['-p', folder],
});
const typeTests = readdirSync(join(root, 'tests/types')).filter((file) => file.endsWith('.ts'));
const tests = (title, ...args) => ({ title, command: 'node', args: ['--test', ...args] });
await runTogether(
  [
    { ...nice('C++ tests, configured', 'cmake', '--preset', 'sanitize'), quiet: true },
    { ...nice('C++ tests, compiled', 'cmake', '--build', '--preset', 'sanitize', '-j', workers), quiet: true },
    nice('C++ tests under sanitizers', 'ctest', '--preset', 'sanitize', '-j', workers),
    { ...nice('Fuzzers', 'node', 'tools/fuzz.mjs', deep ? '--minutes=5' : '--short'), after: 'Build' },
    ...(deep ? [nice('Corpora of the fuzzers in wasm', 'node', 'tools/fuzz.mjs', '--wasm')] : []),
  ],
  [
    { title: 'Build', command: 'node', args: ['tools/build.mjs'] },
    types('tests/types', `, ${typeTests.length} files that have to compile`),
    types('tests/js'),
    types('web-demo'),
    types('cli'),
    {
      title: 'JavaScript tests',
      command: 'node',
      args: ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js'],
    },
    tests('Models in a worker', 'tests/workers/'),
    tests('Growth of time and memory', 'tests/growth/'),
    {
      title: 'Soak',
      command: 'node',
      args: ['--expose-gc', 'tests/soak/run.mjs', '--seconds', deep ? '600' : '60'],
    },
    tests('Command line', 'tests/cli/'),
    { title: 'Documentation', command: 'node', args: ['tools/docs.mjs'] },
    tests('Documented examples', 'tests/docs/'),
    tests('Real models', 'tests/models/'),
    tests('Graphs at random', 'tests/random-graphs/'),
    tests('Every operator, and simplified models, against onnxruntime-node', 'tests/differential/'),
    tests('Package', 'tests/package/'),
    { title: 'Consumers of the package', command: 'node', args: ['tests/consumers/run.mjs'] },
    { title: 'Playground', command: 'node', args: ['tools/playground.mjs'] },
    tests('Browsers', '--test-concurrency=2', 'tests/browser/'),
  ],
);

if (deep) {
  title('Static analysis');
  run('node', ['tools/lint.mjs', '--deep']);
  title('Coverage');
  run('node', ['tools/coverage.mjs']);
}
