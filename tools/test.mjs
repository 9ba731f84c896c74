// The whole test run: build, types, native tests plain and under sanitizers, coverage of the kernels, Jest on the built
// package.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from './run.mjs';

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

for (const preset of ['native', 'sanitize']) {
  title(`C++ tests, ${preset}`);
  run('cmake', ['--preset', preset], { quiet: true });
  run('cmake', ['--build', '--preset', preset], { quiet: true });
  run('ctest', ['--preset', preset, '-j', '2']);
}

title('Coverage of the kernels');
run('node', ['tools/coverage.mjs']);

title('JavaScript tests');
run('node', ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js']);

title('Real models');
run('node', ['--test', 'tests/models/']);

title('Every operator against onnxruntime-node');
run('node', ['--test', 'tests/differential/']);

title('Package');
run('node', ['--test', 'tests/package/']);

title('Command line');
run('node', ['--test', 'tests/cli/']);

title('Documentation');
run('node', ['tools/docs.mjs']);
run('node', ['--test', 'tests/docs/']);

title('Browsers');
run('node', ['tools/playground.mjs']);
run('node', ['--test', 'tests/browser/']);

title('Consumers of the package');
run('node', ['tests/consumers/run.mjs']);
