// npm run bench:simplify: compares simplify with onnxsim over real files and generated ones that look like an exporter's. Reports
// the nodes left, how many of them should be gone (tools/models/census.mjs counts them in the bytes), and the time. Each file is
// simplified as it is, and with its sizes or values fixed; onnxsim cannot fix any, so it gets a file that declares them. Each call
// has a separate process. Arguments: parts of names of models. A call that takes longer than two minutes is stopped.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { models } from '../tests/models/simplify-cases.mjs';
import { withInputs } from '../tools/models/editor.mjs';
import { root } from '../tools/run.mjs';
import { resultsFolder } from './results.mjs';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'broadloom-simplify-'));
const contenders = ['onnxsim', 'Broadloom', 'Broadloom, fuseInexact'];
const chosen = process.argv.slice(2);

/** The file with a case's sizes and values fixed to its first feed. */
function fixedFile(file, { options, feeds }) {
  const shapes = Object.entries(feeds[0]).map(([name, { type, dims }]) => [name, [type, dims]]);
  return withInputs(file, Object.fromEntries(shapes), options.values);
}

async function measure(contender, file, options) {
  const input = join(folder, 'in.onnx');
  const output = join(folder, 'out.onnx');
  writeFileSync(input, file);
  const given = JSON.stringify(options, (_, part) => {
    if (typeof part === 'bigint') return Number(part);
    return ArrayBuffer.isView(part) ? Array.from(part, Number) : part;
  });
  const started = performance.now();
  try {
    const child = join(import.meta.dirname, 'simplify-child.mjs');
    const { stdout } = await run(process.execPath, [child, contender, input, output, given], {
      timeout: 120_000,
      killSignal: 'SIGKILL',
      maxBuffer: 2 ** 26,
    });
    return JSON.parse(stdout.trim().split('\n').at(-1));
  } catch (error) {
    const seconds = Math.round((performance.now() - started) / 1000);
    return {
      error: error.killed ? `given up after ${seconds} s` : messageOf(String(error.stderr || error)),
    };
  }
}

/** The line with the message in the output of a process that failed. Positions in files come before it. */
function messageOf(printed) {
  const lines = printed.trim().split('\n');
  return lines.find((one) => /^\w*Error\b/.test(one)) ?? lines[0];
}

/** The levels at which onnxruntime-web does not load the last result. */
async function refusals() {
  const child = join(import.meta.dirname, 'simplify-child.mjs');
  const { stdout } = await run(process.execPath, [child, 'onnxruntime-web', join(folder, 'out.onnx')]);
  const levels = JSON.parse(stdout.trim().split('\n').at(-1));
  return Object.entries(levels).flatMap(([level, error]) =>
    error === null ? [] : [`not loaded at '${level}': ${error}`],
  );
}

const columns = ['nodes', 'shapes', 'ifs', 'loops', 'constantFed', 'dead'];
const heads = { constantFed: 'const-fed' };
const line = (label, { census, ms, error }) => {
  const cells = error === undefined ? columns.map((column) => String(census[column]).padStart(10)) : [`  ${error}`];
  const time = ms === undefined ? '' : `${ms.toFixed(1).padStart(10)} ms`;
  return `  ${label.padEnd(24)}${cells.join('')}${time}`;
};

/**
 * The cases in which a contender does less than onnxsim. Exact passes are compared by nodes that should be gone, fusions by the
 * number of nodes.
 */
function behind([peer, exact, fused]) {
  if (exact.error !== undefined || fused.error !== undefined) return ['it fails'];
  const refused = [...exact.refused, ...fused.refused];
  if (peer.error !== undefined) return refused;
  const more = ['shapes', 'ifs', 'constantFed', 'dead'].filter((column) => exact.census[column] > peer.census[column]);
  const slower = [exact, fused].some(({ ms }) => ms > peer.ms) ? ['slower'] : [];
  return [
    ...refused,
    ...more.map((column) => `more ${column}`),
    ...(fused.census.nodes > peer.census.nodes ? ['more nodes'] : []),
    ...slower,
  ];
}

const rows = [];
for (const { name, bytes, cases } of models) {
  if (chosen.length > 0 && !chosen.some((part) => name.includes(part))) continue;
  const file = bytes();
  const last = cases.at(-1);
  const wanted = [cases[0], ...(last === cases[0] ? [] : [last])];
  for (const one of wanted) {
    console.log(
      `\n${name}, ${one.title} fixed\n${''.padEnd(26)}${columns.map((column) => (heads[column] ?? column).padStart(10)).join('')}`,
    );
    const results = [];
    for (const contender of contenders) {
      const isPeer = contender === 'onnxsim';
      const given = isPeer && one !== cases[0] ? fixedFile(file, one) : file;
      const options = {
        ...(isPeer ? {} : one.options),
        ...(contender.endsWith('fuseInexact') && { fuseInexact: true }),
      };
      const result = await measure(contender, given, options);
      if (results.length === 0 && result.before !== undefined) console.log(line('as it is', { census: result.before }));
      console.log(line(contender, result));
      if (!isPeer && result.error === undefined) result.refused = await refusals();
      results.push(result);
    }
    const lost = behind(results);
    if (lost.length > 0) console.log(`  BEHIND: ${lost.join(', ')}`);
    rows.push({
      name,
      fixed: one.title,
      results: Object.fromEntries(contenders.map((who, i) => [who, results[i]])),
      lost,
    });
  }
}
rmSync(folder, { recursive: true });

const zipped = (files) => files.reduce((sum, path) => sum + gzipSync(readFileSync(path), { level: 9 }).length, 0);
const ofPeer = join(import.meta.dirname, 'node_modules/onnxsim');
const ofRuntime = join(import.meta.dirname, 'node_modules/onnxruntime-web/dist');
const download = {
  Broadloom: zipped(['index.js', 'error.js', 'broadloom.wasm'].map((file) => join(root, 'dist', file))),
  onnxsim: zipped(['index.mjs', 'onnxsim.cjs', 'onnxsim.wasm', 'ort_executor.mjs'].map((file) => join(ofPeer, file))),
  'onnxruntime-web, which onnxsim needs': zipped(
    ['ort.wasm.bundle.min.mjs', 'ort-wasm-simd-threaded.wasm'].map((file) => join(ofRuntime, file)),
  ),
};
console.log('\nDownload, gzip -9');
for (const [who, size] of Object.entries(download))
  console.log(`  ${who.padEnd(38)}${size.toLocaleString('en').padStart(12)}`);
const lost = rows.filter((row) => row.lost.length > 0);
console.log(lost.length === 0 ? '\nBehind in nothing.' : `\nBehind on ${lost.length} of ${rows.length}.`);
resultsFolder(join(root, 'build/bench')).write('simplify', { rows, download });
