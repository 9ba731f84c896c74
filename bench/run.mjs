// npm run bench [-- --quick] [-- --only=<text>] [-- --operators=<name>,...] [-- --no-peers]
// npm run bench -- --only=architectures [--cases=<text>,...] [--against=<dist>] [--rounds=<n>]
// Prints tables and writes bench/results. With --quick or --only it writes to build/bench, so that the committed results are
// always those of whole runs. Slow numbers do not fail it; wrong results do.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { root } from '../tools/run.mjs';
import { measureAllocation } from './allocation.mjs';
import { arithmeticCases } from './arithmetic-cases.mjs';
import { familyCases, familySizes, peersRun, quick, tableCases } from './cases.mjs';
import { drawChart } from './chart.mjs';
import { measureColdStart } from './cold-start.mjs';
import { measureDownload } from './download.mjs';
import { measureGraphs } from './graphs.mjs';
import { measureLaziness } from './laziness.mjs';
import { makeLimit, measureStores } from './limit.mjs';
import { describeMachine } from './machine.mjs';
import { fullEffort, quickEffort, tableEffort } from './measure.mjs';
import { movementCases } from './movement-cases.mjs';
import { broadloom, newRuntime } from './peers/broadloom.mjs';
import { allPeers } from './peers/index.mjs';
import * as report from './report.mjs';
import { reportFamily, reportTable } from './report-cases.mjs';
import { resultsFolder } from './results.mjs';
import { runCase } from './run-case.mjs';
import { measureSmallCalls } from './small-calls.mjs';
import { median } from './statistics.mjs';
import { targetsOf } from './targets.mjs';

const options = Object.fromEntries(
  process.argv.slice(2).map((argument) => {
    const [, name, value] = /^--([\w-]+)(?:=(.*))?$/.exec(argument) ?? [];
    if (!['quick', 'only', 'no-peers', 'operators', 'cases', 'against', 'rounds'].includes(name))
      throw new Error(`bench: unknown argument ${argument}`);
    return [name, value ?? true];
  }),
);
const isWhole = Object.keys(options).length === 0;
const results = resultsFolder(join(root, isWhole ? 'bench/results' : 'build/bench'));

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc'); // between cases, so that garbage of one does not slow the next

const chosen = (item) => (!options.quick || quick(item)) && (!options.only || item.name.includes(options.only));
const progress = (text) => process.stderr.isTTY && process.stderr.write(`\r\x1b[K${text}`);

async function runAll(cases, contenders, effort) {
  const rows = [];
  for (const [i, item] of cases.entries()) {
    progress(`${i + 1}/${cases.length} ${item.name}`);
    const peers = peersRun(item) ? contenders.peers : [];
    rows.push(await runCase(item, { ...contenders, peers }, effort));
    collectGarbage();
  }
  progress('');
  return rows;
}

const sectionNames = ['models', 'architectures', 'calls', 'sound', 'images'];
const onlySections = options.only?.split(',').every((name) => sectionNames.includes(name)) ?? false;

const subject = await broadloom(await newRuntime());
const peers = options['no-peers'] || onlySections ? [] : await allPeers();
const names = peers.map(({ name }) => name);
const cases = { table: tableCases.filter(chosen), family: familyCases.filter(chosen) };
const graphs = Object.fromEntries(
  Object.entries({ Movements: movementCases, ...arithmeticCases }).map(([name, items]) => [
    name,
    items.filter((item) => !options.only || item.name.includes(options.only)),
  ]),
);
// Sections that are asked for by their names: --only=sound,images.
const asked = (section) => !options['no-peers'] && (!options.only || options.only.split(',').includes(section));
if (cases.table.length + cases.family.length + Object.values(graphs).flat().length === 0 && !sectionNames.some(asked))
  throw new Error(`bench: no case has "${options.only}" in its name`);
const limit = makeLimit(Math.max(...[...tableCases, ...familyCases].map(({ bytes }) => bytes)));
const contenders = { subject, limit, peers };

const machine = describeMachine([subject, ...peers]);
report.reportMachine(machine);
results.write('machine', machine);

const table = await runAll(cases.table, contenders, options.quick ? quickEffort : tableEffort);
if (table.length > 0) reportTable(table, names);
results.write('table', { rows: table });

const stores = onlySections ? [] : await measureStores(limit, familySizes, options.quick ? quickEffort : fullEffort);
if (stores.length > 0) report.reportStores(stores);
results.write('limit', { rows: stores });

const family = await runAll(cases.family, contenders, options.quick ? quickEffort : fullEffort);
const small = family.filter(({ bytes }) => bytes < 1000).map(({ time }) => time);
const overhead = small.length > 0 ? median(small) : 0;
if (family.length > 0) reportFamily(family, names, overhead, stores);
results.write('family', { overhead, rows: family });
if (family.length > 0) results.writeText('chart.svg', await drawChart(family, machine));

for (const [name, items] of Object.entries(graphs)) {
  const rows = await measureGraphs(items, contenders, options.quick ? quickEffort : tableEffort, collectGarbage);
  if (rows.length > 0) report.reportGraphs(name, rows, names);
  results.write(name.toLowerCase(), { rows });
}

/** A section beside onnxruntime-web, in a process of its own. */
function measureApart(section, rounds, ...more) {
  const child = fileURLToPath(new URL('models-child.mjs', import.meta.url));
  const limits = { encoding: 'utf8', maxBuffer: 2 ** 24, stdio: ['ignore', 'pipe', 'inherit'] };
  return JSON.parse(execFileSync(process.execPath, [child, section, `${rounds}`, ...more], limits));
}

if (asked('models')) {
  const models = measureApart('models', options.quick ? 5 : 21);
  report.reportModels(models);
  results.write('models', models);
}

// Eight minutes: in a quick run only by name.
if (asked('architectures') && (!options.quick || options.only)) {
  const chosenOnes = [options.cases ?? '', options.against ?? ''];
  const measured = measureApart('architectures', options.rounds ?? (options.quick ? 5 : 15), ...chosenOnes);
  report.reportArchitectures(measured);
  results.write('architectures', measured);
  const wrong = measured.rows.filter(({ isWrong }) => isWrong).map(({ name }) => name);
  if (wrong.length > 0) throw new Error(`bench: ${measured.against} has other results: ${wrong.join(', ')}`);
}

// Nine minutes: not in a quick run.
if (asked('calls') && !options.quick) {
  const calls = measureApart('calls', 7, ...(options.operators?.split(',') ?? []));
  report.reportCalls(calls);
  results.write('calls', calls);
}

if (asked('sound')) {
  const { measureSound } = await import('./sound.mjs');
  const sound = await measureSound(await newRuntime(), options.quick ? quickEffort : tableEffort);
  report.reportSound(sound);
  results.write('sound', sound);
}

if (asked('images')) {
  const { measureImages } = await import('./images.mjs');
  const images = await measureImages(await newRuntime(), options.quick ? 5 : 21);
  report.reportImages(images);
  results.write('images', { rows: images });
}

/** Runs the sections that are not about single cases. */
async function runSections() {
  const smallCalls = await measureSmallCalls(await newRuntime(), options.quick ? quickEffort : tableEffort);
  report.reportSmallCalls(smallCalls);
  results.write('small-calls', smallCalls);

  const laziness = await measureLaziness(await newRuntime(), tableEffort);
  report.reportLaziness(laziness);
  results.write('laziness', laziness);

  const allocation = measureAllocation(await newRuntime(), options.quick ? 1000 : 10_000);
  report.reportAllocation(allocation);
  results.write('allocation', allocation);

  const coldStart = await measureColdStart(options.quick ? 3 : 11);
  report.reportColdStart(coldStart);
  results.write('cold-start', { rows: coldStart });

  const download = await measureDownload();
  report.reportDownload(download);
  results.write('download', { rows: download });
  return { laziness, allocation };
}

const sections = options.only ? {} : await runSections();
for (const peer of peers) peer.close?.();

const targets = targetsOf({ table, family, ...sections });
if (targets.length > 0) {
  report.reportTargets(targets);
  results.write('targets', { rows: targets });
}
