// Which tests `npm run t -- NAME` selects (tools/t.mjs).
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { nativeTestsOf } from '../../tools/narrow/native.mjs';
import { needsPackage, needsSite, nodeRunsOf, operatorNames } from '../../tools/narrow/scripts.mjs';
import { knownNames, testsOf } from '../../tools/narrow/selection.mjs';
import { hasName, patternOf } from '../../tools/narrow/words.mjs';
import { root } from '../../tools/run.mjs';
import { passNames } from '../../tools/tables.mjs';

const filesOf = (tests) => [...new Set(tests.map(({ file }) => file))];
const differential = 'tests/differential/differential.test.mjs';

test('a name is one of whole words, in any spelling', () => {
  for (const [text, name] of [
    ['ReduceMax', 'reduce_max'],
    ['reduce_max_test', 'ReduceMax'],
    ['LogSoftmax', 'Softmax'],
    ['QLinearMatMul', 'qlinear_matmul'],
    ['Col2Im', 'col2im'],
    ['AnLSTMRuns', 'LSTM'],
  ])
    assert.ok(hasName(text, name), `${text} has ${name}`);
  for (const [text, name] of [
    ['Softmax', 'Max'],
    ['Resize', 'Size'],
    ['padding', 'Add'],
    ['ReduceMax', 'MaxReduce'],
    ['Softmax', ''],
  ])
    assert.ok(!hasName(text, name), `${text} has not ${name}`);
});

test('a pattern finds a name in titles', () => {
  const pattern = new RegExp(patternOf('ReduceMax'), 'i');
  for (const title of ['ReduceMax-13 takes float32', 'reduceMax of rows', 'reduce_max', 'it takes ReduceMax'])
    assert.match(title, pattern);
  for (const title of ['ReduceMaximum', 'MyReduceMax', 'reduce the max']) assert.doesNotMatch(title, pattern);
});

test('an operator selects its tests in C++, in Jest, of the comparison and of growth', async () => {
  const { native, jest, node, missing } = await testsOf(['TopK']);
  assert.deepEqual(missing, []);
  assert.ok(native.some(({ name }) => name.startsWith('TopK.')));
  assert.ok(native.every(({ target }) => target.startsWith('test_')));
  assert.ok(jest.titled.some(([, files]) => files.includes('tests/js/official.test.ts')));
  const patterns = node.flatMap(({ files, patterns: list }) => list.map((pattern) => [files[0], new RegExp(pattern)]));
  const selects = (file, title) => patterns.some(([one, pattern]) => one === file && pattern.test(title));
  assert.ok(selects(differential, "TopK has the oracle's results for calls that both accept"));
  assert.ok(!selects(differential, "Relu has the oracle's results for calls that both accept"));
  assert.ok(selects('tests/growth/growth.test.mjs', 'time and memory follow the count of elements that are sorted'));
});

test('an operator that shares its source with others selects the tests of the source', async () => {
  const { native } = await testsOf(['ReduceL2']);
  assert.ok(filesOf(native).includes('tests/ops/reduce/reduce_test.cpp'));
});

test('a folder of kernels selects its tests', async () => {
  const { native } = await testsOf(['sampling']);
  assert.ok(filesOf(native).includes('tests/kernels/sampling/resample_test.cpp'));
});

test('a file of operators selects its tests, and the operator of this name', async () => {
  const { native, node } = await testsOf(['resize']);
  assert.ok(filesOf(native).includes('tests/ops/image/resize_test.cpp'));
  assert.ok(node.some(({ files: [file] }) => file === differential));
});

test('a function of a pass selects the tests of its family, and so does the pass', async () => {
  for (const name of ['fuse_into_conv', 'fuse_bn_into_conv']) {
    const { native } = await testsOf([name]);
    assert.deepEqual(filesOf(native), ['tests/graph/rewrite/passes/convolutions_test.cpp'], name);
  }
});

test('each pass and each operator selects tests', async () => {
  assert.ok(passNames.length > 0 && operatorNames().length > 0);
  for (const name of [...passNames, ...operatorNames()]) {
    assert.ok(nativeTestsOf(name).length > 0 || (await nodeRunsOf(name)).length > 0, name);
  }
});

for (const [path, wanted] of [
  ['tests/ops/move/pad_test.cpp', { native: ['tests/ops/move/pad_test.cpp'], whole: [], node: [] }],
  ['tests/js/views.test.ts', { native: [], whole: ['tests/js/views.test.ts'], node: [] }],
  ['tests/cli/png.test.mjs', { native: [], whole: [], node: ['tests/cli/png.test.mjs'] }],
]) {
  test(`${path} selects itself`, async () => {
    const { native, jest, node } = await testsOf([path]);
    const found = { native: filesOf(native), whole: jest.whole, node: node.flatMap(({ files }) => files) };
    assert.deepEqual([found, jest.titled], [wanted, []]);
  });
}

test('a source selects what its name selects', async () => {
  const [source, name] = await Promise.all([testsOf(['src/ops/activation/softmax.cpp']), testsOf(['softmax'])]);
  assert.ok(source.native.length > 0);
  assert.deepEqual(source, name);
});

test('a name that scripts do not have needs no package', async () => {
  const { native, jest, node } = await testsOf(['arena']);
  assert.deepEqual([filesOf(native), jest, node], [['tests/core/arena_test.cpp'], { whole: [], titled: [] }, []]);
});

test('a folder of tests selects all of them, and several names select the tests of each', async () => {
  const { native, node } = await testsOf(['tests/cli', 'arena']);
  assert.ok(node.flatMap(({ files }) => files).includes('tests/cli/npy.test.mjs'));
  assert.deepEqual(filesOf(native), ['tests/core/arena_test.cpp']);
});

test('known names are those of operators, kernels, passes and files', () => {
  const known = knownNames();
  for (const name of ['Softmax', 'QuickGelu', 'resample', 'fuse_bn_into_conv', 'playground-cards', 'views'])
    assert.ok(known.includes(name), name);
});

test('of the tests of a suite, those that run are counted', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'broadloom-count-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const [suite, counts] = ['one.test.mjs', 'counts.json'].map((name) => join(folder, name));
  writeFileSync(
    suite,
    `import { describe, test } from 'node:test';
test('Softmax runs', () => {});
test('Relu runs', () => {});
test('Softmax is skipped', { skip: true }, () => {});
describe('group', () => test('Softmax fails', () => { throw new Error('no'); }));
`,
  );
  const count = (...args) => {
    const reporter = ['--test-reporter=./tools/narrow/count-reporter.mjs', `--test-reporter-destination=${counts}`];
    const env = { ...process.env, NODE_TEST_CONTEXT: undefined }; // this is a test itself
    spawnSync(process.execPath, ['--test', ...reporter, ...args, suite], { cwd: root, env });
    return JSON.parse(readFileSync(counts, 'utf8'));
  };
  assert.deepEqual(count(), { executed: 3, failed: 1 });
  assert.deepEqual(count('--test-name-pattern=^Softmax'), { executed: 2, failed: 1 });
  assert.deepEqual(count('--test-name-pattern=^Gelu'), { executed: 0, failed: 0 });
});

test('suites about the published package need more than a development build, and those of pages the playground', () => {
  for (const file of ['package/contents', 'package/uncaught', 'examples/pool', 'small-modules/modules'])
    assert.ok(needsPackage(`tests/${file}.test.mjs`), file);
  for (const file of ['differential/differential', 'growth/growth', 'cli/npy', 'workers/runs', 'browser/load'])
    assert.ok(!needsPackage(`tests/${file}.test.mjs`), file);
  assert.ok(needsSite('tests/browser/playground-cards.test.mjs') && !needsSite('tests/browser/load.test.mjs'));
});

for (const [args, says] of [
  [['Sotfmax'], /^no test has the name 'Sotfmax'; near it: [^\n]*\bSoftmax\b/],
  [['Softmax', 'zzzzqqqq'], /^no test has the name 'zzzzqqqq'$/m],
  [['tests/ops/none_test.cpp'], /^no test has the name 'tests\/ops\/none_test.cpp'/],
  [[], /^which tests\?/],
]) {
  test(`npm run t -- ${args.join(' ')} is refused`, () => {
    const { status, stderr } = spawnSync(process.execPath, ['tools/t.mjs', ...args], { cwd: root, encoding: 'utf8' });
    assert.equal(status, 2, stderr);
    assert.match(stderr, says);
  });
}
