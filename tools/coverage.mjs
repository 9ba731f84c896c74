// How many lines and branches of src/ and js/src/ the tests run. Prints the share of each folder; with --files also of each file;
// with --missing also the lines that no test runs. --only=src or --only=js/src for one of them. Fails below the least shares.
import { parseArgs } from 'node:util';
import { coverageOfJavaScript } from './coverage/javascript.mjs';
import { coverageOfNative, layers } from './coverage/native.mjs';
import { run } from './run.mjs';

const least = { lines: 97, branches: 90 };
const { values: options } = parseArgs({
  options: { files: { type: 'boolean' }, missing: { type: 'boolean' }, only: { type: 'string' } },
});

const sum = (rows, key) => ({
  count: rows.reduce((all, row) => all + row[key].count, 0),
  covered: rows.reduce((all, row) => all + row[key].covered, 0),
});
const share = ({ covered, count }) => (count === 0 ? 100 : (100 * covered) / count);
function tell(name, rows) {
  const part = (key) => {
    const counts = sum(rows, key);
    return `${share(counts).toFixed(1).padStart(6)} % of ${`${counts.count}`.padStart(6)} ${key}`;
  };
  console.log(`${name.padEnd(44)} ${part('lines')} ${part('branches')}`);
}

let holds = true;
function tellAll(name, rows, parts) {
  if (options.files) for (const row of rows) tell(row.file, [row]);
  for (const { file, missing } of rows) {
    if (!options.missing || missing.length === 0) continue;
    console.log(`${file}: ${missing.length} lines`);
    for (const line of missing) console.log(`  ${line}`);
  }
  for (const part of parts)
    tell(
      part,
      rows.filter(({ file }) => file.startsWith(`${part}/`)),
    );
  tell(name, rows);
  if (Object.entries(least).some(([key, wanted]) => share(sum(rows, key)) < wanted)) holds = false;
}

if (options.only !== 'js/src') {
  const parts = layers.map((layer) => `src/${layer}`);
  tellAll('src', coverageOfNative({ wantsMissing: options.missing }), parts);
}
if (options.only !== 'src') {
  run('node', ['tools/build.mjs', '--quiet']);
  tellAll('js/src', await coverageOfJavaScript(), []);
}
if (!holds) console.log(`wanted: ${least.lines} % of lines, ${least.branches} % of branches`);
process.exit(holds ? 0 : 1);
