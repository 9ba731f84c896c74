// Fuzzes the library: gives millions of changed files and calls to the targets in tests/fuzz, under sanitizers.
//
//   npm run fuzz -- --minutes 10 [--target model]   fuzzes each target so long; two at a time on two processors
//   npm run fuzz -- --replay FILE --target model    runs one file, natively and in wasm
//   npm run fuzz -- --wasm                          runs all corpora and regressions in wasm, where sizes have 32 bits
//   npm run fuzz -- --short                         what `npm test` does: all corpora and regressions, and a minute in all
//   npm run fuzz -- --pack                          makes tests/fuzz/corpora.tar.xz anew, of seeds and of what fuzzers found
//
// A finding is kept in build/fuzz/findings, made smaller, and printed with the command that runs it again.
import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { makeSeeds } from './fuzz/seeds.mjs';
import {
  archive,
  build,
  corpusOf,
  emptied,
  filesIn,
  folder,
  natives,
  programOf,
  regressionsOf,
  seedsOf,
  targets,
  unpack,
} from './fuzz/targets.mjs';
import { replayInWasm } from './fuzz/wasm.mjs';
import { root, run } from './run.mjs';

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string' },
    target: { type: 'string' },
    replay: { type: 'string' },
    wasm: { type: 'boolean' },
    short: { type: 'boolean' },
    pack: { type: 'boolean' },
  },
});
const findings = join(folder, 'findings');
const isChosen = ({ name }) => options.target === undefined || options.target === name;
const chosen = targets.filter(isChosen);
const chosenNatives = natives.filter(isChosen);
if (chosen.length === 0) stop(`no target ${options.target}: there are ${targets.map(({ name }) => name).join(', ')}`);

function stop(message) {
  console.error(`fuzz: ${message}`);
  process.exit(1);
}

/** A file takes under a second; ten are for slow machines that do other work, too. */
const limits = ['-timeout=20', '-rss_limit_mb=2560', '-max_len=20000'];

/** Runs a target until it ends -> what it printed, and its exit code. */
const runTarget = (name, args) => runProgram(programOf(name), [...limits, ...args]);

function runProgram(program, args) {
  return new Promise((done) => {
    const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    const output = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => output.push(part));
    child.on('error', (error) => stop(error.message));
    child.on('close', (status) => done({ status, text: Buffer.concat(output).toString('latin1') }));
  });
}

/** Calls `work` for each target, as many at a time as there are processors. Returns the results in order. */
async function forEach(list, work) {
  const results = [];
  let next = 0;
  const lane = async () => {
    while (next < list.length) {
      const number = next++;
      results[number] = await work(list[number]);
    }
  };
  await Promise.all(Array.from({ length: Math.max(availableParallelism(), 2) }, lane));
  return results;
}

const numberIn = (text, label) => Number(new RegExp(`${label}:?\\s+(\\d+)`).exec(text)?.[1] ?? 0);

/** The part of the output that says what went wrong. */
const trouble = (text) =>
  text
    .split('\n')
    .filter((line) => !/^(#\d|INFO|\s+NEW_FUNC|MS:|stat::|0x|\\)/.test(line))
    .slice(0, 60)
    .join('\n');

const commandFor = (name, file) => `npm run fuzz -- --target ${name} --replay ${relative(root, file)}`;

/** Makes a finding smaller, and says how to run it again. */
async function report(name, text) {
  console.error(`\n${trouble(text)}`);
  const written = /Test unit written to (.*)/.exec(text)?.[1];
  if (written === undefined) return console.error(`fuzz: ${name} failed without a file`);
  const file = resolve(root, written);
  const small = `${file}.small`;
  const shorten = ['-minimize_crash=1', '-max_total_time=30', `-exact_artifact_path=${small}`, file];
  if (/crash-|leak-/.test(file)) await runTarget(name, shorten);
  const kept = statSync(small, { throwIfNoEntry: false }) ? small : file;
  console.error(`fuzz: ${name} failed: ${commandFor(name, kept)}`);
}

/** Fuzzes a target for some seconds, after all files of its corpus and its regressions. */
async function fuzz({ name }, seconds) {
  mkdirSync(findings, { recursive: true });
  const corpora = [corpusOf(name), regressionsOf(name)].filter(
    (place) => filesIn(place).length > 0 || place === corpusOf(name),
  );
  const before = filesIn(corpusOf(name)).length;
  const args = [`-max_total_time=${seconds}`, '-print_final_stats=1', `-artifact_prefix=${findings}/${name}-`];
  const { status, text } = await runTarget(name, [...args, ...corpora]);
  const line = {
    target: name,
    executions: numberIn(text, 'stat::number_of_executed_units'),
    corpus: before,
    new: filesIn(corpusOf(name)).length - before,
    'peak MB': numberIn(text, 'stat::peak_rss_mb'),
    seed: numberIn(text, 'INFO: Seed'),
    finding: status === 0 ? 'none' : 'yes',
    ends: /OUTCOMES (.*);/.exec(text)?.[1],
  };
  if (status !== 0) await report(name, text);
  return line;
}

/** Gives changed inputs to a script for some seconds. */
async function runScript({ name }, seconds) {
  const script = join(root, 'tests/fuzz/scripts/run.mjs');
  const { status, text } = await runProgram('node', [script, name, `${seconds}`]);
  const line = { target: name, executions: 0, finding: status === 0 ? 'none' : 'yes' };
  if (status !== 0) console.error(text);
  else Object.assign(line, JSON.parse(text.trim().split('\n').at(-1)));
  return { ...line, ends: line.ends?.join(' ') };
}

/** Runs files once, natively. */
async function replay(name, files) {
  const { status, text } = await runTarget(name, ['-runs=1', ...files]);
  if (status !== 0) console.error(trouble(text));
  return status === 0;
}

async function pack() {
  makeSeeds();
  const place = emptied(join(folder, 'packed'));
  await forEach(chosenNatives, async ({ name }) => {
    mkdirSync(join(place, name));
    const from = [corpusOf(name), seedsOf(name)].filter((one) => filesIn(one).length > 0);
    const { status, text } = await runTarget(name, ['-merge=1', join(place, name), ...from]);
    if (status !== 0) stop(`${name}: ${trouble(text)}`);
  });
  // Files that are only in the corpora of other runs are dropped. Files of targets that are not packed now stay.
  for (const { name } of natives.filter((one) => !isChosen(one))) {
    mkdirSync(join(place, name));
    for (const file of filesIn(corpusOf(name))) copyFileSync(file, join(place, name, relative(corpusOf(name), file)));
  }
  const names = readdirSync(place).sort();
  const tar = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner'];
  run('tar', [...tar, '-I', 'xz -9e', '-cf', archive, '-C', place, ...names], { quiet: true });
  for (const name of names) console.log(`${name}: ${filesIn(join(place, name)).length} files`);
  console.log(`${relative(root, archive)}: ${statSync(archive).size} bytes`);
  rmSync(place, { recursive: true });
}

build();
unpack();
if (options.replay !== undefined) {
  if (options.target === undefined) stop('--replay needs --target');
  const file = resolve(options.replay);
  const holds = await replay(options.target, [file]);
  const holdsInWasm = replayInWasm([{ name: options.target, files: [file] }]);
  console.log(`natively: ${holds ? 'no finding' : 'a finding'}; in wasm: ${holdsInWasm ? 'no finding' : 'a finding'}`);
  process.exit(holds && holdsInWasm ? 0 : 1);
}
if (options.wasm) {
  const list = chosenNatives.map(({ name }) => ({
    name,
    files: [...filesIn(corpusOf(name)), ...filesIn(regressionsOf(name))],
  }));
  process.exit(replayInWasm(list) ? 0 : 1);
}
if (options.pack) {
  await pack();
  process.exit(0);
}
const shares = chosen.reduce((sum, { share }) => sum + share, 0);
const secondsOf = ({ share }) => {
  if (options.short) return Math.max(2, Math.round((60 * share) / shares));
  const minutes = Number(options.minutes ?? 1);
  if (!(minutes > 0)) stop(`--minutes is ${options.minutes}, which is not a number above 0`);
  return Math.round(60 * minutes);
};
const lines = await forEach(chosen, (target) => (target.isScript ? runScript : fuzz)(target, secondsOf(target)));
console.table(lines);
if (lines.some(({ finding }) => finding !== 'none')) process.exit(1);
