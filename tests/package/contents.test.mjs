// The contents of the tarball, and the promises of its package.json. tools/pack.mjs checks its size.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { budgets } from '../../tools/check/budgets.mjs';
import { root } from '../../tools/run.mjs';
import { installed, project, tarball } from './helpers/installed.mjs';

const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
const files = readdirSync(installed, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(installed.length + 1));

const read = (file) => readFileSync(join(installed, file), 'utf8');

/** A tool from the packages of tests/consumers. */
const tool = (name) => import(pathToFileURL(createRequire(join(root, 'tests/consumers/package.json')).resolve(name)));

/** The files that a value of `exports` names. */
function targets(value) {
  return typeof value === 'string' ? [value] : Object.values(value).flatMap(targets);
}

test('every file that package.json names is in the tarball', () => {
  const { main, module, types, unpkg, jsdelivr, bin, exports } = manifest;
  const named = [main, module, types, unpkg, jsdelivr, ...targets(bin), ...targets(exports)];
  assert.ok(named.length > 15);
  assert.deepEqual(
    named.filter((file) => !existsSync(join(installed, file))),
    [],
  );
});

test('the tarball has only the built files, samples, the documentation, and the licence, and no more than the budgets allow', () => {
  const known = [
    /^(CHANGELOG\.md|LICENSE|README\.md|SECURITY\.md|package\.json)$/,
    /^docs\/(guides\/[\w-]+\.md|playground\.webp)$/,
    /^dist\/(cjs\/)?([a-z]+\/)?[\w-]+(\.\w+)?\.d\.ts$/,
    /^dist\/(index|inline|node|bundle|error|workerd|edge-light|remote|worklet|global|(cjs\/)?(tasks|onnxruntime|ort)|cjs\/index)\.js$/,
    /^dist\/(onnxruntime|ort)-(inline|node|workerd|edge-light)\.js$/,
    /^dist\/(worker|worker-node|cjs\/worker)\.js$/,
    /^dist\/broadloom\.wasm$/,
    /^dist\/samples\/[\w-]+\.onnx$/,
    /^examples\/(voice-detector|ocr|pool|queue|edge|service-worker)\/[\w.-]+$/,
    /^examples\/next\/([\w.-]+|app\/[\w./-]+\.(js|css)|public\/line\.jpg)$/,
    /^dist\/cjs\/package\.json$/,
    /^dist\/cli\/broadloom\.js$/,
  ];
  assert.deepEqual(
    files.filter((file) => !known.some((pattern) => pattern.test(file))),
    [],
  );
  for (const pattern of known)
    assert.ok(
      files.some((file) => pattern.test(file)),
      `${pattern}`,
    );
  assert.ok(files.length <= budgets.tarballFiles.limit, `${files.length} files`);
  assert.ok(statSync(tarball).size <= budgets.tarball.limit, `${statSync(tarball).size} bytes`);
});

test('every model that a guide names is in the tarball, or comes to be in the guide, which tells where it is', () => {
  // Models of the reader, of packages that the guide installs, and names of domains.
  const others = /^(model|ai|det|rec|nothing|silero\w*|resnet50|melspectrogram|ch_[\w.-]+)$/;
  const guides = files.filter((file) => /^docs\/guides\/.*\.md$/.test(file));
  let count = 0;
  for (const guide of guides) {
    const text = read(guide);
    const names = new Set([...text.matchAll(/([\w.-]+)\.onnx\b/g)].map(([, name]) => name));
    for (const name of names) {
      if (others.test(name) || new RegExp(`(broadloom simplify \\S+|>) ${name}\\.onnx`).test(text)) continue;
      assert.ok(files.includes(`dist/samples/${name}.onnx`), `${guide}: ${name}.onnx`);
      assert.match(text, /node_modules\/broadloom\/dist\/samples/, guide);
      count++;
    }
  }
  assert.ok(count > 8);
});

/** Files of the repository alone, to which the README links: the guides' index, and what those need who work on the package. */
const inRepository = /^(bench\/|web-demo\/|CONTRIBUTING\.md$|docs\/README\.md$)/;

test('every link of a document in the tarball leads to a file of the tarball', () => {
  const documents = files.filter((file) => file.endsWith('.md'));
  assert.ok(documents.length > 10);
  const lost = documents.flatMap((document) => {
    const links = [...read(document).matchAll(/\]\(([^)\s#]+)/g)].map(([, link]) => link);
    const relativeLinks = links.filter((link) => !link.startsWith('https://'));
    return relativeLinks
      .filter((link) => !(document === 'README.md' && inRepository.test(link) && existsSync(join(root, link))))
      .filter((link) => !files.includes(join(dirname(document), link)))
      .map((link) => `${document}: ${link}`);
  });
  assert.deepEqual(lost, []);
});

test('Node finds the entries by their names', () => {
  const script =
    "console.log(['', '/inline', '/worker', '/tasks', '/onnxruntime', '/ort', '/broadloom.wasm'].map((path) => import.meta.resolve('broadloom' + path)).join())";
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: project,
    encoding: 'utf8',
  });
  const files = output
    .trim()
    .split(',')
    .map((url) => relative(installed, fileURLToPath(url)));
  assert.deepEqual(files, [
    'dist/node.js',
    'dist/node.js',
    'dist/worker-node.js',
    'dist/tasks.js',
    'dist/onnxruntime-node.js',
    'dist/ort-node.js',
    'dist/broadloom.wasm',
  ]);
});

test('workers that cannot compile bytes get the imported module from broadloom/inline, too', () => {
  const { '.': main, './inline': inline } = manifest.exports;
  for (const condition of ['workerd', 'edge-light']) {
    assert.match(read(main[condition]), /^import .*broadloom\.wasm/m);
    assert.equal(inline[condition], main[condition]);
  }
});

test('no file names a source map or a source that the tarball does not have', () => {
  const built = files.filter((file) => /^dist\/.*\.(js|d\.ts)$/.test(file));
  assert.ok(built.length > 40);
  assert.deepEqual(
    built.filter((file) => read(file).includes('sourceMappingURL')),
    [],
  );
});

test('the command runs from the package, is readable, and has no second wasm module', () => {
  const { broadloom } = manifest.bin;
  const text = read(broadloom);
  assert.ok(text.startsWith('#!/usr/bin/env node\n') && text.includes('function readArguments('));
  assert.ok(text.length <= budgets.command.limit && !/[\w+/]{1000}/.test(text));
  const imports = [...text.matchAll(/^import .*? from "(.*)";$/gm)].map(([, from]) => from);
  assert.ok(imports.includes('../inline.js'));
  assert.deepEqual(
    imports.filter((from) => from !== '../inline.js' && !from.startsWith('node:')),
    [],
  );
  const output = execFileSync(process.execPath, [join(installed, broadloom), '--version'], { encoding: 'utf8' });
  assert.equal(output, `${manifest.version}\n`);
});

test('the package has a licence, declares its engines, and has no dependencies', () => {
  const { license, type, sideEffects, engines, dependencies, peerDependencies, optionalDependencies } = manifest;
  assert.deepEqual(
    { license, type, sideEffects, engines: Object.keys(engines) },
    {
      license: 'Apache-2.0',
      type: 'module',
      sideEffects: ['./dist/worker.js', './dist/worker-node.js', './dist/cjs/worker.js'],
      engines: ['node'],
    },
  );
  assert.match(read('LICENSE'), /Apache License/);
  assert.deepEqual([dependencies, peerDependencies, optionalDependencies], [undefined, undefined, undefined]);
});

test('installing the package runs no script', () => {
  const atInstall = ['preinstall', 'install', 'postinstall', 'prepublish', 'preprepare', 'prepare', 'postprepare'];
  assert.deepEqual(
    Object.keys(manifest.scripts).filter((name) => atInstall.includes(name)),
    [],
  );
});

test('publint, strict, reports nothing', async () => {
  const { publint } = await tool('publint');
  const { messages } = await publint({ pack: { tarball: new Uint8Array(readFileSync(tarball)).buffer }, strict: true });
  assert.deepEqual(messages, []);
});

test('require and import of broadloom/onnxruntime have the same default', async () => {
  const required = createRequire(join(installed, 'main.cjs'))(join(installed, 'dist/cjs/onnxruntime.js'));
  const imported = await import(pathToFileURL(join(installed, 'dist/onnxruntime-node.js')));
  for (const { default: all, ...names } of [required, imported]) {
    assert.deepEqual(Object.keys(all).sort(), ['InferenceSession', 'Tensor', 'env']);
    for (const name of Object.keys(all)) assert.equal(all[name], names[name]);
  }
});

test('the types are right in every module resolution that supports exports', async () => {
  const { checkPackage, createPackageFromTarballData } = await tool('@arethetypeswrong/core');
  const { problems, entrypoints } = await checkPackage(
    createPackageFromTarballData(new Uint8Array(readFileSync(tarball))),
  );
  assert.deepEqual(Object.keys(entrypoints), Object.keys(manifest.exports));
  // TypeScript's node10, which TypeScript 6 deprecates, finds only the main entry. Worklets load no CommonJS.
  // The default of broadloom/onnxruntime is the module's own namespace, as that of onnxruntime-node. The tool looks for an object that
  // is written in the file.
  const isKnown = ({ resolutionKind, entrypoint, kind, typesFileName }) =>
    resolutionKind === 'node10' ||
    (entrypoint === './worklet' && kind === 'CJSResolvesToESM') ||
    (kind === 'FalseExportDefault' && typesFileName.endsWith('/cjs/onnxruntime.d.ts'));
  assert.deepEqual(
    problems.filter((problem) => !isKnown(problem)),
    [],
  );
});

/** The bundle of `contents` for browsers. */
async function bundled(contents) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: project },
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
    logLevel: 'silent',
  });
  return outputFiles[0].text;
}

for (const [entry, name] of [
  ['broadloom', 'load'],
  ['broadloom/inline', 'load'],
  ['broadloom/tasks', 'classify'],
  ['broadloom/onnxruntime', 'Tensor'],
  ['broadloom/ort', 'register'],
]) {
  test(`${entry} leaves nothing in a bundle that imports it and uses none of it`, async () => {
    assert.equal((await bundled(`import '${entry}'`)).length, 0);
    assert.equal((await bundled(`import { ${name} } from '${entry}'`)).length, 0);
  });
}

test('broadloom/tasks has none of the core in it', () => {
  for (const file of ['dist/tasks.js', 'dist/cjs/tasks.js']) {
    assert.doesNotMatch(read(file), /WebAssembly|\.wasm|FinalizationRegistry/);
    assert.ok(read(file).length < 60_000, file);
  }
});

test('a bundle with one task has none of the others in it', async () => {
  const text = await bundled("import { classify } from 'broadloom/tasks'; classify()");
  assert.ok(text.includes('Softmax') && !text.includes('NonMaxSuppression'));
});

test('broadloom/worker stays in a bundle that imports it', async () => {
  assert.ok((await bundled("import 'broadloom/worker'")).includes('postMessage'));
});

test('a bundle that uses load alone has nothing of loadInWorker', async () => {
  const text = await bundled("import { load } from 'broadloom'; load()");
  assert.ok(text.includes('WebAssembly') && !text.includes('loadInWorker') && !text.includes('worker.js'));
});

test('a bundle that imports OnnxError alone has no runtime in it', async () => {
  const text = await bundled("import { OnnxError } from 'broadloom'; console.log(OnnxError)");
  assert.ok(text.includes('extends Error') && !text.includes('WebAssembly.') && !text.includes('.wasm'));
});

test('the module imports only its memory, embind’s registrations, two functions of the C library, and a clock', () => {
  const module = new WebAssembly.Module(readFileSync(join(installed, 'dist/broadloom.wasm')));
  // Embind's symbols are undefined, so the linker does not report undefined symbols. They would become imports.
  const known = /^(memory|_embind_register_\w+|emscripten_notify_memory_growth|proc_exit|hostMilliseconds)$/;
  const imported = WebAssembly.Module.imports(module).map(({ name }) => name);
  assert.deepEqual(
    imported.filter((name) => !known.test(name)),
    [],
  );
});
