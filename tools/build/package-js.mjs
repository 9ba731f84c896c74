// Writes the JavaScript of the package and its type declarations into dist/, which has the wasm module already.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { minify } from 'terser';
import { sampleModels, simplifyModels } from '../models/samples.mjs';
import { root, version } from '../run.mjs';

const source = join(root, 'js/src');
const dist = join(root, 'dist');

/** The code of `loadInWorker` is a file that is imported when it is wanted. */
const remote = { 'entries/remote.js': './remote.js' };

/** Errors are a file of their own for bundlers (see writeBundleEntry). */
const error = { 'basics/error.js': './error.js' };

/** Files over the core leave it to the entry of their host. */
const coreAt = (file) => ({ 'entries/index.js': file });

/**
 * The files that users and workers import. `wasm` is the module of js/src that finds the wasm module there, and `worker` the one
 * that starts workers; `imports` tells what an import stands for that is left to the host; `globals` is the module
 * that has what the host's globals may lack. A script is for workers: it has no source map for the coverage, which sees no workers.
 */
const entries = [
  { file: 'index.js', wasm: 'default-wasm.ts', imports: { ...remote, ...error } },
  { file: 'inline.js', wasm: 'default-wasm-inline.ts', imports: remote },
  { file: 'node.js', wasm: 'default-wasm-node.ts', worker: 'default-worker-node.ts', imports: remote },
  {
    file: 'cjs/index.js',
    wasm: 'default-wasm-cjs.ts',
    worker: 'default-worker-cjs.ts',
    globals: 'globals-cjs.ts',
    format: 'cjs',
  },
  {
    file: 'workerd.js',
    from: 'entries/workers.ts',
    imports: { ...coreAt('./index.js'), 'entries/broadloom.wasm': './broadloom.wasm' },
  },
  {
    file: 'edge-light.js',
    from: 'entries/workers.ts',
    imports: { ...coreAt('./index.js'), 'entries/broadloom.wasm': './broadloom.wasm?module' },
  },
  { file: 'global.js', wasm: 'default-wasm.ts', globals: 'globals-script.ts', format: 'iife' },
  { file: 'worklet.js', from: 'entries/worklet.ts', wasm: 'default-wasm-worklet.ts', globals: 'globals-worklet.ts' },
  { file: 'error.js', from: 'basics/error.ts' },
  { file: 'remote.js', from: 'entries/remote.ts' },
  { file: 'tasks.js', from: 'entries/tasks.ts' },
  { file: 'cjs/tasks.js', from: 'entries/tasks.ts', format: 'cjs' },
  ...['onnxruntime', 'ort'].flatMap((name) => [
    ...['index', 'inline', 'node', 'workerd', 'edge-light'].map((core) => ({
      file: core === 'index' ? `${name}.js` : `${name}-${core}.js`,
      from: `entries/${name}.ts`,
      imports: coreAt(`./${core}.js`),
    })),
    { file: `cjs/${name}.js`, from: `entries/${name}.ts`, imports: coreAt('./index.js'), format: 'cjs' },
  ]),
  { file: 'worker.js', from: 'entries/worker-web.ts', wasm: 'default-wasm.ts', isScript: true },
  { file: 'worker-node.js', from: 'entries/worker-node.ts', imports: coreAt('./node.js'), isScript: true },
  {
    file: 'cjs/worker.js',
    from: 'entries/worker-node.ts',
    imports: coreAt('./index.js'),
    format: 'cjs',
    isScript: true,
  },
];

function resolver({ wasm, worker = 'default-worker.ts', imports = {} }) {
  const chosen = { 'hosts/default-wasm.js': wasm, 'hosts/default-worker.js': worker };
  return {
    name: 'broadloom',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir }) => {
        const file = relative(source, join(resolveDir, path));
        if (file in imports) return { path: imports[file], external: true };
        return file in chosen ? { path: join(source, 'hosts', chosen[file]) } : undefined;
      });
      onResolve({ filter: /\?base64$/ }, () => ({ path: join(dist, 'broadloom.wasm'), namespace: 'base64' }));
      onLoad({ filter: /./, namespace: 'base64' }, ({ path }) => ({ contents: readFileSync(path), loader: 'base64' }));
    },
  };
}

/**
 * The stand-ins for import.meta.url where there is none. CommonJS never runs the code that starts workers of browsers; of a classic
 * script, globals-script.ts knows the address.
 */
const urls = { cjs: { 'import.meta.url': '""' }, iife: { 'import.meta.url': 'scriptUrl' } };

/** Names that users meet: in error messages, stacks and consoles. */
const publicNames = ['OnnxError', 'Tensor', 'Model', 'Runtime', 'toMessage'];

async function writeEntry(
  { file, from = 'entries/index.ts', format = 'esm', globals, isScript = false, ...resolution },
  isMinified,
) {
  const outfile = join(dist, file);
  const { outputFiles } = await build({
    entryPoints: [join(source, from)],
    outfile,
    bundle: true,
    minifySyntax: isMinified,
    ...(isMinified && format === 'cjs' && { minifyWhitespace: true, lineLimit: 500 }),
    define: { broadloomVersion: JSON.stringify(version), ...urls[format] },
    format,
    ...(format === 'iife' && { globalName: 'broadloom' }),
    platform: format === 'cjs' ? 'node' : 'neutral',
    external: ['node:*'],
    target: 'es2022',
    sourcemap: 'external',
    sourcesContent: false, // the sources are in the package
    write: false,
    logLevel: 'warning',
    plugins: [resolver(resolution)],
    inject: globals ? [join(source, 'hosts', globals)] : [],
  });
  const [map, code] = outputFiles.map(({ text }) => text);
  mkdirSync(dirname(outfile), { recursive: true });
  if (!isMinified) {
    const hasMap = !isScript;
    writeFileSync(outfile, hasMap ? `${code}//# sourceMappingURL=${basename(file)}.map\n` : code);
    if (hasMap) writeFileSync(`${outfile}.map`, map);
    return;
  }
  // Node and tools read the exports of CommonJS in the form that esbuild gives them: terser would change it. Lines stay short: Node
  // and Bun print the line that threw an error which nobody caught. It must not fill the screen, least of all with the wasm module.
  const { code: written } =
    format === 'cjs'
      ? { code }
      : await minify(code, {
          module: format === 'esm',
          ecma: 2022,
          // Functions stay where they are: as closures within others they cost time.
          compress: { ecma: 2022, passes: 3, inline: 0, reduce_funcs: false },
          mangle: { reserved: publicNames },
          format: file === 'inline.js' ? { beautify: true, indent_level: 1 } : { semicolons: false, max_line_len: 500 },
        });
  writeFileSync(outfile, written);
}

/** The declarations that `file` and what it imports need. */
function reachable(folder, file, found = new Set()) {
  if (found.has(file)) return found;
  found.add(file);
  for (const [, name] of readFileSync(join(folder, file), 'utf8').matchAll(/(?:from|import)\s*\(?'(\..+?)\.js'/g))
    reachable(folder, join(dirname(file), `${name}.d.ts`), found);
  return found;
}

/** The value of an import of `broadloom/broadloom.wasm` depends on the host or bundler; `load` takes each. */
const wasmTypes = `/** The wasm module, or where it is: whatever this host or bundler makes of a .wasm import. For \`load({ wasm })\`. */
declare const wasm: string | WebAssembly.Module;
export default wasm;
`;

/** `broadloom/worker` is a script without exports. */
const workerTypes = 'export {};\n';

/**
 * Copies the declarations from the compiler's folder to dist/cjs, where those of entries lie beside the other folders. They have the
 * comments of the sources, which are not in the package. Modules take them from there: TypeScript lets modules import declarations of CommonJS, and not the other way around.
 */
function writeTypes() {
  const types = join(root, 'build/types/js/src');
  const entryNames = ['index', 'tasks', 'onnxruntime', 'ort'];
  const files = new Set();
  for (const entry of entryNames) reachable(types, `entries/${entry}.d.ts`, files);
  for (const file of files) {
    const isEntry = file.startsWith('entries/');
    const copy = join(dist, 'cjs', isEntry ? basename(file) : file);
    mkdirSync(dirname(copy), { recursive: true });
    const text = readFileSync(join(types, file), 'utf8').replace(/\/\/# sourceMappingURL=.*\n?$/, '');
    writeFileSync(copy, isEntry ? text.replaceAll("'../", "'./") : text.replaceAll("'../entries/", "'../"));
  }
  for (const entry of entryNames) {
    const text = readFileSync(join(dist, `cjs/${entry}.d.ts`), 'utf8');
    const [, , file] = /import \* as (\w+) from '\.\/([^']+)\.js';.*export default \1;/s.exec(text) ?? [];
    // The default import of a CommonJS module is all of its exports.
    const ofDefault = file ? `import * as all from './cjs/${file}.js';\nexport default all;\n` : '';
    writeFileSync(join(dist, `${entry}.d.ts`), `export * from './cjs/${entry}.js';\n${ofDefault}`);
  }
  for (const folder of [dist, join(dist, 'cjs')]) {
    writeFileSync(join(folder, 'broadloom.wasm.d.ts'), wasmTypes);
    writeFileSync(join(folder, 'worker.d.ts'), workerTypes);
  }
}

/** The models that the guides use, so that their programs run where the package is installed. */
function writeSamples() {
  mkdirSync(join(dist, 'samples'));
  for (const [name, bytes] of Object.entries({ ...sampleModels(), ...simplifyModels() }))
    writeFileSync(join(dist, 'samples', name), bytes);
}

/**
 * Writes the file that bundlers take in the place of index.js: its exports without code. A program that imports `OnnxError` alone then
 * gets error.js alone. Without a bundler it would be one more request.
 */
async function writeBundleEntry() {
  const names = Object.keys(await import(pathToFileURL(join(dist, 'index.js'))));
  const others = names.filter((name) => name !== 'OnnxError').join(', ');
  writeFileSync(
    join(dist, 'bundle.js'),
    `export { OnnxError } from './error.js';\nexport { ${others} } from './index.js';\n`,
  );
}

/** Code that is not minified is for tools/coverage.mjs. */
export async function packageJavaScript({ isMinified = true } = {}) {
  for (const entry of entries) await writeEntry(entry, isMinified);
  await writeBundleEntry();
  writeTypes();
  writeSamples();
  writeFileSync(join(dist, 'cjs/package.json'), '{ "type": "commonjs" }\n');
}
