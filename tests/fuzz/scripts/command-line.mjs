// Any arguments of the command `broadloom`, in a folder of models and tensors: an exit code and, where it is not 0, one clear
// message. No file is lost or half written. The command runs within this process: its file calls reach that folder alone.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve, sep } from 'node:path';
import { load } from '../../../dist/inline.js';
import { copies, header, input, model, node, npy, output } from '../../cli/helpers.mjs';
import { bundle } from './bundle.mjs';
import { changedWords } from './mutate.mjs';

const folder = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'broadloom-fuzz-')));
process.on('exit', () => restored.rmSync(folder, { recursive: true, force: true }));
const restored = { ...fs };

// ---- The files ----

const ops = await load();
const files = {
  'copy.onnx': copies(['y', 'z']),
  'add.onnx': model([
    node('Add', ['x', 'w'], ['s']),
    node('Relu', ['s'], ['y']),
    input('x', 1, ['n', 3]),
    input('w', 1, [3]),
    output('y', 1, ['n', 3]),
  ]),
  'x.npy': npy(header("'<f4'", '(1, 3)'), Buffer.from(new Float32Array([1, -2, 3]).buffer)),
  'w.npy': npy(header("'<f4'", '(3,)'), Buffer.from(new Float32Array([4, 5, 6]).buffer)),
  't.pb': Buffer.from(ops.writeTensor({ type: 'float32', dims: [3], data: [1, 2, 3] })),
  'broken.onnx': Buffer.from('\x08\x07\x3a\x05abc', 'latin1'),
  'notes.txt': Buffer.from('x=[1,2]\n'),
};

function fill() {
  restored.rmSync(folder, { recursive: true, force: true });
  restored.mkdirSync(folder);
  for (const [name, bytes] of Object.entries(files)) restored.writeFileSync(join(folder, name), bytes);
}

const contents = () =>
  Object.fromEntries(
    restored
      .readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path.slice(folder.length + 1), restored.readFileSync(path)]),
  );

// ---- The command within this process ----

/** Paths outside of the folder are not there. */
function guard(owner, name) {
  const original = owner[name];
  owner[name] = (path, ...rest) => {
    const place = typeof path === 'string' ? resolve(path) : undefined;
    if (place !== undefined && place !== folder && !place.startsWith(folder + sep))
      throw Object.assign(new Error('outside'), { code: 'ENOENT' });
    return original(path, ...rest);
  };
}

class Exit extends Error {
  constructor(code) {
    super('exit');
    this.code = code;
  }
}

const written = { out: [], err: [] };
const stream = (to) => ({
  isTTY: false,
  on() {},
  write(bytes, done) {
    to.push(Buffer.from(bytes));
    done?.();
    return true;
  },
});
globalThis.fuzzedProcess = {
  argv: [],
  env: {},
  pid: process.pid,
  platform: process.platform,
  stdout: stream(written.out),
  stderr: stream(written.err),
  stdin: { async *[Symbol.asyncIterator]() {} },
  on() {},
  off() {},
  kill() {},
  cwd: () => folder,
  exit(code) {
    throw new Exit(code);
  },
};

/** `process` is the one above, and the end of main.ts does not run. */
const withoutProcess = {
  name: 'without-process',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:process$/ }, () => ({ path: 'process', namespace: 'fuzzed' }));
    onLoad({ filter: /./, namespace: 'fuzzed' }, () => ({ contents: 'export default globalThis.fuzzedProcess' }));
    onLoad({ filter: /cli\/src\/main\.ts$/ }, ({ path }) => {
      const [work, end] = fs.readFileSync(path, 'utf8').split('\nconst [name, ...args] = process.argv.slice(2);\n');
      assert.ok(end, 'main.ts ends otherwise');
      return { contents: `${work}\nexport { execute, tell };`, loader: 'ts' };
    });
  },
};
const { execute, tell } = await bundle('command-line', 'export * from "./cli/src/main.ts"', [withoutProcess]);

for (const name of [
  'readFileSync',
  'writeFileSync',
  'openSync',
  'readdirSync',
  'statSync',
  'realpathSync',
  'mkdirSync',
  'rmSync',
])
  guard(fs, name);
guard(fs, 'openAsBlob');
guard(fs.promises, 'open');
const rename = fs.renameSync;
fs.renameSync = (from, to) => {
  fs.statSync(from);
  fs.statSync(resolve(to, '..'));
  rename(from, to);
};
syncBuiltinESMExports();

async function broadloom(words) {
  written.out.length = 0;
  written.err.length = 0;
  globalThis.fuzzedProcess.argv = ['node', 'broadloom', ...words];
  const [name, ...args] = words;
  let status;
  try {
    status = await execute(name, args);
  } catch (error) {
    status = error instanceof Exit ? error.code : tell(error, name);
  }
  return { status, stdout: Buffer.concat(written.out).toString(), stderr: Buffer.concat(written.err).toString() };
}

// ---- The check ----

const isModel = (bytes) => {
  try {
    ops.loadModel(bytes, { allowUnsupported: true }).dispose();
    return true;
  } catch {
    return false;
  }
};

/** How often each exit code came. */
export const tally = [0, 0, 0];

export async function check(words) {
  fill();
  process.chdir(folder);
  const { status, stdout, stderr } = await broadloom(words);
  tally[status] += 1;
  const said = `${stdout}\n${stderr}`;
  assert.ok([0, 1, 2].includes(status), `the exit code is ${status}`);
  assert.ok(!/a mistake in broadloom|INTERNAL|^ {4}at /m.test(said), said);
  if (status !== 0 && !words.some((word) => word.includes('--json')) && !['diff', 'test'].includes(words[0]))
    assert.ok(stderr.trim() !== '', 'there is no message');
  const after = contents();
  for (const [name, before] of Object.entries(files)) {
    const now = after[name];
    assert.ok(now !== undefined, `${name} is lost`);
    if (now.equals(before)) continue;
    assert.equal(status, 0, `${name} changed, and the command failed`);
    assert.ok(now.length > 0, `${name} is empty`);
    if (words[0] === 'simplify') assert.ok(isModel(now), `${name} is half written`);
  }
  for (const name of Object.keys(after)) assert.ok(!name.endsWith('.tmp'), `${name} is left over`);
}

const lists = [
  ['run', 'add.onnx', '-i', 'x=x.npy', '-i', 'w=w.npy', '-o', 'out', '--format', 'pb'],
  ['run', 'copy.onnx', '-i', 'x=[1,2,3]', '--json'],
  ['run', 'add.onnx', '-i', 'x=[[1,2,3]]', '-i', 'w=t.pb', '--profile'],
  ['inspect', 'add.onnx', '--nodes', '--json'],
  ['inspect', 'x.npy'],
  ['simplify', 'add.onnx', 'small.onnx', '--dim', 'n=2', '--skip', 'merge_transposes', '--value-info', '--trust-names'],
  ['simplify', 'add.onnx', 'add.onnx', '--shape', 'x=2,3', '--max-growth', '10%', '--unroll', '4'],
  ['simplify', 'copy.onnx', 'out.onnx', '--value', 'x=[1,2]', '--output', 'y', '--fuse-inexact'],
  ['simplify', 'add.onnx', '-', '--verify', 'x=x.npy', '--verify', 'w=w.npy'],
  ['diff', 'copy.onnx', 'add.onnx', '--json'],
  ['op', 'Add', '-i', 'A=x.npy', '--input', 'B=w.npy', '--output-dir', 'out', '--format', 'json'],
  ['op', 'Cast', '-i', 'input:float32=[1.5,2]', '-a', 'to=uint8', '--opset', '13'],
  ['op', 'Transpose', '-i', 'data=x.npy', '-a', 'perm=[1,0]', '--json'],
  ['op', 'ConstantOfShape', '--opset', '9', '--input', 'input=[2, 3]', '--attr', 'value:int32=[7]'],
  ['operators', 'Conv', '--json'],
  ['test', '.'],
  ['help', 'run'],
  ['--version'],
];
export const make = (random) => changedWords(random, lists);
export const show = (words) => JSON.stringify(words);
export const take = (text) => JSON.parse(text);
