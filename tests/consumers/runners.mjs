// Test runners and the compiler of TypeScript, as consumers of the package.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';
import { isDeep } from '../depth.mjs';
import { programOf, runTests, tools, versionOf } from './tools.mjs';

const require = createRequire(import.meta.url);

/** The check in one CommonJS file, for consumers that cannot import. */
function bundleCheck(project) {
  return build({
    entryPoints: [join(project.folder, 'check.js')],
    outfile: join(project.folder, 'check.cjs'),
    bundle: true,
    format: 'cjs',
  });
}

const jest = {
  name: 'jest',
  run: (project) =>
    runTests(
      project,
      {
        'node.json': `Jest ${versionOf('jest')}, import, node`,
        'jsdom.json': `Jest ${versionOf('jest')}, import, jsdom with a setup file`,
      },
      programOf('jest'),
      [],
      { env: { NODE_OPTIONS: '--experimental-vm-modules' } },
    ),
};

const jestCjs = {
  name: 'jest-cjs',
  async run(project) {
    await bundleCheck(project);
    const files = {
      'node.json': `Jest ${versionOf('jest')}, require, node`,
      'jsdom.json': `Jest ${versionOf('jest')}, require, jsdom`,
    };
    return runTests(project, files, programOf('jest'), []);
  },
};

const vitest = {
  name: 'vitest',
  run: (project) =>
    runTests(
      project,
      { 'node.json': `Vitest ${versionOf('vitest')}, node`, 'jsdom.json': `Vitest ${versionOf('vitest')}, jsdom` },
      programOf('vitest'),
      ['run'],
    ),
};

/** Compilers with their titles and options. A short run takes the first four. */
const compiler = join(tools, 'typescript');
const typescriptRuns = [
  [compiler, 'module nodenext, lib es2022 and dom'],
  [join(tools, 'typescript-5.7'), 'module nodenext, lib es2022 and dom'], // the oldest that the types are for
  [join(tools, '../../../node_modules/typescript'), 'module nodenext, lib es2022 and dom'], // the repository's own
  [compiler, 'module preserve, moduleResolution bundler', '--module', 'preserve', '--moduleResolution', 'bundler'],
  [compiler, 'module node16, lib esnext and dom', '--module', 'node16', '--lib', 'esnext,dom'],
  [compiler, 'module commonjs', '--module', 'commonjs'],
  [compiler, "lib es2022, Node's types", '--lib', 'es2022', '--types', 'node'],
];

const typescript = {
  name: 'typescript',
  run: (project) =>
    Promise.all(
      typescriptRuns.slice(0, isDeep ? undefined : 4).map(async ([folder, what, ...args]) => {
        const { version } = require(join(folder, 'package.json'));
        // Checks the package's declarations, but not the compiler's own.
        const checks = ['--skipLibCheck', 'false', '--skipDefaultLibCheck', 'true'];
        await project.execute(join(folder, 'bin/tsc'), ['-p', '.', '--pretty', 'false', ...checks, ...args]);
        return { environment: `TypeScript ${version}, ${what}`, result: 'compiles' };
      }),
    ),
};

export const runners = [jest, jestCjs, vitest, typescript];
