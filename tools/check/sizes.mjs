// The sizes of the package, beside their budgets.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root, run } from '../run.mjs';
import { budgets } from './budgets.mjs';

/** A row of the printed table; `budget` names an entry of budgets.json. */
const row = (name, bytes, note, budget, unit = 'bytes') => ({
  ...{ name, bytes, note, budget, unit },
  limit: budgets[budget]?.limit ?? Infinity,
});

/** The download of a browser: the wasm module and the JavaScript. */
export function downloadSizes() {
  const files = ['broadloom.wasm', 'index.js', 'error.js'].map((name) => {
    const bytes = readFileSync(join(root, 'dist', name));
    return row(name, gzipSync(bytes, { level: 9 }).length, `of gzip, ${bytes.length} plain`);
  });
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  return [...files, row('download', total, 'of gzip', 'download')];
}

/** The entries beside the core's, which a page downloads that imports them. */
export const entrySizes = () =>
  ['tasks', 'onnxruntime', 'ort'].map((name) => {
    const bytes = readFileSync(join(root, `dist/${name}.js`));
    return row(`${name}.js`, gzipSync(bytes, { level: 9 }).length, `of gzip, ${bytes.length} plain`, name);
  });

/** The command `broadloom`, which no browser downloads. */
export const commandSize = () => row('command', statSync(join(root, 'dist/cli/broadloom.js')).size, 'plain', 'command');

/** The tarball and the number of its files. */
export function tarballSizes(path) {
  const files = run('tar', ['-tzf', path], { quiet: true }).trim().split('\n').length;
  return [
    row('tarball', statSync(path).size, '', 'tarball'),
    row('', files, 'in the tarball', 'tarballFiles', 'files'),
  ];
}

export function printSizes(rows) {
  for (const { name, bytes, note, limit, unit } of rows) {
    const budget = limit === Infinity ? '' : `(budget ${limit})`;
    console.log(
      `${name.padEnd(16)} ${String(bytes).padStart(7)} ${unit} ${note} ${budget}`.replace(/ +(?=\(|$)/, ' ').trimEnd(),
    );
  }
}
