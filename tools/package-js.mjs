// Writes the JavaScript of the package and its type declarations into dist/, which has the wasm module already.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { build } from 'esbuild';
import { minify } from 'terser';
import { root, version } from './run.mjs';

const source = join(root, 'js/src');
const dist = join(root, 'dist');

/**
 * The files that users import. `wasm` is the module of js/src that finds the wasm module there; `imports` tells what an
 * import stands for that is left to the host; `globals` is the module of js/src that has what the host's globals may lack.
 */
const entries = [
  { file: 'index.js', wasm: 'default-wasm.ts' },
  { file: 'inline.js', wasm: 'default-wasm-inline.ts' },
  { file: 'node.js', wasm: 'default-wasm-node.ts' },
  { file: 'cjs/index.js', wasm: 'default-wasm-cjs.ts', globals: 'globals-cjs.ts', format: 'cjs' },
  { file: 'workerd.js', from: 'workers.ts', imports: { './broadloom.wasm': './broadloom.wasm' } },
  { file: 'edge-light.js', from: 'workers.ts', imports: { './broadloom.wasm': './broadloom.wasm?module' } },
];

function resolver({ wasm, imports }) {
  return {
    name: 'broadloom',
    setup({ onResolve, onLoad }) {
      if (imports) {
        onResolve({ filter: /^\.\/(index\.js|broadloom\.wasm)$/ }, ({ path }) => ({
          path: imports[path] ?? path,
          external: true,
        }));
        return;
      }
      onResolve({ filter: /^\.\/default-wasm\.js$/ }, () => ({ path: join(source, wasm) }));
      onResolve({ filter: /\?base64$/ }, () => ({ path: join(dist, 'broadloom.wasm'), namespace: 'base64' }));
      onLoad({ filter: /./, namespace: 'base64' }, ({ path }) => ({ contents: readFileSync(path), loader: 'base64' }));
    },
  };
}

/** Names that users meet: in error messages, stacks and consoles. */
const publicNames = ['OnnxError', 'Tensor', 'Model', 'Runtime', 'toMessage'];

async function writeEntry({ file, from = 'index.ts', format = 'esm', globals, ...resolution }) {
  const outfile = join(dist, file);
  const { outputFiles } = await build({
    entryPoints: [join(source, from)],
    outfile,
    bundle: true,
    minifySyntax: true,
    define: { broadloomVersion: JSON.stringify(version) },
    format,
    platform: format === 'cjs' ? 'node' : 'neutral',
    external: ['node:*'],
    target: 'es2022',
    sourcemap: 'external',
    sourcesContent: false, // the sources are in the package
    write: false,
    logLevel: 'warning',
    plugins: [resolver(resolution)],
    inject: globals ? [join(source, globals)] : [],
  });
  const [map, code] = outputFiles.map(({ text }) => text);
  const url = `${basename(file)}.map`;
  // What Node reads of CommonJS' exports would not survive terser. Lines stay short: Node and Bun print the line
  // that threw an error which nobody caught. It must not fill the screen, least of all with the wasm module.
  const written =
    format === 'cjs'
      ? { code: `${code}//# sourceMappingURL=${url}\n`, map }
      : await minify(code, {
          module: true,
          ecma: 2022,
          // Functions stay where they are: as closures within others they cost time.
          compress: { ecma: 2022, passes: 3, inline: 0, reduce_funcs: false },
          mangle: { reserved: publicNames },
          format: file === 'inline.js' ? { beautify: true, indent_level: 1 } : { semicolons: false, max_line_len: 500 },
          sourceMap: { content: map, filename: file, url },
        });
  mkdirSync(dirname(outfile), { recursive: true });
  writeFileSync(outfile, written.code);
  writeFileSync(`${outfile}.map`, written.map);
}

/** The declarations that `file` and what it imports need. */
function reachable(folder, file, found = new Set()) {
  if (found.has(file)) return found;
  found.add(file);
  for (const [, name] of readFileSync(join(folder, file), 'utf8').matchAll(/(?:from|import)\s*\(?'\.\/(.+?)\.js'/g))
    reachable(folder, `${name}.d.ts`, found);
  return found;
}

/** The value of an import of `broadloom/broadloom.wasm` depends on the host or bundler; `load` takes each. */
const wasmTypes = `/** The wasm module, or where it is: whatever this host or bundler makes of a .wasm import. For \`load({ wasm })\`. */
declare const wasm: string | WebAssembly.Module;
export default wasm;
`;

/** Copies the declarations from the compiler's folder; their maps lead to the sources, which are in the package, too. */
function writeTypes(folder) {
  const types = join(root, 'build/types/js/src');
  mkdirSync(folder, { recursive: true });
  for (const file of reachable(types, 'index.d.ts')) {
    copyFileSync(join(types, file), join(folder, file));
    const map = JSON.parse(readFileSync(join(types, `${file}.map`), 'utf8'));
    map.sources = map.sources.map((path) => relative(folder, join(types, path)));
    writeFileSync(join(folder, `${file}.map`), JSON.stringify(map));
  }
  writeFileSync(join(folder, 'broadloom.wasm.d.ts'), wasmTypes);
}

export async function packageJavaScript() {
  for (const entry of entries) await writeEntry(entry);
  writeTypes(dist);
  writeTypes(join(dist, 'cjs'));
  writeFileSync(join(dist, 'cjs/package.json'), '{ "type": "commonjs" }\n');
}
