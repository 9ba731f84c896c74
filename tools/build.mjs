// Builds the package into dist/: the wasm module, JavaScript and the type declarations. Writes the guide to the operators. Prints what a browser downloads.
// With --quiet, prints only what goes wrong. Does nothing when nothing changed since the last time. With --for, --with, --types and
// --out, makes a module of chosen operators afterwards (tools/build/build-for.mjs). With --dev, builds in less time what is larger and
// slower, for tests alone: it never passes for the package.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { readArguments, runBuildFor } from './build/build-for.mjs';
import { configure, configureOnce, mustCompile } from './build/compile.mjs';
import { markDevelopment } from './build/development.mjs';
import { packageCli } from './build/package-cli.mjs';
import { packageJavaScript } from './build/package-js.mjs';
import { buildOnce, developOnce, hashOf, isCurrent } from './build/stamp.mjs';
import { finishedModule } from './build/wasm-module.mjs';
import { commandSize, downloadSizes, entrySizes, printSizes } from './check/sizes.mjs';
import { writeOperatorGuide } from './operators/guide.mjs';
import { Progress } from './progress.mjs';
import { root, run, version } from './run.mjs';

// `npm run` puts the tools of packages on the path: Emscripten would take Binaryen's of npm for its own.
process.env.PATH = process.env.PATH.split(delimiter)
  .filter((folder) => !folder.endsWith(join('node_modules', '.bin')))
  .join(delimiter);
const { quiet, dev, chosen } = readArguments(process.argv.slice(2));

const dist = join(root, 'dist');
/** `--quiet` is for commands whose own output follows. */
const progress = new Progress(quiet ? { isTTY: false } : process.stdout);

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

/** The hash of all that a build reads. Both kinds of a build read the same. */
function hashInputs() {
  const compiler = run('emcc', ['--version'], { quiet: true });
  const texts = [compiler, run('cmake', ['--version'], { quiet: true }), process.version, flags()];
  return hashOf(root, [...sources, ...papers, ...installed.slice(0, 1)], {
    texts: [...texts, hashOf('/', installed.slice(1))],
    except: generated,
  });
}
let hash;
const inputs = () => (hash ??= hashInputs());

/** All that a build writes: the package, its parts, and files that tests look at. */
const outputsOf = (preset) =>
  hashOf(root, [
    ...['dist', 'build/types', `build/${preset}/bindings/broadloom.wasm`, 'docs/guides/operators.md'],
    ...['calls/bindings', 'tensor/dtypes', 'runtime/operators'].map((name) => `js/src/${name}.generated.ts`),
  ]);

async function build(preset) {
  run('node', ['tools/build/generate.mjs'], { quiet });
  if (dev) configureOnce(preset);
  else configure(preset);
  await mustCompile(preset, [], { title: 'C++', progress });
  rmSync(join(root, 'build/types'), { recursive: true, force: true });
  run('node_modules/.bin/tsc', ['-p', '.'], { quiet });

  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist);
  const module = readFileSync(join(root, `build/${preset}/bindings/broadloom.wasm`));
  writeFileSync(join(dist, 'broadloom.wasm'), finishedModule(module, version));
  await packageJavaScript({ isMinified: !dev });
  await packageCli();
  writeOperatorGuide();
  if (dev) markDevelopment();
}

const kindOf = (stamp, preset) => ({
  stamp: join(root, 'build', stamp),
  inputs,
  outputs: () => outputsOf(preset),
  build: () => build(preset),
});
const whole = kindOf('stamp', 'wasm');
if (dev) await developOnce(whole, kindOf('stamp-dev', 'wasm-dev'));
else await buildOnce(whole);
if (chosen) await runBuildFor(chosen);
else if (dev && !isCurrent(whole)) {
  if (!quiet) console.log('dist/ is a development build, which is for tests alone');
} else if (!quiet) printSizes([...downloadSizes(), ...entrySizes(), commandSize()]);
