// Checks format and code of both languages, and that C++ includes downwards only; with --fix, formats. With --deep, as
// `npm run test:deep` has it, clang's analyzer follows paths through functions, and the linker compares definitions.
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { putTogether } from './check/lint-together.mjs';
import { commentRule, hardComments, hardWords } from './check/prose.mjs';
import { root, run } from './run.mjs';

const fix = process.argv.includes('--fix');
const deep = process.argv.includes('--deep');
const sources = ['src', 'bindings', 'tests', 'bench/kernels', 'tools']
  .flatMap((folder) => readdirSync(join(root, folder), { recursive: true }).map((file) => join(folder, file)))
  .filter((file) => /\.(cpp|h)$/.test(file) && !file.includes('node_modules')); // tests/consumers has packages with headers

// Each folder of src includes only itself and those before it; so do the folders of graph.
const layers = ['core', 'kernels', 'ops', 'media', 'graph', 'onnx'];
const partsOfGraph = ['structure', 'fusion', 'infer', 'check', 'execute', 'rewrite', 'run'];
const folders = layers.flatMap((layer) => (layer === 'graph' ? partsOfGraph.map((part) => `graph/${part}`) : layer));
const placeOf = (path) => folders.findIndex((folder) => path.startsWith(`${folder}/`));
for (const file of sources.filter((source) => source.startsWith(`src${sep}`))) {
  const place = placeOf(file.split(sep).slice(1).join('/'));
  for (const [, path] of readFileSync(join(root, file), 'utf8').matchAll(/^#include "([^"]+)/gm)) {
    if (place < 0 || placeOf(path) < 0 || placeOf(path) > place) throw new Error(`${file} includes ${path}`);
  }
}

// Sizes are 64-bit numbers and addresses of wasm 32-bit ones. A cast between them cuts without a word, so it has a name that says
// why it fits (src/core/count.h).
for (const file of sources.filter((source) => source.startsWith(`src${sep}`) && !source.endsWith('count.h'))) {
  const found = /static_cast<(?:std::)?size_t>.*/.exec(readFileSync(join(root, file), 'utf8'));
  if (found) throw new Error(`${file} has a bare ${found[0]}: write in_memory, wrapped or place_of (src/core/count.h)`);
}

// An operator calls another one by InnerCall alone, which checks. Code that all calls go through may call any operator.
const callers = [join('src', 'ops', 'call', sep), join('src', 'ops', 'elementwise.')];
for (const file of sources.filter((source) => source.startsWith(join('src', 'ops', sep)))) {
  if (callers.some((caller) => file.startsWith(caller))) continue;
  const made =
    /\b(?:op(?:::\w+)*|inner)\.(?:prepare|compute|ready)\b|\badd_elements\(|\bCall(?: \w+)?\{|\bcall_?\{/.exec(
      readFileSync(join(root, file), 'utf8'),
    );
  if (made)
    throw new Error(`${file} has "${made[0]}": one operator calls another by an InnerCall (src/ops/call/inner_call.h)`);
}

// JavaScript of each folder imports only these. Code that several share is below them. No file imports itself by way of others.
const scripts = {
  shared: ['shared'],
  'js/src': ['js/src', 'shared'],
  'cli/src': ['cli/src', 'shared'],
  'web-demo/src': ['web-demo/src', 'shared', 'bench'], // the page Benchmark runs the benchmarks
};
const imports = new Map();
const stemOf = (path) => path.replace(/\.(js|ts)$/, '');
for (const [folder, allowed] of Object.entries(scripts)) {
  for (const name of readdirSync(join(root, folder), { recursive: true }).filter((file) => /\.(js|ts)$/.test(file))) {
    const file = join(folder, name);
    for (const [, path] of readFileSync(join(root, file), 'utf8').matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)) {
      const imported = join(file, '..', path);
      if (!allowed.some((one) => imported.startsWith(one + sep))) throw new Error(`${file} imports ${imported}`);
      imports.set(stemOf(file), [...(imports.get(stemOf(file)) ?? []), stemOf(imported)]);
    }
  }
}
// A class of ONNX Runtime's interface is a constant, an interface and a namespace of one name, which only one file can declare.
const isDeclared = (file) => file.startsWith(join('js', 'src', 'onnxruntime', sep));
const isFollowed = new Set();
function refuseCircles(file, path) {
  if (path.includes(file)) throw new Error(`files import one another: ${[...path, file].join(' -> ')}`);
  if (isFollowed.has(file) || isDeclared(file)) return;
  for (const imported of imports.get(file) ?? []) refuseCircles(imported, [...path, file]);
  isFollowed.add(file);
}
for (const file of imports.keys()) refuseCircles(file, []);

// Nothing of the package is made from the playground or the tests.
const builders = /^build\.mjs$|^(build|operators)\/[^.]*\.mjs$/;
for (const tool of readdirSync(join(root, 'tools'), { recursive: true }).filter((name) => builders.test(name))) {
  const found = /\b(web-demo|tests)\//.exec(readFileSync(join(root, `tools/${tool}`), 'utf8'));
  if (found) throw new Error(`tools/${tool} reads ${found[0]}`);
}

const found = hardWords();
if (found.length > 0) throw new Error(`write it more plainly:\n${found.join('\n')}`);
const comments = hardComments();
if (comments.length > 0) throw new Error(`${commentRule}:\n${comments.join('\n')}`);

run('clang-format', fix ? ['-i', ...sources] : ['--dry-run', '-Werror', ...sources]);
run('node_modules/.bin/biome', fix ? ['check', '--write', '.'] : ['check', '--error-on-warnings', '.']);
if (!fix) {
  // clang-tidy reads how files are compiled, as few large units: it looks at the standard library in each of them again.
  run('cmake', ['--preset', 'lint'], { quiet: true });
  const commands = putTogether(join(root, 'build/lint'));
  // As it is released: errors that count themselves are for debug builds (src/core/status.h). All processors take part.
  // The analyzer looks at fewer paths than it might: that takes two thirds of the time.
  const analyzer = ['-Xclang', '-analyzer-config', '-Xclang', 'max-nodes=20000'];
  const extra = ['-DNDEBUG', ...(deep ? analyzer : [])].map((option) => `-extra-arg=${option}`);
  const tidy = ['-p', commands, '-quiet', ...(deep ? [] : ['-checks=-clang-analyzer-*']), ...extra];
  const files = `/src/(${layers.join('|')})/|/together/|/broadloom_\\w+\\.dir/Unity/`;
  run('run-clang-tidy', [...tidy, files], { quiet: true });
  // No name stands for two things: only the linker sees that.
  if (deep) run('cmake', ['--build', '--preset', 'lint'], { quiet: true });
  console.log(`lint: ${sources.length} C++ files and all JavaScript and TypeScript are clean`);
}
