// Builds the package into dist/: the wasm module, JavaScript and the type declarations. Prints what a browser downloads.
// With --quiet, prints only what goes wrong. Does nothing when nothing changed since the last time. With --for, --with, --types and
// --out, makes a module of chosen operators afterwards (tools/build-for.mjs).
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { readArguments, runBuildFor } from './build-for.mjs';
import { packageCli } from './package-cli.mjs';
import { packageJavaScript } from './package-js.mjs';
import { root, run, version } from './run.mjs';
import { commandSize, downloadSizes, entrySizes, printSizes } from './sizes.mjs';
import { buildOnce, hashOf } from './stamp.mjs';
import { withJoinedData, withSection } from './wasm-module.mjs';

// `npm run` puts the tools of packages on the path: Emscripten would take Binaryen's of npm for its own.
process.env.PATH = process.env.PATH.split(delimiter)
  .filter((folder) => !folder.endsWith(join('node_modules', '.bin')))
  .join(delimiter);
const { quiet, chosen } = readArguments(process.argv.slice(2));

const dist = join(root, 'dist');

/** All that a build reads, beside the packages that the lock file names. */
const sources = ['bindings', 'cli', 'data', 'js', 'shared', 'src', 'tools'];
const papers = ['CMakeLists.txt', 'CMakePresets.json', 'package.json', 'package-lock.json', 'tsconfig.json'];
const installed = ['node_modules/.package-lock.json', '/usr/include/tl/expected.hpp'];
const generated = /\.generated\.ts$/;

/** Variables that compilers and CMake read. */
const flags = () =>
  Object.entries(process.env)
    .filter(([name]) =>
      /^(EM|EMCC|CMAKE|BROADLOOM_WASM|C|CXX|LD|BINARYEN|LLVM)(_|FLAGS|$)|^(C|CXX|CPP|LD)FLAGS$/.test(name),
    )
    .sort();

const inputs = () => {
  const compiler = run('emcc', ['--version'], { quiet: true });
  const texts = [compiler, run('cmake', ['--version'], { quiet: true }), process.version, flags()];
  return hashOf(root, [...sources, ...papers, ...installed.slice(0, 1)], {
    texts: [...texts, hashOf('/', installed.slice(1))],
    except: generated,
  });
};

/** All that a build writes: the package, its parts, and files that tests look at. */
const outputs = () =>
  hashOf(root, [
    ...['dist', 'build/types', 'build/wasm/bindings/broadloom.wasm'],
    ...['js/src/dtypes.generated.ts', 'js/src/operators.generated.ts'],
  ]);

async function build() {
  run('node', ['tools/generate-dtypes.mjs'], { quiet });
  run('node', ['tools/generate-operators.mjs'], { quiet });
  run('emcmake', ['cmake', '--preset', 'wasm'], { quiet: true });
  run('cmake', ['--build', '--preset', 'wasm'], { quiet: true });
  rmSync(join(root, 'build/types'), { recursive: true, force: true });
  run('node_modules/.bin/tsc', ['-p', '.'], { quiet });

  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist);
  const module = readFileSync(join(root, 'build/wasm/bindings/broadloom.wasm'));
  // `load` compares it with the version in the JavaScript: one file may have been deployed without the other.
  writeFileSync(join(dist, 'broadloom.wasm'), withSection(withJoinedData(module), 'broadloom', Buffer.from(version)));
  await packageJavaScript();
  await packageCli();
}

await buildOnce({ stamp: join(root, 'build/stamp'), inputs, outputs, build });
if (chosen) await runBuildFor(chosen);
else if (!quiet) printSizes([...downloadSizes(), ...entrySizes(), commandSize()]);
