// run --random, --zeros, --shape, --seed and --repeat.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dataTypes } from '../../dist/index.js';
import { bytes, integer } from '../../tools/models/writer.mjs';
import { model as built, input, node, output, withoutProgress, workspace } from './helpers.mjs';

/** A model that gives back its inputs: name, number of the type, dims. */
const echo = (...inputs) =>
  built(
    [
      ...inputs.map(([name]) => node('Identity', [name], [`${name}_out`])),
      ...inputs.map(([name, type, dims]) => input(name, type, dims)),
      ...inputs.map(([name, type, dims]) => output(`${name}_out`, type, dims)),
    ],
    28,
  );
const float = 1;
/** A float32 input that declares no dims. */
const unranked = (name) => bytes(11, [bytes(1, name), bytes(2, [bytes(1, [integer(1, float)])])]);

test('inputs may have the names of members of objects', (t) => {
  const { write, json } = workspace(t);
  write('model.onnx', echo(['constructor', float, ['N']], ['__proto__', float, [2]], ['toString', float, ['N']]));
  const { inputs } = json('run', 'model.onnx', '--random', '--shape', 'constructor=3');
  assert.deepEqual(
    inputs.map(({ name, dims }) => [name, dims]),
    [
      ['constructor', [3]],
      ['__proto__', [2]],
      ['toString', [3]],
    ],
  );
});

test('--random makes inputs of every type, the same for a seed and others for another', (t) => {
  const { write, broadloom } = workspace(t);
  write('model.onnx', echo(...dataTypes.map(({ name, id }) => [name, id, [2, 8]])));
  const run = (...args) => {
    const { status, stdout, stderr } = broadloom('run', 'model.onnx', '--json', ...args);
    assert.deepEqual([status, withoutProgress(stderr)], [0, ''], stdout);
    return JSON.parse(stdout);
  };
  const [first, again, other, zeros] = [
    ['--random'],
    ['--random', '--seed', '0'],
    ['--random', '--seed', '7'],
    ['--zeros'],
  ].map((args) => run(...args));
  assert.deepEqual(first, again);
  for (const [i, { name, type, dims }] of first.inputs.entries()) {
    assert.deepEqual([type, dims], [name, [2, 8]]);
    const { data } = first.outputs[i];
    assert.equal(new Set(data.map(String)).size > 1, true, `${type}: ${data}`);
    assert.notDeepEqual(data, other.outputs[i].data, type);
    if (/^(u?int|bool)/.test(type))
      assert.ok(
        data.every((value) => Number(value) === 0 || Number(value) === 1),
        type,
      );
    if (/^float(16|32|64)$/.test(type))
      assert.ok(
        data.every((value) => value >= 0 && value <= 1),
        type,
      );
    const nothing = type === 'string' ? '' : 0;
    if (type !== 'float8e8m0')
      assert.ok(
        zeros.outputs[i].data.flat().every((value) => value === nothing),
        type,
      );
  }
});

test('sizes come from --shape, from given inputs by their names, and else are 1, which is told', (t) => {
  const { write, broadloom } = workspace(t);
  write('model.onnx', echo(['a', float, ['batch', 3]], ['b', float, ['batch', 'width']], ['c', float, [2, 'width']]));
  const dims = (...args) => {
    const { status, stdout, stderr } = broadloom('run', 'model.onnx', '--zeros', ...args);
    assert.equal(status, 0, stderr);
    return [stdout.match(/\[[\d, ]+\]/g).join(' '), withoutProgress(stderr)];
  };
  const note = (what) => `note: ${what} taken as 1; --shape gives other sizes, such as --shape a=1,3\n`;
  assert.deepEqual(dims(), ['[1, 3] [1, 1] [2, 1]', note("'batch', 'width' are")]);
  assert.deepEqual(dims('--shape', 'b=4,5'), ['[4, 3] [4, 5] [2, 5]', '']);
  assert.deepEqual(dims('--shape', 'c=2,5')[0], '[1, 3] [1, 5] [2, 5]');
  const given = dims('-i', 'b=[[1, 2], [3, 4]]');
  assert.deepEqual(given, ['[2, 3] [2, 2] [2, 2]', '']);
});

test('inputs without a rank need --shape, and scalars need none', (t) => {
  const { write, broadloom, prints } = workspace(t);
  write('scalar.onnx', echo(['x', float, []]));
  assert.equal(prints('run', 'scalar.onnx', '--zeros'), 'x_out: float32 []\n0.\n');
  write('ranks.onnx', built([node('Size', ['x'], ['y']), unranked('x'), output('y', 7, [])]));
  const { status, stderr } = broadloom('run', 'ranks.onnx', '--zeros');
  assert.equal(status, 2);
  assert.match(stderr, /input 'x' is float32 of unknown rank: give its sizes, such as --shape x=1,3,224,224/);
  assert.match(prints('run', 'ranks.onnx', '--zeros', '--shape', 'x=[3,4]'), /12/);
});

test('--repeat prints the median and the least time of so many runs, below the outputs', (t) => {
  const { write, prints, json } = workspace(t);
  write('model.onnx', echo(['x', float, [2]]));
  const text = prints('run', 'model.onnx', '-i', 'x=[1, 2]', '--repeat', '4');
  assert.match(
    text,
    /^x_out: float32 \[2\]\n\[1\. 2\.\]\n4 runs: median \d+\.\d{3} ms, min \d+\.\d{3} ms \(the first one, before them: \d+\.\d{3} ms\)\n$/,
  );
  const { times, outputs } = json('run', 'model.onnx', '--random', '--repeat', '3');
  assert.equal(outputs.length, 1);
  assert.equal(times.runs, 3);
  assert.ok(times.min > 0 && times.min <= times.median && times.first > 0);
  assert.match(prints('run', 'model.onnx', '--zeros', '--repeat', '1', '-o', 'out'), /out\/x_out\.npy\n1 run: median/);
});

for (const [args, says] of [
  [['--random', '--zeros'], '--random and --zeros contradict each other'],
  [['--zeros', '--seed', '1'], '--seed is for --random'],
  [['--random', '--seed', '1.5'], "--seed is '1.5': write a whole number"],
  [['--shape', 'x=1'], '--shape is for inputs that are made: give --random or --zeros, too'],
  [['--random', '--shape', 'x=n'], "--shape 'x=n': a run needs numbers"],
  [['--random', '--shape', 'x=1,?'], "--shape 'x=1,?': a run needs numbers"],
  [['--random', '--shape', 'x=-1'], "'-1' is not a size"],
  [['--random', '--shape', 'other=1'], "--shape 'other': the model has no such input; it has 'x'"],
  [['--random', '--shape', 'x=2', '-i', 'x=[1, 2]'], "--shape 'x': this input is given by --input"],
  [['--random', '--repeat', '0'], "--repeat is '0': write a whole number from 1"],
  [['--random', '--repeat', '2', '--profile'], '--repeat and --profile are two measurements'],
  [['--random', '--preset', 'imagenett'], "--preset is 'imagenett': did you mean 'imagenet'?"],
])
  test(`wrong usage is told: run ${args.join(' ')}`, (t) => {
    const { write, broadloom } = workspace(t);
    write('model.onnx', echo(['x', float, [2]]));
    const { status, stdout, stderr } = broadloom('run', 'model.onnx', ...args);
    assert.deepEqual([status, stdout], [2, '']);
    assert.ok(stderr.includes(says), stderr);
  });

test('sizes that the model does not have are refused by the run, and those that no memory has before it', (t) => {
  const { write, broadloom } = workspace(t);
  write('model.onnx', echo(['x', float, ['n', 2]]));
  const refused = (shape) => broadloom('run', 'model.onnx', '--random', '--shape', `x=${shape}`);
  assert.match(refused('1,3').stderr, /INVALID_ARGUMENT/);
  const huge = refused('1000000000,1000000000');
  assert.equal(huge.status, 1);
  assert.match(huge.stderr, /OUT_OF_MEMORY/);
});
