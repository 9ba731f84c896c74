// The sizes of the package in bytes, beside the budgets of budgets.json.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from './run.mjs';

const budgets = JSON.parse(readFileSync(new URL('budgets.json', import.meta.url), 'utf8'));

/** A row of the printed table; `budget` names an entry of budgets.json. */
const row = (name, bytes, note, budget) => ({ name, bytes, note, limit: budgets[budget] ?? Infinity });

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

export const tarballSize = (bytes) => row('tarball', bytes, '', 'tarball');

export function printSizes(rows) {
  for (const { name, bytes, note, limit } of rows) {
    const budget = limit === Infinity ? '' : `(budget ${limit})`;
    console.log(`${name.padEnd(16)} ${String(bytes).padStart(7)} bytes ${note} ${budget}`.trimEnd());
  }
}
