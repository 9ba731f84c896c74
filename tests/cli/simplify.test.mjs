// simplify with the real runtime: its files run, and its advice is right.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, copyFileSync, ftruncateSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { load } from '../../dist/inline.js';
import { bytes, integer } from '../../tools/models/writer.mjs';
import { someOf } from '../depth.mjs';
import { input, model, node, output, program, samples, workspace } from './helpers.mjs';

const ops = await load();
const silero = new URL('../models/node_modules/@ricky0123/vad-web/dist/silero_vad_v5.onnx', import.meta.url).pathname;
const biases = join(samples, 'batch-bias.onnx');
const choice = join(samples, 'keep-or-clear.onnx');
const x = 'x=[[1, 2], [3, 4]]';

test('an If with a fixed condition is replaced by its branch', (t) => {
  const { folder, broadloom, prints, json } = workspace(t);
  for (const keep of ['true', 'false']) {
    assert.equal(broadloom('simplify', choice, 'out.onnx', '--value', `keep=${keep}`).status, 0);
    const { inputs, operators } = json('inspect', 'out.onnx');
    assert.deepEqual(
      inputs.map(({ name }) => name),
      ['x'],
    );
    assert.ok(operators.every(({ operator }) => operator !== 'If'));
    assert.equal(prints('run', 'out.onnx', '-i', x), prints('run', choice, '-i', x, '-i', `keep=${keep}`));
  }
  assert.ok(statSync(join(folder, 'out.onnx')).size < statSync(choice).size);
});

test('- and --output - write the file to standard output, and all else to standard error', (t) => {
  const { folder, broadloom, prints } = workspace(t);
  const written = (...args) =>
    spawnSync(process.execPath, [program, 'simplify', ...args], { cwd: folder, input: readFileSync(biases) });
  broadloom('simplify', biases, 'out.onnx');
  const wanted = readFileSync(join(folder, 'out.onnx'));
  for (const target of [['-'], ['--output', '-'], ['--output', 'biases', '--output', '-'], ['-', '--json']]) {
    const { status, stdout, stderr } = written('-', ...target);
    assert.deepEqual([status, stdout.equals(wanted)], [0, true], target.join(' '));
    if (target.includes('--json')) assert.equal(JSON.parse(stderr).file, '-');
    else assert.match(String(stderr), /^standard input -> standard output\n/);
  }
  prints('simplify', biases, '--output', 'other.onnx');
  assert.ok(readFileSync(join(folder, 'other.onnx')).equals(wanted));
  const { status, stdout, stderr } = written('-', '-', '--dim', 'none=1', '--json');
  assert.deepEqual([status, stdout.length, JSON.parse(stderr).error.code], [1, 0, 'INVALID_ARGUMENT']);
  const missing = broadloom('simplify', biases, '--output', 'biases');
  assert.deepEqual([missing.status, missing.stdout], [2, '']);
  assert.match(missing.stderr, /OUT\.onnx is missing\n/);
});

test('a fixed size is declared in the written file, which may replace the original', (t) => {
  const { folder, prints, json, broadloom } = workspace(t);
  const place = join(folder, 'model.onnx');
  copyFileSync(biases, place);
  const { status, stdout, stderr } = broadloom('simplify', 'model.onnx', 'model.onnx', '--dim', 'batch=2');
  assert.deepEqual([status, stderr], [0, '']);
  assert.match(stdout, /^model\.onnx -> model\.onnx\n\n +before +after\n {2}nodes +4 +\d+ +-/);
  assert.deepEqual(json('inspect', 'model.onnx').inputs[0].dims, [2, 1, 'length']);
  const run = (path) => prints('run', path, '-i', 'x=[[[1]], [[2]]]');
  assert.equal(run('model.onnx'), run(biases));
  assert.equal(broadloom('run', 'model.onnx', '-i', 'x=[[[1]]]').status, 1);
});

test('--json prints the report of the library, and the file is the library’s result', async (t) => {
  const { folder, json } = workspace(t);
  const { file, ...told } = json('simplify', biases, 'out.onnx', '--shape', 'x=2,1,?', '--value-info');
  const wanted = ops.simplify(readFileSync(biases), { shapes: { x: [2, 1, null] }, valueInfo: true });
  assert.equal(file, 'out.onnx');
  assert.deepEqual(told, JSON.parse(JSON.stringify(wanted.report)));
  assert.deepEqual(new Uint8Array(readFileSync(join(folder, 'out.onnx'))), wanted.bytes);
});

test('with the flags that the report advises, all sizes are known', (t) => {
  const { broadloom, json } = workspace(t);
  const first = broadloom('simplify', biases, 'out.onnx').stdout;
  const flags = [...first.matchAll(/--(dim|shape) (?:'([^']+)'|(\S+))$/gm)];
  assert.ok(flags.length > 0, first);
  const words = flags.flatMap(([, flag, quoted, plain]) => [`--${flag}`, (quoted ?? plain).replace('N', '3')]);
  assert.deepEqual(json('simplify', biases, 'out.onnx', ...words).dynamic, []);
});

test('simplifying a second time changes nothing', (t) => {
  const { folder, broadloom } = workspace(t);
  broadloom('simplify', biases, 'once.onnx', '--dim', 'batch=2');
  broadloom('simplify', 'once.onnx', 'twice.onnx');
  assert.deepEqual(readFileSync(join(folder, 'twice.onnx')), readFileSync(join(folder, 'once.onnx')));
  assert.equal(broadloom('diff', 'once.onnx', 'twice.onnx', '--bytes').status, 0);
});

for (const [args, says] of someOf(
  [
    [['--dim', 'bacth=1'], /--dim.*bacth.*batch/],
    [['--shape', 'y=1,1,1'], /--shape.*'y'/],
    [['--shape', 'x=1,1'], /--shape.*x/],
    [['--output', 'biasse'], /--output.*biasse/],
    [['--value', 'x=[1, 2]'], /--value.*x/],
  ],
  3,
))
  test(`a flag that does not fit the model is named: ${args.join(' ')}`, (t) => {
    const { status, stdout, stderr } = workspace(t).broadloom('simplify', biases, 'out.onnx', ...args);
    assert.deepEqual([status, stdout, stderr.split('\n').length], [1, '', 2]);
    assert.match(stderr, says);
    assert.match(stderr, /\(INVALID_ARGUMENT\)\n$/);
  });

test('--verify runs both models; the original gets the values of fixed inputs', (t) => {
  const { broadloom, json } = workspace(t);
  const verified = (...args) => json('simplify', ...args).verified;
  const fixed = ['--dim', 'batch=2', '--verify', 'x=[[[1]], [[2]]]'];
  assert.deepEqual(verified(biases, 'out.onnx', ...fixed), { ran: true, equal: true, reason: null });
  assert.equal(verified(choice, 'out.onnx', '--value', 'keep=true', '--verify', x).equal, true);
  assert.match(broadloom('simplify', biases, 'out.onnx', ...fixed).stdout, /\nverified: the outputs are equal\n$/);
});

/** A model that adds weights in another file to its input. */
const outside = (size) =>
  model([
    bytes(5, [
      integer(1, size),
      integer(2, 1),
      bytes(8, 'w'),
      bytes(13, [bytes(1, 'location'), bytes(2, 'w/data.bin')]),
      integer(14, 1),
    ]),
    node('Identity', ['x'], ['a']),
    node('Add', ['a', 'w'], ['y']),
    input('x', 1, [size]),
    output('y', 1, [size]),
  ]);

test('weights in other files stay there: the result runs beside them, and elsewhere once they are copied', (t) => {
  const { folder, write, broadloom, prints } = workspace(t);
  write('models/in.onnx', outside(2));
  write('models/w/data.bin', Buffer.from(Float32Array.of(10, 20).buffer));
  write('others/w/readme', '');
  assert.equal(
    prints('simplify', 'models/in.onnx', 'models/out.onnx').split('\n')[0],
    'models/in.onnx -> models/out.onnx',
  );
  const sum = 'y: float32 [2]\n[11. 22.]\n';
  assert.equal(prints('run', 'models/out.onnx', '-i', 'x=[1, 2]'), sum);
  const { status, stderr } = broadloom('simplify', 'models/in.onnx', 'others/out.onnx');
  assert.equal(status, 0);
  assert.match(stderr, /^warning: .* copy 'w\/data\.bin' from 'models' to 'others'\n$/);
  assert.equal(broadloom('run', 'others/out.onnx', '-i', 'x=[1, 2]').status, 1);
  copyFileSync(join(folder, 'models/w/data.bin'), join(folder, 'others/w/data.bin'));
  assert.equal(prints('run', 'others/out.onnx', '-i', 'x=[1, 2]'), sum);
});

test('weights too large for shape inference are not read, and their file is still listed to be copied', (t) => {
  const { write, broadloom, json } = workspace(t);
  write('in.onnx', outside(2 ** 30));
  write('others/readme', '');
  const { status, stderr } = broadloom('simplify', 'in.onnx', 'others/out.onnx');
  assert.equal(status, 0);
  assert.match(stderr, /^warning: .*there is no such file\nwarning: .* copy 'w\/data\.bin' from '\.' to 'others'\n$/);
  assert.deepEqual(json('simplify', 'in.onnx', 'out.onnx').files, ['w/data.bin']);
});

test('--verify runs a model whose weights are in other files', (t) => {
  const { write, json } = workspace(t);
  write('in.onnx', outside(2));
  write('w/data.bin', Buffer.from(Float32Array.of(10, 20).buffer));
  const { verified } = json('simplify', 'in.onnx', 'out.onnx', '--verify', 'x=[1, 2]');
  assert.deepEqual(verified, { ran: true, equal: true, reason: null });
});

test('the rest of a model is simplified even if weights are missing or elsewhere', (t) => {
  const { write, broadloom, json } = workspace(t);
  write('in.onnx', outside(2));
  const { status, stderr } = broadloom('simplify', 'in.onnx', 'out.onnx');
  assert.equal(status, 0);
  assert.match(
    stderr,
    /^warning: .*'w\/data\.bin' was not given: nothing is computed of it\nwarning: .*there is no such file\n$/,
  );
  const { operators } = json('inspect', 'out.onnx');
  assert.deepEqual(
    operators.map(({ operator }) => operator),
    ['Add'],
  );
});

test('Silero VAD has no If left when its rate is fixed', (t) => {
  const { folder, json } = workspace(t);
  for (const rate of [16000, 8000]) {
    const { before, after, inputs, kept } = json('simplify', silero, 'out.onnx', '--value', `sr=${rate}`);
    assert.deepEqual([before.operators.If, after.operators.If, kept], [25, undefined, []]);
    assert.ok(inputs.every(({ name }) => name !== 'sr'));
    assert.equal(after.bytes, statSync(join(folder, 'out.onnx')).size);
  }
});

test('a file of 512 MB is copied in pieces, and memory never holds its weights', (t) => {
  const { folder, write } = workspace(t);
  // TensorProto's raw_data is a hole in a sparse file.
  const size = 1 << 29;
  const before = [integer(1, size / 4), integer(2, 1), bytes(8, 'w')];
  const varint = (value) => integer(0, value).subarray(1);
  const head = Buffer.concat([...before, Buffer.from([0x4a]), varint(size)]);
  const tensor = Buffer.concat([Buffer.from([0x2a]), varint(head.length + size), head]);
  const rest = Buffer.concat([
    node('Identity', ['x'], ['a']),
    node('Add', ['a', 'w'], ['y']),
    input('x', 1, [1]),
    output('y', 1, [size / 4]),
    bytes(2, 'graph'),
  ]);
  const file = Buffer.concat([
    integer(1, 8),
    bytes(8, [bytes(1, ''), integer(2, 21)]),
    Buffer.from([0x3a]),
    varint(tensor.length + size + rest.length),
    tensor,
  ]);
  const end = file.length + size;
  const open = openSync(join(folder, 'in.onnx'), 'w');
  writeSync(open, file);
  ftruncateSync(open, end);
  writeSync(open, rest, 0, rest.length, end);
  closeSync(open);
  write('peak.mjs', "process.on('exit', () => console.error(process.resourceUsage().maxRSS))");
  const args = ['--import', './peak.mjs', program, 'simplify', 'in.onnx', 'out.onnx', '--json'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  const { after } = JSON.parse(stdout);
  assert.deepEqual([after.nodes, after.bytes], [1, statSync(join(folder, 'out.onnx')).size]);
  assert.ok(after.bytes > size);
  const peak = Number(stderr.trim().split('\n').at(-1)) * 1024;
  assert.ok(peak < size / 2, `${peak} bytes`);
});
