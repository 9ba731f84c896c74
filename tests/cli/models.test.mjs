// inspect, test and operators; models with data in other files.
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { load } from '../../dist/inline.js';
import { officialFolder } from '../../tools/models/official.mjs';
import { bytes, integer } from '../../tools/models/writer.mjs';
import { copies, input, model, node, output, samples, workspace } from './helpers.mjs';

const ops = await load();
const official = officialFolder();

test('inspect lists inputs, outputs, operators and, on request, the nodes with their types and sizes', (t) => {
  assert.equal(
    workspace(t).prints('inspect', join(samples, 'batch-bias.onnx'), '--nodes').replace(samples, ''),
    `batch-bias.onnx: opset 21, 4 nodes, can run

inputs
  x  float32 [batch, 1, length]

outputs
  biases  float32 [batch, 4]

operators
  Constant-21  1
  Expand-13    1
  Identity-21  1
  Shape-21     1

file
  producer  broadloom

nodes
  #0 weights: Constant-21() {value: float32 [4]} -> bias float32 [4]
  #1 batch_and_one: Shape-21(x) {end: 2} -> batch_by_one int64 [2]
  #2 repeat: Expand-13(bias, batch_by_one) -> rows float32 [batch, 4]
  #3 result: Identity-21(rows) -> biases float32 [batch, 4]
`,
  );
});

test('inspect --json has the metadata, the initializers and, with the nodes, their attributes', (t) => {
  const { json, prints } = workspace(t);
  const parts = join(samples, '../simplify/parts.onnx');
  const { metadata, initializers, nodes } = json('inspect', parts, '--nodes');
  assert.deepEqual(
    [metadata.producerName, metadata.irVersion, metadata.opsets],
    ['broadloom', 8, [{ domain: '', version: 21 }]],
  );
  const [kernel] = initializers;
  assert.deepEqual([kernel.name, kernel.dims, kernel.bytes, kernel.field], ['kernel', [4, 3, 3, 3], 432, 'raw_data']);
  assert.ok(nodes.some(({ attributes }) => Object.keys(attributes).length > 0));
  assert.match(prints('inspect', parts), /\nfile\n {2}producer {6}broadloom\n {2}initializers {2}11 \(5\d\d bytes\)\n/);
});

test('inspect shows attributes in JSON and in short: integers from 2^53, infinities and tensors', (t) => {
  const { write, json, prints } = workspace(t);
  const fields = [
    bytes(5, Buffer.concat([bytes(1, 'big'), integer(20, 2), integer(3, 2n ** 60n)])),
    bytes(5, Buffer.concat([bytes(1, 'words'), integer(20, 8), bytes(9, 'a'), bytes(9, 'b')])),
  ];
  const odd = node('Odd', ['x'], ['y'], { domain: 'other', fields });
  write('model.onnx', model([odd, input('x', 1, ['n']), output('y', 1, ['n'])], 21, ['', 'other']));
  assert.deepEqual(json('inspect', 'model.onnx', '-n').nodes[0].attributes, {
    big: '1152921504606846976',
    words: ['a', 'b'],
  });
  assert.match(
    prints('inspect', 'model.onnx', '-n'),
    /other\.Odd\(x\) \{big: 1152921504606846976, words: \["a", "b"\]\} -> y/,
  );
});

test('inspect groups nodes that cannot run by reason', (t) => {
  const { write, prints, json } = workspace(t);
  const nodes = Array.from({ length: 7 }, (_, i) =>
    node('Odd', ['x'], [`y${i}`], { name: i === 0 ? '' : `n${i}`, domain: 'other' }),
  );
  write(
    'model.onnx',
    model(
      [...nodes, node('Odder', ['x'], ['z'], { domain: 'other' }), input('x', 1, ['n']), output('z', 1, ['n'])],
      21,
      ['', 'other'],
    ),
  );
  const text = prints('inspect', 'model.onnx');
  assert.match(text, /: opset 21, 8 nodes, cannot run\n/);
  assert.match(
    text,
    /\n {2}7 nodes {2}no operator 'Odd' in domain 'other' \(#0, n1, n2, n3, n4, ...\)\n {2}1 node {3}no operator 'Odder'/,
  );
  assert.match(text, /\n {2}other\.Odd {4}7\n/);
  const { runs, unsupported, operators, nodes: none } = json('inspect', 'model.onnx');
  assert.deepEqual([runs, unsupported[0].count, operators.length, none], [false, 7, 2, undefined]);
  assert.equal(json('inspect', 'model.onnx', '-n').nodes.length, 8);
});

test('inspect says that an If with an unknown operator in a branch cannot run, and counts the operator once', (t) => {
  const { write, prints, json } = workspace(t);
  const branch = (name, operator) =>
    bytes(5, [bytes(1, name), bytes(6, [node(operator, ['x'], ['z']), output('z', 1, ['n'])]), integer(20, 5)]);
  const choice = node('If', ['c'], ['y'], { fields: [branch('then_branch', 'Odd'), branch('else_branch', 'Abs')] });
  write('model.onnx', model([choice, input('c', 9, []), input('x', 1, ['n']), output('y', 1, ['n'])], 21));
  const text = prints('inspect', 'model.onnx', '--nodes');
  assert.match(text, /3 nodes, cannot run\n/);
  assert.match(
    text,
    /\n {2}1 node {2}a node in its then_branch cannot run \(#0\)\n {2}1 node {2}no operator 'Odd' \(#1\)\n/,
  );
  assert.match(text, /\n {2}If-21 {3}1\n {2}Odd {5}1\n/);
  assert.match(text, /#0: If-21\(c\) -> y float32 \[n\] {2}cannot run: a node in its then_branch cannot run\n/);
  assert.equal(json('inspect', 'model.onnx').runs, false);
});

test('every official model can be inspected, or is refused with one line', (t) => {
  const { broadloom } = workspace(t);
  for (const name of [
    'test_abs',
    'test_loop11',
    'test_if',
    'test_gru_defaults',
    'test_sequence_map_identity_1_sequence',
  ]) {
    const { status, stdout, stderr } = broadloom('inspect', '-n', join(official, 'node', name, 'model.onnx'));
    assert.deepEqual([status, stderr.split('\n').length], stderr === '' ? [0, 1] : [1, 2]);
    assert.ok(stdout !== '' || stderr.includes('(INVALID_MODEL)'));
  }
});

/** An initializer whose elements are in another file. */
const external = (name, location) =>
  bytes(5, [
    integer(1, 2),
    integer(2, 1),
    bytes(8, name),
    bytes(13, [bytes(1, 'location'), bytes(2, location)]),
    integer(14, 1),
  ]);
const withExternal = (location) =>
  model([node('Identity', ['w'], ['y']), external('w', location), output('y', 1, [2])]);

const readsExternal = (() => {
  let asked = false;
  try {
    ops.loadModel(withExternal('w'), {
      external: () => {
        asked = true;
        return new Uint8Array(8);
      },
    });
  } catch {}
  return asked;
})();

test('initializers in other files come only from the folder of the model', (t) => {
  const { folder, write, broadloom } = workspace(t);
  write('secret', Buffer.from(Float32Array.of(3, 4).buffer));
  write('models/w/data.bin', Buffer.from(Float32Array.of(1, 2).buffer));
  symlinkSync('../secret', join(folder, 'models/link'));
  symlinkSync('w/data.bin', join(folder, 'models/inner'));
  const locations = {
    'w/data.bin': true,
    inner: true,
    link: false,
    '../secret': false,
    'w/../../secret': false,
    [join(folder, 'secret')]: false,
    w: false,
    none: false,
    '': false,
  };
  for (const [location, isRead] of Object.entries(locations)) {
    write('models/model.onnx', withExternal(location));
    const { status, stdout, stderr } = broadloom('run', 'models/model.onnx');
    if (readsExternal && isRead) assert.deepEqual([status, stdout], [0, 'y: float32 [2]\n[1. 2.]\n'], stderr);
    else assert.deepEqual([status, stdout, stderr.split('\n').length], [1, '', 2], location);
    if (readsExternal && !isRead) assert.match(stderr, /external data/);
    // The graph is shown even if some data cannot be read.
    const shown = broadloom('inspect', 'models/model.onnx');
    if (location !== '') assert.deepEqual([shown.status, shown.stderr], [0, ''], shown.stderr);
  }
});

test('inspect lists files that are missing with their initializers, and reads those that are there', (t) => {
  const { write, broadloom, json } = workspace(t);
  const nodes = ['near', 'far', 'away'].map((name) => node('Identity', [name], [`${name}_out`]));
  const files = [external('near', 'near.bin'), external('far', 'parts/far.bin'), external('away', 'parts/far.bin')];
  write('model.onnx', model([...nodes, ...files, output('near_out', 1, [2]), output('far_out', 1, [2])]));
  write('near.bin', Buffer.from(Float32Array.of(1, 2).buffer));
  const { status, stdout } = broadloom('inspect', 'model.onnx');
  assert.equal(status, 0);
  assert.match(stdout, /^model\.onnx: .*, cannot run without missing files\n/);
  assert.match(
    stdout,
    /\nmissing files\n {2}parts\/far\.bin {2}2 initializers: far, away {2}.*there is no such file\n?$/,
  );
  const { runs, missing } = json('inspect', 'model.onnx');
  assert.equal(runs, false);
  assert.deepEqual(
    missing.map(({ location, initializers }) => [location, initializers]),
    [['parts/far.bin', ['far', 'away']]],
  );
  const run = broadloom('run', 'model.onnx');
  assert.equal(run.status, 1);
  assert.match(run.stderr, /far\.bin/);
});

test('the official tests pass or are unsupported, and the summary says why', (t) => {
  const { broadloom, json } = workspace(t);
  // The data of inverse transforms has the rounding of another algorithm where zeros belong.
  const tolerance = ['--atol', '0.000001'];
  const { status, stdout, stderr } = broadloom('test', official, ...tolerance);
  assert.deepEqual([stdout.split('\n').filter((line) => line.startsWith('FAILED ')), status, stderr], [[], 0, '']);
  const [, passed, unsupported] = /^(\d+) passed, 0 failed, (\d+) unsupported:\n/m.exec(stdout);
  assert.ok(Number(passed) >= 2083);
  assert.match(stdout, /\n {2,}\d+ {2}no operator '\w+'.*\n/);
  const document = json('test', official, ...tolerance);
  assert.deepEqual([document.passed, document.failed, document.unsupported], [Number(passed), 0, Number(unsupported)]);
  assert.equal(document.cases.length, Number(passed) + Number(unsupported));
  const training = document.cases.filter(
    ({ result, reasons }) => result === 'unsupported' && reasons[0] === 'training',
  );
  assert.equal(training.length, 10);
  const strict = broadloom('test', official, '--strict', ...tolerance);
  assert.equal(strict.status, 1);
  assert.match(strict.stdout, /^UNSUPPORTED .*: no operator '\w+'.*\n/m);
});

/** Writes a test of a model that copies its input. */
function writeCase(write, folder, wanted, { got = wanted, set = 0, names = ['y'] } = {}) {
  write(`${folder}/model.onnx`, copies(names));
  write(`${folder}/test_data_set_${set}/input_0.pb`, ops.writeTensor(got));
  for (const i of names.keys()) write(`${folder}/test_data_set_${set}/output_${i}.pb`, ops.writeTensor(wanted));
}
const float32 = (...values) => ops.tensor('float32', values, [values.length]);

test('test finds folders at any depth, each once, and reports each failure in a line', (t) => {
  const { folder, write, broadloom } = workspace(t);
  writeCase(write, 'all/a', float32(1, NaN, Infinity, 0));
  writeCase(write, 'all/deep/er/b', float32(1, 3, 5), { got: float32(1, 2, 4) });
  writeCase(write, 'all/c', ops.tensor('float32', [1, 2], [2, 1]), { got: float32(1, 2) });
  writeCase(write, 'all/d', ops.tensor('float64', [1], [1]), { got: float32(1) });
  mkdirSync(join(folder, 'all/loop'));
  symlinkSync('..', join(folder, 'all/loop/up'));
  symlinkSync('nowhere', join(folder, 'all/broken'));
  const { status, stdout, stderr } = broadloom('test', 'all', 'all/deep/er/b/../../../a/..', './all/a/');
  assert.deepEqual(
    [status, stdout, stderr],
    [
      1,
      '',
      "broadloom test: there is no model.onnx in 'all/deep/er/b/../../../a/..' or below that was not tested already\n",
    ],
  );
  const once = broadloom('test', 'all');
  assert.equal(once.status, 1);
  assert.deepEqual(once.stdout.split('\n'), [
    "FAILED all/c: test_data_set_0: output 'y' is float32 [2], wanted float32 [2, 1]",
    "FAILED all/d: test_data_set_0: output 'y' is float32 [1], wanted float64 [1]",
    "FAILED all/deep/er/b: test_data_set_0: output 'y' is 2 at [1], wanted 3 (2 of 3 elements differ)",
    '1 passed, 3 failed, 0 unsupported',
    '',
  ]);
});

test('floats may differ by atol + rtol * |wanted|; NaN is NaN, infinities are only themselves', (t) => {
  const { write, broadloom } = workspace(t);
  const fits = (got, wanted, ...args) => {
    writeCase(write, 'case', float32(...wanted), { got: float32(...got) });
    return broadloom('test', 'case', ...args).status === 0;
  };
  assert.ok(fits([1.0005], [1]));
  assert.ok(!fits([1.002], [1]));
  assert.ok(fits([1.002], [1], '--rtol', '0.01'));
  assert.ok(!fits([1.0005], [1], '--rtol', '0'));
  assert.ok(fits([1.0005], [1], '--rtol', '0', '--atol', '1e-2'));
  assert.ok(fits([NaN, Infinity, -Infinity, -0], [NaN, Infinity, -Infinity, 0]));
  assert.ok(!fits([NaN], [1]));
  assert.ok(!fits([1], [NaN]));
  assert.ok(!fits([1e38], [Infinity], '--rtol', '1'));
  assert.ok(!fits([Infinity], [-Infinity], '--rtol', '1'));
});

test('integers, strings, complex and narrow types are compared by value, and the first difference is reported', (t) => {
  const { write, broadloom } = workspace(t);
  for (const [type, got, wanted, dims, says] of [
    [
      'int64',
      [1n, 2n ** 60n],
      [1n, 2n ** 60n + 1n],
      [2, 1],
      'is 1152921504606846976 at [1, 0], wanted 1152921504606846977 (1 of 2 elements differ)',
    ],
    ['string', ['a', 'b'], ['a', 'c'], [2], 'is "b" at [1], wanted "c"'],
    ['complex64', [1, 2], [1, -2], [1], 'is 1+2j at [0], wanted 1-2j'],
    ['int4', [1, 2, 3], [1, 2, 4], [3], 'is 3 at [2], wanted 4'],
    ['float16', [1, 2], [1, 2.25], [2], 'is 2 at [1], wanted 2.25'],
    ['float8e4m3fn', [1, 2], [1, 2.25], [2], 'is 2 at [1], wanted 2.25'],
    ['bool', [true], [false], [], 'is 1, wanted 0'],
  ]) {
    const id = { int64: 7, string: 8, complex64: 14, int4: 22, float16: 10, float8e4m3fn: 17, bool: 9 }[type];
    write('case/model.onnx', model([node('Identity', ['x'], ['y']), input('x', id, dims), output('y', id, dims)]));
    write('case/test_data_set_0/input_0.pb', ops.writeTensor(ops.tensor(type, got, dims)));
    const status = (values) => {
      write('case/test_data_set_0/output_0.pb', ops.writeTensor(ops.tensor(type, values, dims)));
      return broadloom('test', 'case');
    };
    const { stdout } = status(wanted);
    assert.ok(stdout.includes(`output 'y' ${says}`), stdout);
    assert.equal(status(got).status, 0, type);
  }
});

test('a case whose files are missing or broken fails, and the others are tested', (t) => {
  const { folder, write, broadloom } = workspace(t);
  writeCase(write, 'a/broken', float32(1));
  write('a/broken/model.onnx', 'no model');
  writeCase(write, 'a/empty', float32(1));
  write('a/empty/test_data_set_0/output_0.pb', '');
  writeCase(write, 'a/fewer', float32(1), { names: ['y', 'z'] });
  write('a/fewer/model.onnx', copies(['y']));
  writeCase(write, 'a/gap', float32(1));
  cpSync(join(folder, 'a/gap/test_data_set_0/input_0.pb'), join(folder, 'a/gap/test_data_set_0/input_2.pb'));
  write('a/none/model.onnx', copies(['y']));
  write('a/nothing/model.onnx/x', '');
  writeCase(write, 'a/two', float32(1));
  writeCase(write, 'a/two', float32(1), { set: 1, got: float32(2) });
  const { status, stdout, stderr } = broadloom('test', 'a');
  assert.deepEqual([status, stderr], [1, '']);
  assert.deepEqual(
    stdout.split('\n').map((line) => line.replace(/byte \d+:.*/, '...')),
    [
      'FAILED a/broken: a/broken/model.onnx: ...',
      'FAILED a/empty: test_data_set_0: a/empty/test_data_set_0/output_0.pb: the file is empty',
      'FAILED a/fewer: test_data_set_0: 2 output files, but the model has 1 output',
      'FAILED a/gap: test_data_set_0: 2 input files, but the model has 1 input',
      'FAILED a/none: there is no folder test_data_set_0',
      "FAILED a/nothing: cannot read 'a/nothing/model.onnx': it is a folder",
      "FAILED a/two: test_data_set_1: output 'y' is 2 at [0], wanted 1 (1 of 1 elements differ)",
      '0 passed, 7 failed, 0 unsupported',
      '',
    ],
  );
});

test('operators lists every operator with its versions, and one with its parameters', (t) => {
  const { prints, json } = workspace(t);
  const text = prints('operators');
  for (const { name, versions } of ops.operators())
    assert.match(
      text,
      new RegExp(`^${name} +${versions.map(({ sinceVersion }) => sinceVersion).join(', ')}(?: |$)`, 'm'),
    );
  assert.deepEqual(json('operators').operators, JSON.parse(JSON.stringify(ops.operators())));
  assert.deepEqual(json('operators', 'Expand').versions.length, 2);
  assert.ok(
    prints('operators', 'Expand').endsWith(`Expand-13
  inputs
    input  T: all but uint4, int4, float4e2m1, uint2, int2, float8
    shape  int64
  outputs
    output  T: all but uint4, int4, float4e2m1, uint2, int2, float8
`),
  );
});

test('op selects the version by --opset, and attributes have the types of its schema', (t) => {
  const { prints, broadloom } = workspace(t);
  assert.equal(prints('op', 'Shape', '-i', 'data:int8=[[1], [2]]', '--attr', 'start=-1'), 'shape: int64 [1]\n[1]\n');
  assert.match(
    broadloom('op', 'Shape', '--opset', '13', '-i', 'data:int8=[1]', '-a', 'start=0').stderr,
    /Shape-13: no attribute 'start'/,
  );
  const sum = (...args) => prints('op', 'ReduceSum', '-i', 'data:float32=[[1, 2]]', ...args);
  assert.equal(sum('-i', 'axes=[1]', '-a', 'keepdims=false'), 'reduced: float32 [1]\n[3.]\n');
  assert.equal(sum('--opset', '11', '-a', 'axes=1', '-a', 'keepdims=true'), 'reduced: float32 [1, 1]\n[[3.]]\n');
  const constant = (attribute) => prints('op', 'Constant', '-a', attribute).replace('output: ', '').trimEnd();
  assert.equal(constant('value_int=9007199254740993'), 'int64 []\n9007199254740993');
  assert.equal(constant('value_float=NaN'), 'float32 []\nnan');
  assert.equal(constant('value_floats=[1, 2]'), 'float32 [2]\n[1. 2.]');
  assert.equal(constant('value_string=a b=c'), "string []\n'a b=c'");
  assert.equal(constant('value_string="quoted"'), "string []\n'quoted'");
  assert.equal(constant('value_strings=["1234567890123456789"]'), "string [1]\n['1234567890123456789']");
  assert.equal(constant('value:int4=[1, -8]'), 'int4 [2]\n[ 1 -8]');
  const sparse = {
    values: { type: 'int8', dims: [1], data: [5] },
    indices: { type: 'int64', dims: [1], data: [2] },
    dims: [3],
  };
  assert.equal(constant(`sparse_value=${JSON.stringify(sparse)}`), 'int8 [3]\n[0 0 5]');
  writeFileSync(join(workspace(t).folder, 'unused'), '');
});

test('run --profile prints the nodes that ran, the slowest first, and their share of the total', (t) => {
  const { prints, json } = workspace(t);
  const args = ['run', join(samples, 'batch-bias.onnx'), '--input', 'x=[[[1, 2]], [[3, 4]]]', '--profile'];
  const lines = prints(...args)
    .trimEnd()
    .split('\n');
  // The optimized copy lacks the Identity at the end.
  assert.match(lines[0], /^[\d.]+ microseconds in 2 nodes$/);
  assert.match(lines[2], /^microseconds {2}share +bytes {2}calls {2}operator {2}node$/);
  const times = lines.slice(3).map((line) => Number.parseFloat(line));
  assert.deepEqual(
    times,
    times.toSorted((a, b) => b - a),
  );
  // The plan of the run has the shape already, so the node writes nothing.
  assert.match(lines.slice(3).join('\n'), /% +0 +1 +Shape +batch_and_one\n|% +0 +1 +Shape +batch_and_one$/);
  const { profile } = json(...args);
  assert.deepEqual(
    profile.map(({ node, calls }) => [node, calls]),
    [['weights', 0], ['batch_and_one', 1], ['repeat', 1], ['result', 0]], // biome-ignore format: one line
  );
});

test('run --profile writes no outputs', (t) => {
  const { status, stderr } = workspace(t).broadloom('run', 'model.onnx', '--profile', '-o', 'out');
  assert.equal(status, 2);
  assert.match(stderr, /leave out --output-dir/);
});
