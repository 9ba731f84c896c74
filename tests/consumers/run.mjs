// Packs the package and installs it into an empty project. Each environment has a copy of what was installed, and runs the same
// check (shared/check.js). Files that consumers have in common are in `shared`, and a folder has those that show its tool. Prints a
// table. Arguments select folders by name. Without them, the slow ones run only in `npm run test:deep`.

import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { load } from '../../dist/inline.js';
import { documentedExamples, officialCases, officialTests } from '../../tools/models/examples.mjs';
import { pack } from '../../tools/pack.mjs';
import { isDeep, someOf } from '../depth.mjs';
import { endless } from '../workers/models.mjs';
import { closeBrowsers } from './browsers.mjs';
import { consumers } from './consumers.mjs';
import { install } from './tools.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const agreement = fileURLToPath(new URL('../../shared/agreement.js', import.meta.url));
/** For `broadloom/ort`: the package that tests/differential installs. */
const common = fileURLToPath(new URL('../differential/node_modules/onnxruntime-common', import.meta.url));
const projects = join(here, 'projects'); // under node_modules with the tools
const execute = promisify(execFile);

/** The last line of a program's output, as JSON. */
async function program(folder, environment, command, args, { env = {}, cwd = folder } = {}) {
  const { stdout } = await execute(command, args, { cwd, env: { ...process.env, ...env }, maxBuffer: 1 << 26 });
  const line = stdout.trimEnd().split('\n').at(-1);
  return [{ environment, result: JSON.parse(line) }];
}

async function dataFile() {
  const base64 = (bytes) => bytes.toString('base64');
  const models = someOf(officialTests(officialCases(await load())), 4).map(({ name, model, inputs, outputs }) => ({
    name,
    model: base64(model),
    inputs: inputs.map(base64),
    outputs: outputs.map(base64),
  }));
  const noEnd = base64(Buffer.from(endless()));
  return `export const endless = ${JSON.stringify(noEnd)};\nexport const examples = ${JSON.stringify(documentedExamples())};\nexport const models = ${JSON.stringify(models)};\n`;
}

/** An empty project with the shared files, the consumer's own, and the package that was installed. */
async function prepare(name, installed, data) {
  const folder = join(projects, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const files of ['shared', name].map((one) => join(here, one)))
    if (existsSync(files)) cpSync(files, folder, { recursive: true });
  cpSync(agreement, join(folder, 'agreement.js'));
  writeFileSync(join(folder, 'data.js'), data);
  cpSync(installed, join(folder, 'node_modules'), { recursive: true, verbatimSymlinks: true });
  if (!realpathSync(join(folder, 'node_modules/broadloom')).startsWith(folder))
    throw new Error(`${name}: broadloom was not installed into the project`);
  return {
    folder,
    program: (...args) => program(folder, ...args),
    execute: (command, args, options) => execute(command, args, { cwd: folder, ...options }),
    read: (file) => readFileSync(join(folder, file), 'utf8'),
  };
}

/** The parts of the check, as cells of the table. If the check was not run, one word says what was done. */
function cells(result) {
  if (typeof result === 'string') return [result, '', '', '', '', '', ''];
  const { examples, models, error, worker, onnxruntime, liveTensors, bytesInUse } = result;
  return ['yes', `${examples}`, `${models}`, error, worker, onnxruntime, `${liveTensors} tensors, ${bytesInUse} bytes`];
}

const tarball = pack(join(here, 'projects'));
const installed = install(tarball, join(projects, 'installed'));
cpSync(common, join(installed, 'onnxruntime-common'), { recursive: true });
const data = await dataFile();
const wanted = process.argv.slice(2);
const isChosen = (consumer) => (wanted.length > 0 ? wanted.includes(consumer.name) : isDeep || !consumer.isForDeepRuns);
const chosen = consumers.filter(isChosen);
const table = [];
let failed = 0;
/** Tests one environment. */
async function tryConsumer({ name, run }) {
  const started = performance.now();
  try {
    const rows = await run(await prepare(name, installed, data));
    if (rows.length === 0) throw new Error(`${name}: nothing was run`);
    for (const { environment, result } of rows) table.push([name, environment, ...cells(result)]);
    console.log(`${name}: ${rows.length} passed in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  } catch (error) {
    failed++;
    table.push([name, 'FAILED', '', '', '', '', '', '', '']);
    console.error(`${name} failed: ${error.stack}\n${error.stdout ?? ''}\n${error.stderr ?? ''}`);
  }
}

// Two at a time, because they wait for other processes. The slowest starts first.
const waiting = chosen.toSorted((a, b) => Number(b.name === 'next') - Number(a.name === 'next'));
const lane = async () => {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await tryConsumer(next);
};
await Promise.all([lane(), lane()]);
const places = new Map(chosen.map(({ name }, place) => [name, place]));
table.sort(([a], [b]) => places.get(a) - places.get(b));
await closeBrowsers();
const heads = [
  'project',
  'environment',
  'loads',
  'examples',
  '.onnx files',
  'error',
  'worker',
  'onnxruntime',
  'left in memory',
];
const all = [heads, ...table];
const widths = heads.map((_, column) => Math.max(...all.map((row) => row[column].length)));
console.log(`\n${basename(tarball)}, ${statSync(tarball).size} bytes, installed into empty projects:\n`);
for (const row of all)
  console.log(
    row
      .map((cell, column) => cell.padEnd(widths[column]))
      .join('  ')
      .trimEnd(),
  );
console.log(`\n${table.length - failed} passed, ${failed} failed`);
if (failed > 0 || table.length === 0) process.exitCode = 1;
