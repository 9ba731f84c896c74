// The whole test run: build, types, native tests under sanitizers and in part plain, coverage of the kernels, Jest on the built
// package, and all that uses it.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root, run, runTogether } from './run.mjs';

const title = (text) => console.log(`\n== ${text}`);

title('Build');
run('node', ['tools/build.mjs']);

title('Types');
run('node_modules/.bin/tsc', ['-p', 'tests/types']);
run('node_modules/.bin/tsc', ['-p', 'tests/js']);
run('node_modules/.bin/tsc', ['-p', 'web-demo']);
run('node_modules/.bin/tsc', ['-p', 'cli']);
console.log(
  `${readdirSync(join(root, 'tests/types')).filter((file) => file.endsWith('.ts')).length} files compile as they should`,
);

title('C++ tests under sanitizers');
run('cmake', ['--preset', 'sanitize'], { quiet: true });
run('cmake', ['--build', '--preset', 'sanitize'], { quiet: true });
run('ctest', ['--preset', 'sanitize', '-j', '2']);

// Sanitizers have allocations of their own: how much memory damaged files take is measured without.
title('C++ tests of files, plain');
run('cmake', ['--preset', 'native'], { quiet: true });
run('cmake', ['--build', '--preset', 'native', '--target', 'test_onnx'], { quiet: true });
run('ctest', ['--preset', 'native', '-R', 'onnx']);

title('Coverage of the kernels');
run('node', ['tools/coverage.mjs']);

title('JavaScript tests');
run('node', ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js']);

// These spend their time in single processes that wait for others: side by side, they take half as long.
const tests = (title, folder) => ({ title, command: 'node', args: ['--test', `tests/${folder}/`] });
await runTogether(
  [
    tests('Command line', 'cli'),
    { title: 'Documentation', command: 'node', args: ['tools/docs.mjs'] },
    tests('Documented examples', 'docs'),
  ],
  [
    tests('Real models', 'models'),
    tests('Every operator, and simplified models, against onnxruntime-node', 'differential'),
    tests('Package', 'package'),
    { title: 'Consumers of the package', command: 'node', args: ['tests/consumers/run.mjs'] },
  ],
);

title('Browsers');
run('node', ['tools/playground.mjs']);
run('node', ['--test', 'tests/browser/']);
