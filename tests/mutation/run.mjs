// Plants deliberate faults in the C++ and looks which tests find them: `npm run mutations`.
//
// All faults are in one build, each beside the right expression, and a number chooses the one that is active (faults.h). A first
// run of the tests tells which of them reach which fault; then each fault is active once, for the tests that reach it. Faults in
// bindings, and those that no native test finds, are active in the wasm module for the tests of JavaScript.
//
// --count N: how many faults (default 260); --seed S: which ones; --only REGEX: of files; --native: no tests of JavaScript;
// --left: the faults that the last run (build/mutation/report.json) neither found nor explained, with the tests of JavaScript
// alone, or with --native with the native tests alone; --sanitize: the native tests run under sanitizers, as in npm test, which
// takes several times as long. Fails when a fault survives that survivors.json does not explain.
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { copyProject } from '../../tools/project-copy.mjs';
import { root, run } from '../../tools/run.mjs';

const { values: options } = parseArgs({
  options: {
    count: { type: 'string', default: '260' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    native: { type: 'boolean', default: false },
    left: { type: 'boolean', default: false },
    sanitize: { type: 'boolean', default: false },
  },
});
const here = join(root, 'tests/mutation');
const tree = join(root, 'build/mutation/tree');
const build = join(root, 'build/mutation', options.sanitize ? 'sanitized' : 'native');
const reportFile = join(root, 'build/mutation/report.json');
const reachedFile = join(root, 'build/mutation/reached.txt');

/** The share of each folder. Bindings are only in the wasm module. */
const shares = [
  ['src/kernels', 70],
  ['src/ops', 75],
  ['src/graph', 50],
  ['src/onnx', 30],
  ['src/core', 15],
  ['src/media', 10],
  ['bindings', 25],
];
const layers = ['core', 'kernels', 'ops', 'media', 'graph', 'onnx'];
const mostOfFile = 5;

// ---- Which faults ----

/** mulberry32 */
function randomOf(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** All places in as many files of the folder as `count` faults need: reading a file takes a second. */
function placesIn(folder, count, random) {
  const files = readdirSync(join(root, folder), { recursive: true })
    .map((file) => join(folder, file))
    .filter((file) => file.endsWith('.cpp') && new RegExp(options.only).test(file))
    .sort();
  if (files.length === 0) return [];
  const headers = join(root, 'build/mutation/include');
  mkdirSync(headers, { recursive: true });
  const tl = ['/usr/include/tl', '/usr/local/include/tl'].find((path) => existsSync(path));
  if (!existsSync(join(headers, 'tl'))) symlinkSync(tl, join(headers, 'tl'));
  // embind's own header is not needed to read these files.
  const left = files.filter((file) => !/embind/.test(file));
  const readable = [];
  while (left.length > 0 && readable.length < 1 + count / 2)
    readable.push(...left.splice(Math.floor(random() * left.length), 1));
  const flags = ['-std=c++20', '-Isrc', '-Ibindings', `-isystem${headers}`];
  return JSON.parse(
    run('/usr/bin/python3', [join(here, 'plant.py'), JSON.stringify(flags), ...readable], { quiet: true }),
  );
}

function choose(places, count, random) {
  const chosen = [];
  const left = [...places];
  const ofFile = new Map();
  while (chosen.length < count && left.length > 0) {
    const [place] = left.splice(Math.floor(random() * left.length), 1);
    const others = ofFile.get(place.file) ?? [];
    const overlaps = others.some((other) => place.start < other.end && other.start < place.end);
    if (overlaps || others.length >= mostOfFile) continue;
    ofFile.set(place.file, [...others, place]);
    chosen.push(place);
  }
  return chosen;
}

// ---- The tree with all faults ----

/** Replaces each place by both expressions. A fault takes no line, so the compiler's errors name the places' lines. */
function write(faults) {
  for (const file of new Set(faults.map((fault) => fault.file))) {
    let code = readFileSync(join(root, file));
    const own = faults
      .filter((fault) => fault.file === file && !fault.isDropped && !fault.isAside)
      .sort((a, b) => b.start - a.start);
    for (const { number, start, end, original, faulty, isStatement } of own) {
      const active = `::broadloom::faults::is_active(${number})`;
      const other = faulty.replace(/\s+/g, ' ');
      const both = isStatement ? `if (!${active}) ${original}` : `(${active} ? (${other}) : (${original}))`;
      code = Buffer.concat([code.subarray(0, start), Buffer.from(both), code.subarray(end)]);
    }
    writeFileSync(join(tree, file), code);
  }
}

function makeTree() {
  const packages = ['', 'web-demo', 'tests/models', 'tests/differential'].map((folder) => join(folder, 'node_modules'));
  copyProject(tree, { linked: packages });
  cpSync(join(here, 'faults.cpp'), join(tree, 'src/core/faults.cpp'));
  for (const layer of layers) cpSync(join(here, 'reached_test.cpp'), join(tree, 'tests', layer, 'reached_test.cpp'));
}

const included = `-include ${join(tree, 'tests/mutation/faults.h')} -I${join(tree, 'tests/mutation')}`;

/** Builds, and drops the faults that do not compile, until all do. */
function compile(faults, env, command, ...args) {
  for (let turn = 0; turn < 12; turn++) {
    write(faults);
    const { status, stdout, stderr } = spawnSync(command, args, {
      cwd: tree,
      env: { ...process.env, ...env },
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    if (status === 0) return;
    const output = `${stdout}${stderr}`;
    const broken = [...output.matchAll(/^(\S+?\.cpp):(\d+):\d+: (?:fatal )?error/gm)].map(
      ([, file, line]) => `${relative(tree, join(tree, relative(tree, file)))}:${line}`,
    );
    const dropped = faults.filter(
      ({ file, line, original, isDropped }) =>
        !isDropped &&
        broken.some((one) => {
          const [other, number] = one.split(/:(?=\d+$)/);
          return (
            other.endsWith(file) && Number(number) >= line && Number(number) <= line + original.split('\n').length - 1
          );
        }),
    );
    if (dropped.length === 0) throw new Error(`the tree does not compile:\n${output.slice(-6000)}`);
    for (const fault of dropped) fault.isDropped = true;
    console.log(`${dropped.length} faults do not compile, and are dropped`);
  }
  throw new Error('the tree does not compile');
}

// ---- Which tests find them ----

const testEnvironment = {
  ASAN_OPTIONS: 'allocator_may_return_null=1:max_allocation_size_mb=256',
  BROADLOOM_FUZZ_CASES: '500',
  BROADLOOM_SEED: '1',
};

/** For each fault's number: layer -> tests that reach it. */
function readReached() {
  const reached = new Map();
  for (const layer of layers) {
    rmSync(reachedFile, { force: true });
    const env = { ...testEnvironment, BROADLOOM_FAULT: '0', BROADLOOM_REACHED: reachedFile };
    run(join(build, `tests/test_${layer}`), ['--gtest_brief=1'], { quiet: true, env });
    for (const line of readFileSync(reachedFile, 'utf8').trim().split('\n')) {
      const [name, ...numbers] = line.split(' ');
      for (const number of numbers.map(Number)) {
        if (!reached.has(number)) reached.set(number, new Map());
        const tests = reached.get(number);
        tests.set(layer, [...(tests.get(layer) ?? []), name]);
      }
    }
  }
  return reached;
}

/** Resolves to how the command failed, or undefined. */
function failure(command, args, { seconds, ...given }) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { ...given, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (part) => (output = (output + part).slice(-20000)));
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      process.kill(-child.pid, 'SIGKILL');
    }, seconds * 1000);
    child.on('close', (status, signal) => {
      clearTimeout(timer);
      if (status === 0) return resolve(undefined);
      const failed = /\[ {2}FAILED {2}\] (\S+)/.exec(output)?.[1] ?? /● (.+)/.exec(output)?.[1];
      resolve(isLate ? 'it does not end' : (failed ?? `it ends by ${signal ?? `status ${status}`}`));
    });
  });
}

async function findNatively(fault, reached) {
  for (const layer of layers) {
    const tests = reached.get(fault.number)?.get(layer);
    if (tests === undefined) continue;
    const flags = join(root, `build/mutation/filter-${fault.number}`);
    writeFileSync(flags, `--gtest_filter=${tests.join(':')}\n`);
    const found = await failure(join(build, `tests/test_${layer}`), [`--gtest_flagfile=${flags}`, '--gtest_brief=1'], {
      seconds: 300,
      env: { ...process.env, ...testEnvironment, GTEST_FAIL_FAST: '1', BROADLOOM_FAULT: `${fault.number}` },
    });
    rmSync(flags);
    if (found !== undefined) return `${layer}: ${found}`;
  }
  return undefined;
}

/** Makes the fault with this number the active one of the module. */
function activate(wasm, number) {
  const magic = Buffer.from(Uint32Array.of(0x5eedfa17).buffer);
  const at = wasm.indexOf(magic);
  if (at < 0 || wasm.indexOf(magic, at + 1) >= 0)
    throw new Error('the module does not have the number of its fault once');
  const copy = Buffer.from(wasm);
  copy.writeUInt32LE(number, at);
  writeFileSync(join(tree, 'dist/broadloom.wasm'), copy);
}

const jest = ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js', '--bail', '--silent'];
/** First those that find most, so that all others need not run. */
const suites = [
  ['tests/js/(models|rows|values|official|tensor|memory|hostile|external|simplify|images|sound|attributes|operands)'],
  [],
];

async function findInWasm(fault, wasm) {
  activate(wasm, fault.number);
  for (const suite of suites) {
    const found = await failure('node', [...jest, ...suite], { seconds: 600, cwd: tree });
    if (found !== undefined) return `JavaScript: ${found}`;
  }
  return undefined;
}

async function inParallel(items, work) {
  const queue = [...items];
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
}

// ---- All of it ----

const survivors = JSON.parse(readFileSync(join(here, 'survivors.json'), 'utf8'));
const reasonOf = ({ file, kind, original }) =>
  survivors.find((one) => one.file === file && one.kind === kind && one.original === original)?.reason;

function newFaults() {
  const random = randomOf(Number(options.seed));
  const scale = Number(options.count) / 260;
  return shares
    .flatMap(([folder, share]) => {
      const count = Math.max(1, Math.round(share * scale));
      return choose(placesIn(folder, count, random), count, random);
    })
    .map((place, i) => ({ ...place, number: i + 1 }));
}

/**
 * All faults of the last run. Those that this run does not try are aside, and those whose code is gone: code that has moved is
 * found where it stands once in its file.
 */
function lastFaults() {
  const placed = (fault) => {
    const code = readFileSync(join(root, fault.file));
    if (code.subarray(fault.start, fault.end).toString().replace(/\s+/g, ' ') === fault.original.replace(/\s+/g, ' '))
      return fault;
    const start = code.indexOf(fault.original);
    if (start < 0 || code.indexOf(fault.original, start + 1) >= 0) return undefined;
    const line = code.subarray(0, start).toString().split('\n').length;
    return { ...fault, start, end: start + Buffer.byteLength(fault.original), line };
  };
  return JSON.parse(readFileSync(reportFile, 'utf8')).map((fault) => {
    const isTried =
      fault.found === undefined && reasonOf(fault) === undefined && new RegExp(options.only).test(fault.file);
    const there = isTried ? placed(fault) : undefined;
    return { ...(there ?? fault), isAside: there === undefined };
  });
}

const planted = () => faults.filter(({ isDropped }) => !isDropped);
const writeReport = () => writeFileSync(reportFile, JSON.stringify(planted(), undefined, 1));

const faults = options.left ? lastFaults() : newFaults();
console.log(`${faults.filter(({ isAside }) => !isAside).length} faults, seed ${options.seed}`);

makeTree();
const isBinding = ({ file }) => file.startsWith('bindings');
const native = options.left && !options.native ? [] : faults.filter((fault) => !isBinding(fault) && !fault.isAside);
if (native.length > 0) {
  const preset = options.sanitize
    ? ['--preset', 'sanitize']
    : ['-G', 'Ninja', '-DCMAKE_BUILD_TYPE=', '-DBROADLOOM_TOGETHER=ON'];
  const flags = ['-DBROADLOOM_WERROR=OFF', `-DCMAKE_CXX_FLAGS=-O1 -w -D_GLIBCXX_ASSERTIONS ${included}`];
  run('cmake', ['-S', tree, '-B', build, ...preset, ...flags], { quiet: true });
  compile(native, {}, 'cmake', '--build', build, '--', '-k', '0');
}
const reached = native.length > 0 ? readReached() : new Map();
const alive = () => planted().filter(({ isAside, found }) => !isAside && found === undefined);
const tell = ({ number, file, line, kind, original, found }) =>
  console.log(
    `${found === undefined ? 'ALIVE' : 'found'} ${number} ${file}:${line} ${kind}: ${original.slice(0, 60)}${found === undefined ? '' : `  (${found})`}`,
  );
await inParallel(
  native.filter((fault) => !fault.isDropped),
  async (fault) => {
    fault.found = await findNatively(fault, reached);
    tell(fault);
  },
);

if (!options.native && alive().length > 0) {
  console.log(`\n${alive().length} faults are left for the tests of JavaScript`);
  compile(faults, { CXXFLAGS: `-w ${included}` }, 'node', 'tools/build.mjs', '--quiet');
  const wasm = readFileSync(join(tree, 'dist/broadloom.wasm'));
  // Tests that fail by themselves would find every fault.
  const trouble = await findInWasm({ number: 0 }, wasm);
  if (trouble !== undefined) throw new Error(`without a fault: ${trouble}`);
  for (const fault of alive()) {
    fault.found = await findInWasm(fault, wasm);
    tell(fault);
    writeReport();
  }
}

// ---- Survivors ----

writeReport();
const left = planted().filter(({ found }) => found === undefined);
console.log(
  `\n${planted().length} faults: ${planted().length - left.length} found, ${left.filter(reasonOf).length} explained`,
);
for (const fault of left)
  console.log(`${fault.file}:${fault.line} ${fault.kind}: ${fault.original}\n    ${reasonOf(fault) ?? 'NO REASON'}`);
process.exit(left.every(reasonOf) ? 0 : 1);
